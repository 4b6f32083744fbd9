import { html, nothing, type TemplateResult } from 'lit-html';
import type { GetMessageReply } from '../../../../client/generated/operations.ts';
import { hasCode } from '../../ui/console-service.ts';
import { onPress, onSubmit } from '../../ui/handlers.ts';
import { textIn } from '../../ui/kit/form.ts';
import type { Workspace } from '../../ui/workspace.ts';

/** The labels of a message: each can be taken away, and one added. */
export function labelBar(
  workspace: Workspace,
  address: string,
  open: { message: GetMessageReply },
): TemplateResult | typeof nothing {
  const { message } = open;
  if (message.folder === 'trash') return nothing;
  const { message_id: id, labels } = message;
  const change = async (to: { add_labels?: string[]; remove_labels?: string[] }): Promise<void> => {
    const changed = await workspace.service.updateMessage({ id, address, ...to });
    open.message = { ...open.message, labels: changed.labels };
    workspace.repaint();
  };
  const add = async (form: HTMLFormElement): Promise<void> => {
    await change({ add_labels: [textIn(form, 'label')] }).catch((err) => {
      throw hasCode(err, 'invalid_request')
        ? new Error('A label has letters and digits, with spaces, dots, colons, dashes or slashes between them.', {
            cause: err,
          })
        : err;
    });
    form.reset();
  };
  return html`
    <form class="labels" @submit=${onSubmit(add)}>
      ${labels.map(
        (label) => html`
          <span class="badge">${label}
            <button type="button" class="link" aria-label="Remove the label ${label}"
              @click=${onPress(() => change({ remove_labels: [label] }))}>×</button></span>`,
      )}
      <input name="label" required maxlength="64" autocomplete="off" aria-label="New label" placeholder="New label">
      <button class="button quiet">Add</button>
      <p class="problem" role="alert"></p>
    </form>`;
}

import { html, nothing, type TemplateResult } from 'lit-html';
import type { ListAccountKeysReply } from '../../../../client/generated/operations.ts';
import { decided } from '../../ui/decide.ts';
import { fullTime, time } from '../../ui/format.ts';
import { onPress } from '../../ui/handlers.ts';
import { empty } from '../../ui/placeholders.ts';
import { ask, confirmed, showOnce, toast } from '../../ui/toast.ts';
import type { Workspace } from '../../ui/workspace.ts';
import { NAMED_KEY_INTRO } from './key-form-part.ts';
import { scopeLabel } from './scope-labels.ts';

/** The named keys of an agent: what each may do, and how it is rotated and deleted. */

export type Key = ListAccountKeysReply['keys'][number];

const GRACES = { '0': 'until now', '3600': 'for another hour', '86400': 'for another day' };

/** Asks how long the former text of a key stays valid. @returns seconds; null to change nothing */
async function askGrace(name: string): Promise<number | null> {
  const answer = await ask(
    (close) => html`
      <form @submit=${(event: SubmitEvent) => {
        event.preventDefault();
        close((document.getElementById('grace') as HTMLSelectElement).value);
      }}>
        <h2 id="dialog-title">Rotate “${name}”?</h2>
        <p>You get a new key with the same permissions.</p>
        <label for="grace">The current key works</label>
        <select id="grace">${Object.entries(GRACES).map(([seconds, text]) => html`<option value=${seconds}>${text}</option>`)}</select>
        <p class="actions">
          <button class="button primary">Rotate</button>
          <button type="button" class="button" autofocus @click=${() => close('')}>Cancel</button>
        </p>
      </form>`,
  );
  return answer === '' ? null : Number(answer);
}

async function rotate(workspace: Workspace, { id, name }: Key): Promise<void> {
  const seconds = await askGrace(name ?? '');
  if (seconds === null) return;
  const made = await decided(workspace, workspace.account.id, (service) =>
    service.rotateNamedKey({ id, grace_seconds: seconds }),
  );

  await showOnce({
    title: `The new key “${name ?? ''}”`,
    text:
      seconds === 0
        ? 'Store it now. It cannot be shown again.'
        : `Store it now. It cannot be shown again. The former key works until ${fullTime(made.previous_valid_until)}.`,
    secret: made.api_key,
    filename: 'signet-named-key.txt',
  });
  await workspace.refresh();
}

async function remove(workspace: Workspace, { id, name }: Key): Promise<void> {
  if (
    !(await confirmed({
      title: `Delete “${name ?? ''}”?`,
      text: 'Programs that use it stop working at once.',
      action: 'Delete',
    }))
  )
    return;
  await workspace.service.deleteNamedKey({ id });
  toast('Deleted.');
  await workspace.refresh();
}

const COLUMNS = ['Name', 'May', 'Expires', 'Last used', 'Actions'];

function row(workspace: Workspace, key: Key): TemplateResult {
  const [, mayLabel = '', expiresLabel = '', usedLabel = '', actionsLabel = ''] = COLUMNS;

  const button = (label: string, work: () => Promise<void>): TemplateResult =>
    html`<button type="button" class="button quiet" aria-label=${`${label} ${key.name ?? ''}`} @click=${onPress(work)}>${label}</button>`;
  return html`
    <tr>
      <th scope="row" class="wraps">${key.name}<br><span class="mono fine">${key.key_prefix}…</span></th>
      <td data-label=${mayLabel}>
        <details><summary>${key.scopes.length === 1 ? scopeLabel(key.scopes[0] ?? '') : `${key.scopes.length} permissions`}</summary>
          <ul class="plain">${key.scopes.map((scope) => html`<li>${scopeLabel(scope)}</li>`)}</ul>
        </details>
        ${key.addresses ? html`<span class="mono fine">${key.addresses.join(', ')}</span>` : nothing}
      </td>
      <td data-label=${expiresLabel}>
        ${key.status === 'expired' ? html`<span class="badge failed">Expired</span>` : key.expires_at === null ? 'Never' : time(key.expires_at)}
      </td>
      <td data-label=${usedLabel}>${key.last_used_at === null ? 'Never' : time(key.last_used_at)}</td>
      <td data-label=${actionsLabel} class="row-actions">
        ${button('Rotate', () => rotate(workspace, key))} ${button('Delete', () => remove(workspace, key))}
      </td>
    </tr>`;
}

/** @param keys all keys of the account; the others are left out */
export function namedKeySection(workspace: Workspace, keys: readonly Key[]): TemplateResult {
  const named = keys.filter(({ kind }) => kind === 'named');
  return html`
    <section aria-labelledby="named-keys">
      <div class="heading">
        <h2 id="named-keys">Named keys</h2>
        <a class="button" href=${workspace.link('keys', 'new')}>New named key</a>
      </div>
      <p class="intro">${NAMED_KEY_INTRO}</p>
      ${
        named.length === 0
          ? empty('No named key yet.')
          : html`<table class="sheet">
              <thead><tr>${COLUMNS.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
              <tbody>${named.map((key) => row(workspace, key))}</tbody>
            </table>`
      }
    </section>`;
}

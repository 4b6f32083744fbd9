import { html, nothing, type TemplateResult } from 'lit-html';
import type { GetOperatorSettingsReply, ListPasskeysReply } from '../../../../client/generated/operations.ts';
import { addPasskey } from '../../ui/browser-passkey.ts';
import { hasCode, messageOf } from '../../ui/console-service.ts';
import { counted, fill, fullTime } from '../../ui/format.ts';
import { pressing } from '../../ui/handlers.ts';
import { confirmed, say, showOnce } from '../../ui/toast.ts';
import type { Desk } from '../../ui/workspace.ts';
import { words } from '../../words/console-words.ts';

/** The passkeys and recovery codes of an operator, and whether a passkey is required. */

interface Held {
  passkeys: ListPasskeysReply['passkeys'];
  settings: GetOperatorSettingsReply;
}

/** @returns null for a session that is not an operator's */
export async function readPasskeys({ service }: Desk): Promise<Held | null> {
  try {
    const [{ passkeys }, settings] = await Promise.all([service.listPasskeys({}), service.getOperatorSettings({})]);
    return { passkeys, settings };
  } catch (err) {
    if (hasCode(err, 'operator_required')) return null;
    throw err;
  }
}

let problem = '';

/** A button that changes something and shows the page again. */
const action = (desk: Desk, id: string, label: string, work: () => Promise<boolean>): TemplateResult => html`
  <button type="button" class="button" id=${id} @click=${pressing(async () => {
    problem = '';
    try {
      if (await work()) await desk.refresh();
    } catch (err) {
      problem = messageOf(err);
    }
    desk.repaint();
  })}>${label}</button>`;

function entry(desk: Desk, { id, name, status, created_at, active_at }: Held['passkeys'][number]): TemplateResult {
  const remove = async (): Promise<boolean> => {
    const question = { title: words.passkeys.removeAsk, text: words.passkeys.removeWhy, action: words.passkeys.remove };
    if (!(await confirmed(question))) return false;
    await desk.service.removePasskey({ id });
    return true;
  };
  const state =
    status === 'active'
      ? fill(words.passkeys.added, { date: fullTime(created_at) })
      : fill(words.passkeys.pending, { date: fullTime(active_at) });
  return html`<li>${name}, ${state} ${action(desk, `remove-${id}`, words.passkeys.remove, remove)}</li>`;
}

export function passkeySection(desk: Desk, { passkeys, settings }: Held): TemplateResult {
  const { require_passkey: isRequired, recovery_codes: codes } = settings;
  const add = async (): Promise<boolean> => {
    const { status } = await addPasskey(desk.service, words.passkeys.name);
    say(status === 'active' ? words.passkeys.works : words.passkeys.later);
    return true;
  };
  const renew = async (): Promise<boolean> => {
    const { codes: made } = await desk.service.createRecoveryCodes({});
    const { codesMade: title, codesWhy: text } = words.passkeys;
    await showOnce({ title, text, secret: made.join(' '), filename: 'signet-recovery-codes.txt' });
    return true;
  };
  const require = async (): Promise<boolean> => {
    await desk.service.updateOperatorSettings({ require_passkey: !isRequired });
    say(isRequired ? words.passkeys.nowFree : words.passkeys.nowRequired);
    return true;
  };
  return html`
    <section class="sheet" aria-labelledby="passkeys">
      <h2 id="passkeys">${words.passkeys.title}</h2>
      <ul id="passkey-list">${passkeys.map((one) => entry(desk, one))}</ul>
      <p class="fine">${counted(words.passkeys.codesLeft, codes)} ${isRequired ? words.passkeys.required : nothing}</p>
      <p class="problem" id="passkey-problem" role="alert">${problem}</p>
      <p class="actions">
        ${action(desk, 'add-passkey', words.passkeys.add, add)} ${action(desk, 'new-codes', words.passkeys.codes, renew)}
        ${action(desk, 'require-passkey', isRequired ? words.passkeys.unrequire : words.passkeys.require, require)}
      </p>
    </section>`;
}

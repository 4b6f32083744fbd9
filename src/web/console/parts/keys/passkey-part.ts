import { html, nothing, type TemplateResult } from 'lit-html';
import type { GetOperatorSettingsReply, ListPasskeysReply } from '../../../../client/generated/operations.ts';
import { addPasskey, hasPasskeys, whyNoPasskeys } from '../../ui/browser-passkey.ts';
import { hasCode, messageOf } from '../../ui/console-service.ts';
import { counted, fullTime } from '../../ui/format.ts';
import { action } from '../../ui/kit/action.ts';
import { section } from '../../ui/kit/section.ts';
import { confirmed, showOnce, toast } from '../../ui/toast.ts';
import type { Workspace } from '../../ui/workspace.ts';

/** The passkeys and recovery codes of an operator, and whether a passkey is required. */

interface Held {
  passkeys: ListPasskeysReply['passkeys'];
  settings: GetOperatorSettingsReply;
}

/** @returns null for a session that is not an operator's */
export async function readPasskeys({ service }: Workspace): Promise<Held | null> {
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
const factorAction = (workspace: Workspace, id: string, label: string, work: () => Promise<boolean>): TemplateResult =>
  action(
    label,
    async () => {
      problem = '';
      try {
        if (await work()) await workspace.refresh();
      } catch (err) {
        problem = messageOf(err);
      }
      workspace.repaint();
    },
    { id },
  );

function entry(
  workspace: Workspace,
  { id, name, status, created_at, active_at }: Held['passkeys'][number],
): TemplateResult {
  const remove = async (): Promise<boolean> => {
    const text = 'It can no longer log in, and sessions that it opened end.';
    if (!(await confirmed('Remove this passkey?', text, 'Remove'))) return false;
    await workspace.service.removePasskey({ id });
    return true;
  };
  const state = status === 'active' ? `added ${fullTime(created_at)}` : `works from ${fullTime(active_at)}`;
  return html`<li>${name}, ${state} ${factorAction(workspace, `remove-${id}`, 'Remove', remove)}</li>`;
}

export function passkeySection(workspace: Workspace, { passkeys, settings }: Held): TemplateResult {
  const { require_passkey: isRequired, recovery_codes: codes } = settings;
  const add = async (): Promise<boolean> => {
    const { status } = await addPasskey(workspace.service, 'Passkey');
    toast(status === 'active' ? 'The passkey works from now on.' : 'The passkey will work after 72 hours.');
    return true;
  };
  const renew = async (): Promise<boolean> => {
    const { codes: made } = await workspace.service.createRecoveryCodes({});

    const text = 'Each code logs in once, when you have lost your passkeys. Former codes no longer work. Print these.';
    await showOnce('Your recovery codes', text, made.join(' '), 'signet-recovery-codes.txt');
    return true;
  };
  const require = async (): Promise<boolean> => {
    await workspace.service.updateOperatorSettings({ require_passkey: !isRequired });
    toast(isRequired ? 'Links in emails can decide again.' : 'Links in emails no longer decide.');
    return true;
  };
  return section(
    'passkeys',
    'Passkeys',
    html`
      <ul id="passkey-list">${passkeys.map((one) => entry(workspace, one))}</ul>
      <p class="fine">${counted(codes, 'recovery code left.', 'recovery codes left.')} ${isRequired ? 'You require a passkey.' : nothing}</p>
      ${hasPasskeys() ? nothing : html`<p>${whyNoPasskeys()}</p>`}
      <p class="problem" id="passkey-problem" role="alert">${problem}</p>
      <p class="actions">
        ${hasPasskeys() ? factorAction(workspace, 'add-passkey', 'Add a passkey', add) : nothing}
        ${factorAction(workspace, 'new-codes', 'New recovery codes', renew)}
        ${factorAction(workspace, 'require-passkey', isRequired ? 'Stop requiring a passkey' : 'Require a passkey', require)}
      </p>`,
  );
}

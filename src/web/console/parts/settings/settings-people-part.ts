import { html, nothing, type TemplateResult } from 'lit-html';
import type { GetAccountReply, ListAddressesReply } from '../../../../client/generated/operations.ts';
import { fullTime, time } from '../../ui/format.ts';
import { change, rowAction } from '../../ui/kit/action.ts';
import { entryList } from '../../ui/kit/data-table.ts';
import { lineForm, textIn } from '../../ui/kit/form.ts';
import { section } from '../../ui/kit/section.ts';
import { confirmed, toast } from '../../ui/toast.ts';
import type { Workspace } from '../../ui/workspace.ts';
import { mayMakeKeys } from './mail-program-part.ts';

/** The mail addresses of an account, and the addresses of its people. */

type Person = GetAccountReply['people'][number];
type Address = ListAddressesReply['settings'][number];

interface FieldText {
  id: string;
  label: string;
  type: 'email' | 'text';
  action: string;
}

/** A form of one field, which is empty again after the work. */
export const oneField = (
  { id, label, type, action }: FieldText,
  work: (value: string) => Promise<void>,
): TemplateResult =>
  lineForm(
    async (form) => {
      await work(textIn(form, id));
      form.reset();
    },
    {
      id,
      label,
      control: html`<input id=${id} name=${id} type=${type} required maxlength="254" autocapitalize="none" autocomplete="off" spellcheck="false">`,
      action,
      kind: 'claim',
    },
  );

/** Names a person of the account. */
export const personForm = (workspace: Workspace, role: 'operator' | 'recovery'): TemplateResult =>
  oneField(
    {
      id: `${role}-email`,
      label: role === 'operator' ? 'Operator’s address' : 'Recovery address',
      type: 'email',
      action: 'Save',
    },
    async (email) => {
      const { service } = workspace;
      const name = () =>
        role === 'operator' ? service.setOperatorEmail({ email }) : service.setRecoveryEmail({ email });
      await change(workspace, name, `We sent ${email} a mail. It counts once they confirm it.`);
    },
  );

/** The address that was given at sign-up stays. */
function endPerson(workspace: Workspace, { role, address }: Person): (() => Promise<void>) | null {
  if (role === 'email') return null;
  return async () => {
    const text =
      role === 'operator'
        ? 'It no longer approves for this account. For 7 days the operator can undo some removals.'
        : 'This removes every recovery address of the account, not only this one. None gets a way back in when every key is lost.';
    if (!(await confirmed(`Remove ${address}?`, text, 'Remove'))) return;
    if (role === 'operator') {
      const { status, ends_at: at } = await workspace.service.removeOperator({ address });
      toast(status === 'ended' ? 'Removed.' : `It ends on ${fullTime(at)}, unless the operator undoes that.`);
    } else {
      await workspace.service.setRecoveryEmail({ email: null });
      toast('The removal is asked for. The list shows when it ends.');
    }
    await workspace.refresh();
  };
}

export const PEOPLE = { email: 'Account address', recovery: 'Recovery address', operator: 'Operator' };

function personRow(workspace: Workspace, person: Person): TemplateResult {
  const { role, address, confirmed: isConfirmed, removal_due_at: endsAt } = person;
  const end = endsAt === null ? endPerson(workspace, person) : null;
  return html`
    <li class="entry">
      <span class="badge ${isConfirmed ? 'good' : 'warn'}">${isConfirmed ? 'Confirmed' : 'not confirmed'}</span>
      <span class="entry-text">${address}
        <span class="fine">${PEOPLE[role]}${endsAt === null ? nothing : html` · ends ${time(endsAt)}`}</span></span>
      ${end === null ? nothing : rowAction('Remove', address, end)}
    </li>`;
}

export function peopleSection(workspace: Workspace): TemplateResult {
  const { people } = workspace.account;
  return section(
    'people',
    'People',
    html`
      <p class="intro">Who may log in, and who is the operator. A new address counts once its owner confirms it.</p>
      ${entryList(people, 'No address of a person is named.', (one) => personRow(workspace, one))}
      <div class="columns">
        <div class="sheet">${personForm(workspace, 'operator')}</div>
        <div class="sheet">${personForm(workspace, 'recovery')}</div>
      </div>`,
    { kind: '' },
  );
}

function addressRow(workspace: Workspace, { address, display_name: name }: Address, n: number): TemplateResult {
  const release = async (): Promise<void> => {
    const text =
      'It takes no more mail. Nobody else ever gets it. Claim it again within 30 days to get its mail back; after that the mail is deleted.';
    if (!(await confirmed(`Release ${address}?`, text, 'Release', address))) return;
    await change(workspace, () => workspace.service.releaseAddress({ address }), `You released ${address}.`);
  };
  const rename = (form: HTMLFormElement): Promise<void> => {
    const wanted = { address, display_name: textIn(form, 'display-name') || null };
    return change(workspace, () => workspace.service.updateAddress(wanted), 'Saved.');
  };
  const id = `display-name-${n}`;
  return html`
    <li class="entry">
      <span class="badge good">Claimed</span>
      <div class="entry-text">
        <span class="mono">${address}</span>
        <details><summary class="fine">${name ?? 'No display name'} · Edit</summary>
          ${lineForm(rename, {
            id,
            label: 'Display name',
            control: html`<input id=${id} name="display-name" maxlength="64" autocomplete="off" .value=${name ?? ''}>`,
            action: 'Save',
          })}
        </details>
      </div>
      ${mayMakeKeys(workspace) ? html`<a class="button quiet" href=${workspace.link('settings', 'program', address)}>Use a mail program<span class="visually-hidden"> ${address}</span></a>` : nothing}
      ${rowAction('Release', address, release)}
    </li>`;
}

export const addressSection = (workspace: Workspace, addresses: readonly Address[]): TemplateResult =>
  section(
    'own-addresses',
    'Mail addresses',
    entryList(addresses, 'No address is claimed.', (one, n) => addressRow(workspace, one, n)),
    { kind: '' },
  );

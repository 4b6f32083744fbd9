import { html, nothing, type TemplateResult } from 'lit-html';
import type { GetAccountReply, ListAddressesReply } from '../../../../client/generated/operations.ts';
import { fullTime, time } from '../../ui/format.ts';
import { onPress, onSubmit, textIn } from '../../ui/handlers.ts';
import { empty } from '../../ui/placeholders.ts';
import { confirmed, toast } from '../../ui/toast.ts';
import type { Workspace } from '../../ui/workspace.ts';
import { oneField } from '../home/checklist-part.ts';

/** The mail addresses of an account, and the addresses of its people. */

type Person = GetAccountReply['people'][number];
type Address = ListAddressesReply['settings'][number];

const button = (label: string, of: string, work: () => Promise<void>): TemplateResult =>
  html`<button type="button" class="button quiet" @click=${onPress(work)}>${label}<span class="visually-hidden"> ${of}</span></button>`;

/** The address that was given at sign-up stays. */
function endPerson(workspace: Workspace, { role, address }: Person): (() => Promise<void>) | null {
  if (role === 'email') return null;
  return async () => {
    const text =
      role === 'operator'
        ? 'It no longer approves for this account. For 7 days the operator can undo some removals.'
        : 'This removes every recovery address of the account, not only this one. None gets a way back in when every key is lost.';
    if (!(await confirmed({ title: `Remove ${address}?`, text, action: 'Remove' }))) return;
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
      ${end === null ? nothing : button('Remove', address, end)}
    </li>`;
}

export function peopleSection(workspace: Workspace): TemplateResult {
  const { people } = workspace.account;

  const name = (role: 'operator' | 'recovery') => async (email: string) => {
    await (role === 'operator'
      ? workspace.service.setOperatorEmail({ email })
      : workspace.service.setRecoveryEmail({ email }));
    toast(`We sent ${email} a mail. It counts once they confirm it.`);
    await workspace.refresh();
  };
  return html`
    <section aria-labelledby="people">
      <h2 id="people">People</h2>
      <p class="intro">Who may log in, and who is the operator. A new address counts once its owner confirms it.</p>
      ${people.length === 0 ? empty('No address of a person is named.') : html`<ul class="entries sheet">${people.map((one) => personRow(workspace, one))}</ul>`}
      <div class="columns">
        <div class="sheet">${oneField({ id: 'operator-email', label: 'Operator’s address', type: 'email', action: 'Save' }, name('operator'))}</div>
        <div class="sheet">${oneField({ id: 'recovery-email', label: 'Recovery address', type: 'email', action: 'Save' }, name('recovery'))}</div>
      </div>
    </section>`;
}

function addressRow(workspace: Workspace, { address, display_name: name }: Address, n: number): TemplateResult {
  const release = async (): Promise<void> => {
    if (
      !(await confirmed({
        title: `Release ${address}?`,
        text: 'It takes no more mail. Nobody else ever gets it. Claim it again within 30 days to get its mail back; after that the mail is deleted.',
        action: 'Release',
        typed: address,
      }))
    )
      return;
    await workspace.service.releaseAddress({ address });
    toast(`You released ${address}.`);
    await workspace.refresh();
  };
  const rename = async (form: HTMLFormElement): Promise<void> => {
    await workspace.service.updateAddress({ address, display_name: textIn(form, 'display-name') || null });
    toast('Saved.');
    await workspace.refresh();
  };
  const id = `display-name-${n}`;
  return html`
    <li class="entry">
      <span class="badge good">Claimed</span>
      <div class="entry-text">
        <span class="mono">${address}</span>
        <details><summary class="fine">${name ?? 'No display name'}</summary>
          <form @submit=${onSubmit(rename)}>
            <label for=${id}>Display name</label>
            <div class="joined">
              <input id=${id} name="display-name" maxlength="64" autocomplete="off" .value=${name ?? ''}>
              <button class="button">Save</button>
            </div>
            <p class="problem" role="alert"></p>
          </form>
        </details>
      </div>
      ${button('Release', address, release)}
    </li>`;
}

export const addressSection = (workspace: Workspace, addresses: readonly Address[]): TemplateResult => html`
  <section aria-labelledby="own-addresses">
    <h2 id="own-addresses">Mail addresses</h2>
    ${addresses.length === 0 ? empty('No address is claimed.') : html`<ul class="entries sheet">${addresses.map((one, n) => addressRow(workspace, one, n))}</ul>`}
  </section>`;

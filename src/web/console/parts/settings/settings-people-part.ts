import { html, nothing, type TemplateResult } from 'lit-html';
import type { GetAccountReply, ListAddressesReply } from '../../../../client/generated/operations.ts';
import { fill, fullTime, time } from '../../ui/format.ts';
import { field, pressing, submitting } from '../../ui/handlers.ts';
import { empty } from '../../ui/placeholders.ts';
import { confirmed, say } from '../../ui/toast.ts';
import type { Desk } from '../../ui/workspace.ts';
import { words } from '../../words/console-words.ts';
import { oneField } from '../home/checklist-part.ts';

/** The mail addresses of an account, and the addresses of its people. */

type Person = GetAccountReply['people'][number];
type Address = ListAddressesReply['settings'][number];

const button = (label: string, of: string, work: () => Promise<void>): TemplateResult =>
  html`<button type="button" class="button quiet" @click=${pressing(work)}>${label}<span class="visually-hidden"> ${of}</span></button>`;

/** The address that was given at sign-up stays. */
function endPerson(desk: Desk, { role, address }: Person): (() => Promise<void>) | null {
  const { endOperatorWhy, endRecoveryWhy, endPersonAsk, endPerson: action } = words.settings;
  if (role === 'email') return null;
  return async () => {
    const text = role === 'operator' ? endOperatorWhy : endRecoveryWhy;
    if (!(await confirmed({ title: fill(endPersonAsk, { address }), text, action }))) return;
    if (role === 'operator') {
      const { status, ends_at: at } = await desk.service.removeOperator({ address });
      say(status === 'ended' ? words.settings.endedPerson : fill(words.settings.endsPerson, { date: fullTime(at) }));
    } else {
      await desk.service.setRecoveryEmail({ email: null });
      say(words.settings.askedEnd);
    }
    await desk.refresh();
  };
}

function personRow(desk: Desk, person: Person): TemplateResult {
  const { role, address, confirmed: isConfirmed, removal_due_at: endsAt } = person;
  const end = endsAt === null ? endPerson(desk, person) : null;
  return html`
    <li class="entry">
      <span class="badge ${isConfirmed ? 'good' : 'warn'}">${isConfirmed ? words.settings.confirmed : words.overview.unconfirmed}</span>
      <span class="entry-text">${address}
        <span class="fine">${words.overview.people[role]}${endsAt === null ? nothing : html` · ${words.settings.ends} ${time(endsAt)}`}</span></span>
      ${end === null ? nothing : button(words.settings.endPerson, address, end)}
    </li>`;
}

export function peopleSection(desk: Desk): TemplateResult {
  const { people } = desk.account;
  const { operatorEmail, recoveryEmail, save, asked } = words.overview;
  const name = (role: 'operator' | 'recovery') => async (email: string) => {
    await (role === 'operator' ? desk.service.setOperatorEmail({ email }) : desk.service.setRecoveryEmail({ email }));
    say(fill(asked, { email }));
    await desk.refresh();
  };
  return html`
    <section aria-labelledby="people">
      <h2 id="people">${words.settings.people}</h2>
      <p class="intro">${words.settings.peopleIntro}</p>
      ${people.length === 0 ? empty(words.settings.nobody) : html`<ul class="entries sheet">${people.map((one) => personRow(desk, one))}</ul>`}
      <div class="columns">
        <div class="sheet">${oneField({ id: 'operator-email', label: operatorEmail, type: 'email', action: save }, name('operator'))}</div>
        <div class="sheet">${oneField({ id: 'recovery-email', label: recoveryEmail, type: 'email', action: save }, name('recovery'))}</div>
      </div>
    </section>`;
}

function addressRow(desk: Desk, { address, display_name: name }: Address, n: number): TemplateResult {
  const release = async (): Promise<void> => {
    const { releaseAsk, releaseWhy: text, release: action } = words.settings;
    if (!(await confirmed({ title: fill(releaseAsk, { address }), text, action, typed: address }))) return;
    await desk.service.releaseAddress({ address });
    say(fill(words.settings.released, { address }));
    await desk.refresh();
  };
  const rename = async (form: HTMLFormElement): Promise<void> => {
    await desk.service.updateAddress({ address, display_name: field(form, 'display-name') || null });
    say(words.settings.renamed);
    await desk.refresh();
  };
  const id = `display-name-${n}`;
  return html`
    <li class="entry">
      <span class="badge good">${words.settings.claimed}</span>
      <div class="entry-text">
        <span class="mono">${address}</span>
        <details><summary class="fine">${name ?? words.settings.noName}</summary>
          <form @submit=${submitting(rename)}>
            <label for=${id}>${words.settings.displayName}</label>
            <div class="joined">
              <input id=${id} name="display-name" maxlength="64" autocomplete="off" .value=${name ?? ''}>
              <button class="button">${words.overview.save}</button>
            </div>
            <p class="problem" role="alert"></p>
          </form>
        </details>
      </div>
      ${button(words.settings.release, address, release)}
    </li>`;
}

export const addressSection = (desk: Desk, addresses: readonly Address[]): TemplateResult => html`
  <section aria-labelledby="own-addresses">
    <h2 id="own-addresses">${words.settings.addresses}</h2>
    ${addresses.length === 0 ? empty(words.settings.noAddress) : html`<ul class="entries sheet">${addresses.map((one, n) => addressRow(desk, one, n))}</ul>`}
  </section>`;

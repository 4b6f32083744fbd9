import { html, nothing, type TemplateResult } from 'lit-html';
import { systemNow } from '../../../../client/client-clock.ts';
import { decided } from '../../ui/decide.ts';
import { field, submitting } from '../../ui/handlers.ts';
import { say } from '../../ui/toast.ts';
import type { Desk } from '../../ui/workspace.ts';
import { words } from '../../words/console-words.ts';

/** The form that lets another account act for this one. */

type Scope = keyof typeof words.namedKeys.scopes;

const DAY_MS = 86_400_000;
const DAYS = ['1', '7', '30', '365'] as const;

/** Scopes that make sense to pass on, in the order of the form. */
const SCOPES = Object.keys(words.namedKeys.scopes) as Scope[];

async function delegate(desk: Desk, form: HTMLFormElement): Promise<void> {
  const scopes = new FormData(form).getAll('scope').map(String) as Scope[];
  if (scopes.length === 0) throw new Error(words.namedKeys.chooseOne);
  const typed = field(form, 'budget').replace(',', '.');
  const wanted = {
    to: field(form, 'to'),
    scopes,
    expires_at: new Date(systemNow() + Number(field(form, 'days')) * DAY_MS).toISOString(),
    ...(typed === '' ? {} : { budget_usdc: typed.includes('.') ? typed : `${typed}.00` }),
    may_delegate: field(form, 'passes') === 'on' ? 1 : 0,
  };
  await decided(desk, desk.account.id, (service) => service.createDelegation(wanted));
  form.reset();
  say(words.identity.delegatedNow);
  await desk.refresh();
}

export function delegationForm(desk: Desk): TemplateResult | typeof nothing {
  const { identity, namedKeys } = words;
  if (!desk.account.scopes.includes('identity:issue')) return nothing;
  return html`
    <details class="sheet">
      <summary>${identity.delegate}</summary>
      <p class="fine">${identity.delegateWhy}</p>
      <form class="stack" id="delegate" @submit=${submitting((form) => delegate(desk, form))}>
        <div class="pair">
          <div class="field"><label for="delegate-to">${identity.delegateTo}</label>
            <input id="delegate-to" name="to" class="mono" required autocomplete="off" spellcheck="false" placeholder="acc_…"></div>
          <div class="field"><label for="delegate-budget">${identity.delegateBudget}</label>
            <input id="delegate-budget" name="budget" inputmode="decimal" autocomplete="off"></div>
        </div>
        <fieldset>
          <legend>${namedKeys.may}</legend>
          <div class="scopes">
            ${SCOPES.filter((scope) => desk.account.scopes.includes(scope)).map((scope) => html`<label class="check"><input type="checkbox" name="scope" value=${scope}> ${namedKeys.scopes[scope]}</label>`)}
          </div>
        </fieldset>
        <div class="field narrow"><label for="delegate-days">${namedKeys.expiry}</label>
          <select id="delegate-days" name="days">${DAYS.map((days) => html`<option value=${days} ?selected=${days === '7'}>${identity.inDays[days]}</option>`)}</select></div>
        <label class="check"><input type="checkbox" name="passes"> ${identity.mayPass}</label>
        <p class="problem" role="alert"></p>
        <p class="actions"><button class="button primary">${identity.delegate}</button></p>
      </form>
    </details>`;
}

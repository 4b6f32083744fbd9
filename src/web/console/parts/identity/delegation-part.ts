import { html, nothing, type TemplateResult } from 'lit-html';
import { systemNow } from '../../../../client/client-clock.ts';
import { decided } from '../../ui/decide.ts';
import { onSubmit, textIn } from '../../ui/handlers.ts';
import { toast } from '../../ui/toast.ts';
import type { Workspace } from '../../ui/workspace.ts';
import { SCOPE_LABELS, type Scope } from '../keys/scope-labels.ts';

/** The form that lets another account act for this one. */

const DAY_MS = 86_400_000;
const DAYS = ['1', '7', '30', '365'] as const;

/** Scopes that make sense to pass on, in the order of the form. */
const SCOPES = Object.keys(SCOPE_LABELS) as Scope[];

async function delegate(workspace: Workspace, form: HTMLFormElement): Promise<void> {
  const scopes = new FormData(form).getAll('scope').map(String) as Scope[];
  if (scopes.length === 0) throw new Error('Choose at least one permission.');
  const typed = textIn(form, 'budget').replace(',', '.');
  const wanted = {
    to: textIn(form, 'to'),
    scopes,
    expires_at: new Date(systemNow() + Number(textIn(form, 'days')) * DAY_MS).toISOString(),
    ...(typed === '' ? {} : { budget_usdc: typed.includes('.') ? typed : `${typed}.00` }),
    may_delegate: textIn(form, 'passes') === 'on' ? 1 : 0,
  };
  await decided(workspace, workspace.account.id, (service) => service.createDelegation(wanted));
  form.reset();
  toast('Delegated.');
  await workspace.refresh();
}

const IN_DAYS = { '1': 'In a day', '7': 'In 7 days', '30': 'In 30 days', '365': 'In a year' };

export function delegationForm(workspace: Workspace): TemplateResult | typeof nothing {
  if (!workspace.account.scopes.includes('identity:issue')) return nothing;
  return html`
    <details class="sheet">
      <summary>Let another account act for this one</summary>
      <p class="fine">It gets short-lived tokens for what you choose, until you end it. Your keys stay with you.</p>
      <form class="stack" id="delegate" @submit=${onSubmit((form) => delegate(workspace, form))}>
        <div class="pair">
          <div class="field"><label for="delegate-to">Account id</label>
            <input id="delegate-to" name="to" class="mono" required autocomplete="off" spellcheck="false" placeholder="acc_…"></div>
          <div class="field"><label for="delegate-budget">May spend, in USDC (empty for no limit of its own)</label>
            <input id="delegate-budget" name="budget" inputmode="decimal" autocomplete="off"></div>
        </div>
        <fieldset>
          <legend>What it may do</legend>
          <div class="scopes">
            ${SCOPES.filter((scope) => workspace.account.scopes.includes(scope)).map((scope) => html`<label class="check"><input type="checkbox" name="scope" value=${scope}> ${SCOPE_LABELS[scope]}</label>`)}
          </div>
        </fieldset>
        <div class="field narrow"><label for="delegate-days">Expires</label>
          <select id="delegate-days" name="days">${DAYS.map((days) => html`<option value=${days} ?selected=${days === '7'}>${IN_DAYS[days]}</option>`)}</select></div>
        <label class="check"><input type="checkbox" name="passes"> It may pass this on once</label>
        <p class="problem" role="alert"></p>
        <p class="actions"><button class="button primary">Let another account act for this one</button></p>
      </form>
    </details>`;
}

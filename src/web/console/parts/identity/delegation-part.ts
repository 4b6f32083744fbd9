import { html, nothing, type TemplateResult } from 'lit-html';
import { systemNow } from '../../../../client/client-clock.ts';
import { decided } from '../../ui/decide.ts';
import { chosenIn, field, form, options, textIn, usdcIn } from '../../ui/kit/form.ts';
import { toast } from '../../ui/toast.ts';
import type { Workspace } from '../../ui/workspace.ts';
import { SCOPE_LABELS, type Scope } from '../keys/scope-labels.ts';

/** The form that lets another account act for this one. */

const DAY_MS = 86_400_000;

/** Scopes that make sense to pass on, in the order of the form. */
const SCOPES = Object.keys(SCOPE_LABELS) as Scope[];

const IN_DAYS = { '1': 'In a day', '7': 'In 7 days', '30': 'In 30 days', '365': 'In a year' };

async function delegate(workspace: Workspace, of: HTMLFormElement): Promise<void> {
  const scopes = chosenIn(of, 'scope') as Scope[];
  if (scopes.length === 0) throw new Error('Choose at least one permission.');
  const budget = usdcIn(of, 'budget');
  const wanted = {
    to: textIn(of, 'to'),
    scopes,
    expires_at: new Date(systemNow() + Number(textIn(of, 'days')) * DAY_MS).toISOString(),
    budget_usdc: budget ?? undefined,
    may_delegate: textIn(of, 'passes') === 'on' ? 1 : 0,
  };
  await decided(workspace, workspace.account.id, (service) => service.createDelegation(wanted));
  of.reset();
  toast('Delegated.');
  await workspace.refresh();
}

export function delegationForm(workspace: Workspace): TemplateResult | typeof nothing {
  if (!workspace.account.scopes.includes('identity:issue')) return nothing;
  const fields = html`
    <div class="pair">
      ${field('delegate-to', 'Account id', html`<input id="delegate-to" name="to" class="mono" required autocomplete="off" spellcheck="false" placeholder="acc_…">`)}
      ${field('delegate-budget', 'May spend, in USDC (empty for no limit of its own)', html`<input id="delegate-budget" name="budget" inputmode="decimal" autocomplete="off">`)}
    </div>
    <fieldset>
      <legend>What it may do</legend>
      <div class="scopes">
        ${SCOPES.filter((scope) => workspace.account.scopes.includes(scope)).map((scope) => html`<label class="check"><input type="checkbox" name="scope" value=${scope}> ${SCOPE_LABELS[scope]}</label>`)}
      </div>
    </fieldset>
    ${field('delegate-days', 'Expires', html`<select id="delegate-days" name="days">${options(IN_DAYS, '7')}</select>`, undefined, 'narrow')}
    <label class="check"><input type="checkbox" name="passes"> It may pass this on once</label>`;
  const title = 'Let another account act for this one';
  return html`
    <details class="sheet">
      <summary>${title}</summary>
      <p class="fine">It gets short-lived tokens for what you choose, until you end it. Your keys stay with you.</p>
      ${form({ id: 'delegate', kind: 'stack' }, (of) => delegate(workspace, of), fields, title)}
    </details>`;
}

import { html, nothing, type TemplateResult } from 'lit-html';
import type { SignetEvent } from '../client/methods.ts';
import type { GetBudgetReply } from '../client/operations.ts';
import { field, pressing, submitting } from './act.ts';
import { bar } from './bar-part.ts';
import { type Approval, askerOf } from './charge-part.ts';
import { decided } from './decide.ts';
import type { Desk, Page, View } from './desk.ts';
import { fill, time, usdc } from './format.ts';
import { approvalNeed } from './need-part.ts';
import { download, say } from './notice.ts';
import { type Payments, paymentSection } from './payments-part.ts';
import { allOf } from './service.ts';
import { type Charge, categoryList, csvOf, dayChart } from './spend-part.ts';
import { empty } from './states.ts';
import { words } from './words.ts';

/** Money of an agent: its caps, what waits, what it spent. */

const CHARGES_MAX = 100;
const PERIODS = ['daily', 'weekly', 'monthly'] as const;

interface Known {
  budget: GetBudgetReply;
  charges: Charge[];
  approvals: Approval[];
  payments: Payments;
}

/** The category that is shown; empty for all. */
let chosen = '';

async function read({ service }: Desk): Promise<Known> {
  const [budget, history, approvals, payments] = await Promise.all([
    service.getBudget({}),
    service.getBudgetHistory({ limit: CHARGES_MAX }),
    allOf(service.paginate('listApprovals', { status: 'pending' })),
    service.listPayments({}),
  ]);
  return { budget, charges: history.entries, approvals, payments };
}

const inUsdc = (atomic: number | undefined): string => (atomic === undefined ? '' : String(atomic / 1_000_000));

/** A cap as the API takes it: an amount with a point is USDC, a number without is atomic. */
const amountOf = (form: HTMLFormElement, name: string): string | null => {
  const typed = field(form, name).replace(',', '.');
  return typed === '' ? null : typed.includes('.') ? typed : `${typed}.00`;
};

function capForm(desk: Desk, { caps, settings }: GetBudgetReply): TemplateResult {
  const save = async (form: HTMLFormElement): Promise<void> => {
    const onLimit = field(form, 'on-limit') === 'approve' ? 'approve' : 'reject';
    const wanted = {
      caps: Object.fromEntries(PERIODS.map((period) => [period, amountOf(form, period)])),
      on_limit: onLimit,
    } as const;
    await decided(desk, desk.account.id, (service) => service.setBudget(wanted));
    say(words.money.saved);
    await desk.refresh();
  };
  return html`
    <form @submit=${submitting(save)}>
      <p class="fine">${words.money.capsWhy}</p>
      ${PERIODS.map(
        (period) => html`
          <div class="field">
            <label for="cap-${period}">${words.money.periods[period]}</label>
            <input id="cap-${period}" name=${period} inputmode="decimal" autocomplete="off" value=${inUsdc(caps[period]?.limit_usdc)}>
          </div>`,
      )}
      <div class="field">
        <label for="on-limit">${words.money.onLimit}</label>
        <select id="on-limit" name="on-limit">
          ${(['reject', 'approve'] as const).map((one) => html`<option value=${one} ?selected=${one === settings.on_limit}>${words.money.onLimits[one]}</option>`)}
        </select>
      </div>
      <p class="problem" role="alert"></p>
      <p class="actions"><button class="button" id="save-caps">${words.money.save}</button></p>
    </form>`;
}

const capBars = ({ caps }: GetBudgetReply): TemplateResult[] =>
  PERIODS.flatMap((period) => {
    const cap = caps[period];
    if (cap === null) return [];
    const text = fill(words.money.used, { used: usdc(cap.spent_usdc), limit: usdc(cap.limit_usdc) });
    const left = fill(words.money.left, { left: usdc(cap.remaining_usdc) });
    return [bar(words.money.periods[period], cap.spent_usdc, cap.limit_usdc, text, left)];
  });

function ledger(desk: Desk, charges: readonly Charge[]): TemplateResult {
  const names = [...new Set(charges.map((one) => one.category))].sort();
  // Another account may have no such category.
  const category = names.includes(chosen) ? chosen : '';
  const shown = charges.filter((one) => category === '' || one.category === category);
  const choose = (event: Event): void => {
    chosen = (event.target as HTMLSelectElement).value;
    desk.repaint();
  };
  const save = async (): Promise<void> => {
    const wanted = { limit: CHARGES_MAX, ...(category === '' ? {} : { category }) };
    download(csvOf(await allOf(desk.service.paginate('getBudgetHistory', wanted))), 'charges.csv');
  };
  const [, amountLabel = '', categoryLabel = '', forLabel = ''] = words.money.columns;
  return html`
    <section aria-labelledby="ledger">
      <div class="heading">
        <h2 id="ledger">${words.money.ledger}</h2>
        <p class="actions">
          <select aria-label=${words.money.category} @change=${choose}>
            <option value="">${words.money.allCategories}</option>
            ${names.map((name) => html`<option value=${name} ?selected=${name === category}>${name}</option>`)}
          </select>
          <button type="button" class="button" id="csv" @click=${pressing(save)}>${words.money.csv}</button>
        </p>
      </div>
      <table class="sheet">
        <thead><tr>${words.money.columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
        <tbody>
          ${shown.map(
            (one) => html`
              <tr>
                <th scope="row">${time(one.timestamp)}</th>
                <td data-label=${amountLabel}>${usdc(one.amount_usdc)}</td>
                <td data-label=${categoryLabel}>${one.category}</td>
                <td data-label=${forLabel}>${one.description || '–'}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </section>`;
}

async function open(desk: Desk): Promise<View> {
  let known = await read(desk);
  return {
    render() {
      const { budget, charges, approvals, payments } = known;
      const waiting = approvals.map((one) => approvalNeed(desk, askerOf(desk.account), one, budget.caps));
      return html`
        <div class="view">
          <h1>${words.money.title}</h1>
          ${waiting.length > 0 ? html`<section aria-labelledby="waiting"><h2 id="waiting">${words.money.waiting}</h2><ul class="needs">${waiting}</ul></section>` : nothing}
          <div class="columns">
            <section class="sheet" aria-labelledby="caps"><h2 id="caps">${words.money.caps}</h2>${capBars(budget)}${capForm(desk, budget)}</section>
            ${charges.length > 0 ? html`${dayChart(charges)} ${categoryList(charges)}` : nothing}
          </div>
          ${charges.length > 0 ? ledger(desk, charges) : empty(words.money.none)}
          ${paymentSection(desk, payments)}
        </div>`;
    },
    async onEvent({ type }: SignetEvent) {
      if (!/^(charge|approval|budget)\./.test(type)) return;
      known = await read(desk);
      desk.repaint();
    },
  };
}

export const moneyPage: Page = { name: 'money', title: words.money.title, scope: 'money:read', open };

import { html, nothing, type TemplateResult } from 'lit-html';
import type { ListPaymentsReply } from '../../../../client/generated/operations.ts';
import { allOf } from '../../ui/console-service.ts';
import { time, usdc } from '../../ui/format.ts';
import { onPress } from '../../ui/handlers.ts';
import { download } from '../../ui/toast.ts';
import type { Workspace } from '../../ui/workspace.ts';
import { csv } from './spend-part.ts';

/** What an agent paid the service for: its x402 payments and how each was settled. */

type Payment = ListPaymentsReply['payments'][number];

export type Payments = ListPaymentsReply;

const KIND: Record<Payment['status'], string> = { pending: 'warn', settled: 'good', failed: 'failed', verified: '' };
const PAGE = 200;

const paymentsCsv = (payments: readonly Payment[]): string =>
  csv([
    ['id', 'created_at', 'amount_usdc', 'status', 'description', 'resource', 'payer', 'transaction', 'error'],
    ...payments.map((one) => [
      ...[one.id, one.created_at, String(one.amount_usdc / 1_000_000), one.status, one.description],
      ...[one.resource, one.payer, one.transaction ?? '', one.error ?? ''],
    ]),
  ]);

const COLUMNS = ['When', 'Amount', 'For', 'Status', 'Transaction'];
const STATUS = { pending: 'Settling', settled: 'Settled', failed: 'Failed', verified: 'Not settled' };

function row({
  created_at: at,
  amount_usdc: amount,
  description,
  status,
  transaction,
  error,
}: Payment): TemplateResult {
  const [, amountLabel = '', forLabel = '', statusLabel = '', chainLabel = ''] = COLUMNS;
  return html`
    <tr>
      <th scope="row">${time(at)}</th>
      <td data-label=${amountLabel}>${usdc(amount)}</td>
      <td data-label=${forLabel}>${description}</td>
      <td data-label=${statusLabel}>
        <span class="badge ${KIND[status]}">${STATUS[status]}</span>${error === null ? nothing : html` <span class="fine">${error}</span>`}
      </td>
      <td data-label=${chainLabel} class="mono">${transaction ?? '–'}</td>
    </tr>`;
}

/** @param page the latest payments */
export function paymentSection(workspace: Workspace, page: Payments): TemplateResult | typeof nothing {
  if (page.payments.length === 0) return nothing;
  const save = async (): Promise<void> =>
    download(paymentsCsv(await allOf(workspace.service.paginate('listPayments', { limit: PAGE }))), 'payments.csv');
  return html`
    <section aria-labelledby="payments">
      <div class="heading">
        <h2 id="payments">Payments (x402)</h2>
        <button type="button" class="button" id="payments-csv" @click=${onPress(save)}>Download payments as CSV</button>
      </div>
      <p class="fine">What this agent paid this service for, beyond its limits.</p>
      <table class="sheet">
        <thead><tr>${COLUMNS.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
        <tbody>${page.payments.map(row)}</tbody>
      </table>
    </section>`;
}

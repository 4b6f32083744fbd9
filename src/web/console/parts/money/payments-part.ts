import { html, nothing, type TemplateResult } from 'lit-html';
import type { ListPaymentsReply } from '../../../../client/generated/operations.ts';
import { allOf } from '../../ui/console-service.ts';
import { time, usdc } from '../../ui/format.ts';
import { action } from '../../ui/kit/action.ts';
import { dataTable } from '../../ui/kit/data-table.ts';
import { badge, type State, section } from '../../ui/kit/section.ts';
import { download } from '../../ui/toast.ts';
import type { Workspace } from '../../ui/workspace.ts';
import { csv } from './spend-part.ts';

/** What an agent paid the service for: its x402 payments and how each was settled. */

type Payment = ListPaymentsReply['payments'][number];

export type Payments = ListPaymentsReply;

const STATUS: Readonly<Record<Payment['status'], State>> = {
  pending: ['Settling', 'warn'],
  settled: ['Settled', 'good'],
  failed: ['Failed', 'failed'],
  verified: ['Not settled', ''],
};
const PAGE = 200;

const paymentsCsv = (payments: readonly Payment[]): string =>
  csv([
    ['id', 'created_at', 'amount_usdc', 'status', 'description', 'resource', 'payer', 'transaction', 'error'],
    ...payments.map((one) => [
      ...[one.id, one.created_at, String(one.amount_usdc / 1_000_000), one.status, one.description],
      ...[one.resource, one.payer, one.transaction ?? '', one.error ?? ''],
    ]),
  ]);

const state = ({ status, error }: Payment): TemplateResult =>
  html`${badge(STATUS[status])}${error === null ? nothing : html` <span class="fine">${error}</span>`}`;

/** @param page the latest payments */
export function paymentSection(workspace: Workspace, page: Payments): TemplateResult | typeof nothing {
  if (page.payments.length === 0) return nothing;
  const save = async (): Promise<void> =>
    download(paymentsCsv(await allOf(workspace.service.paginate('listPayments', { limit: PAGE }))), 'payments.csv');
  return section(
    'payments',
    'Payments (x402)',
    html`
      <p class="fine">What this agent paid this service for, beyond its limits.</p>
      ${dataTable<Payment>(page.payments, '', [
        ['When', ({ created_at: at }) => time(at)],
        ['Amount', ({ amount_usdc: amount }) => usdc(amount)],
        ['For', ({ description }) => description],
        ['Status', state],
        ['Transaction', ({ transaction }) => transaction ?? '–', 'mono'],
      ])}`,
    { kind: '', beside: action('Download payments as CSV', save, { id: 'payments-csv' }) },
  );
}

import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { cursorParam, limitParam, named, nextCursor, nullable, oneOf, record, timestamp } from '../../../api/fields.ts';
import { money, moneyFields } from '../../../api/money-fields.ts';
import type { Principal } from '../../../api/principal.ts';
import { iso, isoOrNull } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import type { PaymentRules } from './payment.ts';
import { ASSET, NETWORK, type Payment } from './payment-table.ts';

const PaymentRecord = named(
  'Payment',
  record({
    id: Type.String(),
    status: oneOf(['pending', 'settled', 'failed', 'verified'], {
      description:
        '`pending`: delivered and not settled yet. `settled`: on the chain. `failed`: see `error`. `verified`: delivered by a development server; no money moves.',
    }),
    ...moneyFields({ amount_usdc: Type.Integer({ description: 'Atomic units.' }) }),
    network: Type.String(),
    asset: Type.String({ description: 'Contract of the token.' }),
    payer: Type.String({ description: 'Wallet that pays.' }),
    pay_to: Type.String({ description: 'Wallet that is paid.' }),
    nonce: Type.String(),
    resource: Type.String({ description: 'URL of the request that it paid for.' }),
    description: Type.String(),
    transaction: nullable(Type.String({ description: 'Hash on the chain; null before settlement.' })),
    error: nullable(Type.String({ description: 'Why it failed.' })),
    created_at: timestamp(),
    settled_at: nullable(timestamp()),
  }),
);

/** The address in the URL of a sent mail. */
const SENDER = /(\/v1\/inbox\/)([^/]+)(?=\/send$)/;

/** A credential that is limited to addresses must not read another one in the URL that was paid for. */
const shownResource = ({ addresses }: Principal, resource: string): string =>
  resource.replace(SENDER, (all: string, before: string, sender: string) =>
    (addresses?.includes(sender) ?? true) ? all : `${before}{address}`,
  );

const paymentRecord = (principal: Principal, payment: Payment) => ({
  id: payment.id,
  status: payment.status,
  ...money({ amount_usdc: payment.amountUsdc }),
  network: NETWORK,
  asset: ASSET,
  payer: payment.payer,
  pay_to: payment.payTo,
  nonce: payment.nonce,
  resource: shownResource(principal, payment.resource),
  description: payment.description,
  transaction: payment.transaction,
  error: payment.error,
  created_at: iso(payment.createdAt),
  settled_at: isoOrNull(payment.settledAt),
});

const list = (payments: PaymentRules) =>
  endpoint({
    method: 'GET',
    path: '/v1/billing/payments',
    operation: 'listPayments',
    tag: 'Usage',
    summary: 'List x402 payments, newest first',
    description: 'Each with its purchase and the state of its settlement.',
    auth: 'key',
    scope: 'money:read',
    addresses: 'filtered',
    effect: 'none',
    query: record({ limit: limitParam(50, 200), cursor: cursorParam() }),
    replies: {
      200: record({
        payments: Type.Array(PaymentRecord),
        count: Type.Integer({ description: 'Payments on this page.' }),
        next_cursor: nextCursor(),
      }),
    },
    errors: ['invalid_cursor'],
    handle: async ({ principal, query }) => {
      const page = { cursor: query.cursor, limit: query.limit as number };
      const { rows: found, nextCursor: next } = await payments.list(principal.accountId, page);
      return reply(200, {
        payments: found.map((payment) => paymentRecord(principal, payment)),
        count: found.length,
        next_cursor: next,
      });
    },
  });

export const paymentRoutes = (payments: PaymentRules): Endpoint[] => [list(payments)];

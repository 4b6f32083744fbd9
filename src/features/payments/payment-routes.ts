import { Type } from 'typebox';
import { iso, isoOrNull } from '../../kernel/clock.ts';
import { type Endpoint, endpoint, reply } from '../../kernel/endpoint.ts';
import { cursorParam, limitParam, named, nextCursor, nullable, oneOf, record, timestamp } from '../../kernel/fields.ts';
import { ASSET, NETWORK, type Payment } from './payment-data.ts';
import type { PaymentRules } from './payment-rules.ts';

const PaymentRecord = named(
  'Payment',
  record({
    id: Type.String(),
    status: oneOf(['pending', 'settled', 'failed', 'verified'], {
      description:
        '`pending`: delivered, settlement under way. `settled`: on the chain. `failed`: `error` says why. `verified`: a development server delivered and moves no money.',
    }),
    amount_usdc: Type.Integer({ description: 'Atomic units.' }),
    network: Type.String(),
    asset: Type.String(),
    payer: Type.String(),
    pay_to: Type.String(),
    nonce: Type.String(),
    resource: Type.String(),
    description: Type.String(),
    transaction: nullable(Type.String({ description: 'Hash on the chain.' })),
    error: nullable(Type.String()),
    created_at: timestamp(),
    settled_at: nullable(timestamp()),
  }),
);

const paymentRecord = ({ authorization, ...payment }: Payment) => ({
  id: payment.id,
  status: payment.status,
  amount_usdc: Number(authorization.value),
  network: NETWORK,
  asset: ASSET,
  payer: authorization.from,
  pay_to: authorization.to,
  nonce: authorization.nonce,
  resource: payment.resource,
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
    summary: 'What this account paid by x402, newest first',
    auth: 'key',
    effect: 'none',
    query: record({ limit: limitParam(50, 200), cursor: cursorParam() }),
    replies: { 200: record({ payments: Type.Array(PaymentRecord), count: Type.Integer(), next_cursor: nextCursor() }) },
    errors: ['invalid_cursor'],
    handle: async ({ principal, query }) => {
      const page = await payments.list(principal.accountId, query.cursor, query.limit as number);
      const { payments: found, nextCursor: next } = page;
      return reply(200, { payments: found.map(paymentRecord), count: found.length, next_cursor: next });
    },
  });

export const paymentRoutes = (payments: PaymentRules): Endpoint[] => [list(payments)];

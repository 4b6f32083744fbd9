import { named, nullable, oneOf, record, text, timestamp } from '../../../api/fields.ts';
import { amountField, money, moneyFields } from '../../../api/money-fields.ts';
import { SCOPE_NAMES } from '../../../api/scopes.ts';
import { iso } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import { DELEGATION_STATUSES, DEPTH_MAX, type Delegation, type DelegationStatus } from './delegation-table.ts';

const Scopes = Type.Array(named('Scope', oneOf(SCOPE_NAMES)), { minItems: 1, uniqueItems: true });
export const BUDGET_RANGE = { minimum: 0, maximum: 1_000_000_000_000_000 };

export const DelegationBody = record({
  to: text(64, { description: 'The account id of the delegate.', examples: ['acc_01kabcdefghjkmnpqrstvwxyz0'] }),
  scopes: Scopes,
  audience: Type.Optional(text(2048, { minLength: 1, description: 'The service it is for. Default: this one.' })),
  budget_usdc: Type.Optional(
    amountField(BUDGET_RANGE, { description: 'How much it may ever spend: atomic USDC, or USDC as in `"3.00"`.' }),
  ),
  expires_at: timestamp(),
  may_delegate: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: DEPTH_MAX,
      default: 0,
      description: 'How many times it may be passed on, one after the other.',
    }),
  ),
});

export const DelegationView = named(
  'Delegation',
  record({
    id: Type.String(),
    account_id: Type.String({ description: 'The account whose authority it is.' }),
    from: Type.String({ description: 'The account that made it.' }),
    to: Type.String({ description: 'The delegate.' }),
    scopes: Scopes,
    addresses: nullable(Type.Array(Type.String()), { description: 'Null: every address of the account.' }),
    audience: nullable(Type.String()),
    ...moneyFields({ budget_usdc: nullable(Type.Integer()), spent_usdc: Type.Integer() }),
    may_delegate: Type.Integer(),
    created_at: timestamp(),
    expires_at: timestamp(),
    status: oneOf(DELEGATION_STATUSES),
  }),
);

/** A delegation in the names of the API. */
export const delegationBody = (delegation: Delegation, status: DelegationStatus) => ({
  id: delegation.id,
  account_id: delegation.accountId,
  from: delegation.fromId,
  to: delegation.toId,
  scopes: delegation.scopes,
  addresses: delegation.addresses,
  audience: delegation.audience,
  ...money({ budget_usdc: delegation.budgetUsdc, spent_usdc: delegation.spentUsdc }),
  may_delegate: delegation.mayDelegate,
  created_at: iso(delegation.createdAt),
  expires_at: iso(delegation.expiresAt),
  status,
});

import type { Scope } from '../../../api/scopes.ts';
import { column, exported, type RecordOf } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';

/** Authority over an account that another account has for a while. */
export const DELEGATIONS = table(
  'delegations',
  {
    id: exported.text('id'),
    /** Whose authority it is: the account that all calls act on. */
    accountId: exported.text('account_id'),
    /** The account that made it: the same, or a delegate that passed it on. */
    fromId: exported.text('from_id'),
    /** The delegate. */
    toId: exported.text('to_id'),
    rootId: exported.text('root_id'),
    /** The ids of all delegations from the first one to this one, separated by slashes. */
    path: exported.text('path'),
    scopes: exported.json<Scope[]>()('scopes'),
    /** The addresses that the named key which made it was limited to. Null: every address. */
    addresses: exported.json<string[]>()('addresses').orNull(),
    /** Null: this service. */
    audience: exported.text('audience').orNull(),
    /** How much it may ever spend, in atomic USDC. Null: whatever the account’s budget allows. */
    budgetUsdc: exported.integer('budget_usdc').orNull(),
    /** What it spent, with all that was passed on from it. */
    spentUsdc: exported.integer('spent_usdc'),
    /** How many times it may still be passed on, one after the other. */
    mayDelegate: exported.integer('may_delegate'),
    /** The named key that made it. It ends with that key. */
    keyId: exported.text('key_id').orNull(),
    /** The accounts whose operator made it. */
    operatedBy: exported.json<readonly string[]>()('operated_by'),
    createdAt: exported.integer('created_at'),
    expiresAt: exported.integer('expires_at'),
    endedAt: exported.integer('ended_at').orNull(),
  },
  { key: ['id'], account: ['accountId', 'fromId', 'toId'], erase: 'delete' },
);
export type Delegation = RecordOf<typeof DELEGATIONS>;

/** Who may know of a delegation: whose authority it is, who made it, and who holds it. */
export const DELEGATION_PARTIES = table(
  'delegation_parties',
  {
    accountId: column.text('account_id'),
    delegationId: column.text('delegation_id'),
  },
  {
    key: ['accountId', 'delegationId'],
    account: [
      { field: 'delegationId', of: DELEGATIONS, account: 'accountId' },
      { field: 'delegationId', of: DELEGATIONS, account: 'fromId' },
      { field: 'delegationId', of: DELEGATIONS, account: 'toId' },
      'accountId',
    ],
    erase: 'delete',
  },
);

/** The most times that a delegation may be passed on, one after the other. */
export const DEPTH_MAX = 3;

export const DELEGATION_STATUSES = ['active', 'expired', 'revoked'] as const;
export type DelegationStatus = (typeof DELEGATION_STATUSES)[number];

/** A token with which a delegate acts. */
export const ACCESS_TOKENS = table(
  'access_tokens',
  {
    /** SHA-256 of the token. The token itself is not stored. */
    hash: column.text('hash'),
    prefix: column.text('prefix'),
    /** The account that it acts on. */
    accountId: column.text('account_id'),
    /** The delegate that got it. */
    actorId: column.text('actor_id'),
    /** The path of the delegation that it was got for. */
    path: column.text('path'),
    scopes: column.json<Scope[]>()('scopes'),
    /** The delegate’s named key that got it. It ends with that key. */
    keyId: column.text('key_id').orNull(),
    /** The key that it is bound to (RFC 9449 6). Null: to none. */
    cnf: column.text('cnf').orNull(),
    createdAt: column.integer('created_at'),
    expiresAt: column.integer('expires_at'),
  },
  { key: ['hash'], account: ['accountId', 'actorId'], erase: 'delete' },
);
export type AccessToken = RecordOf<typeof ACCESS_TOKENS>;

/** What an access token opens now. */
export interface Access extends AccessToken {
  /** The delegations from the first one to the one that it was got for. All stand. */
  chain: Delegation[];
  /** The accounts that act: the holder first, then those that passed the delegation on. */
  actors: string[];
}

/** What is delegated, as asked for. */
export interface DelegationRequest {
  toId: string;
  scopes: readonly Scope[];
  audience: string | null;
  budgetUsdc: number | null;
  expiresAt: number;
  mayDelegate: number;
}

/** A token request as sent (RFC 8693 2.1). */
export interface ExchangeRequest {
  subjectToken: string;
  /** Separated by spaces. Undefined: all of the delegation. */
  scope: string | undefined;
  audience: string | undefined;
}

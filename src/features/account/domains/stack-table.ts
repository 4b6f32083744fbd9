import type { SealedColumn } from '../../../base/sealing.ts';
import { column, exported, type RecordOf } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';

/** What each DNS record of a domain is for. */
export const PURPOSES = ['ownership', 'mx', 'spf', 'dkim', 'dmarc'] as const;
export type Purpose = (typeof PURPOSES)[number];

/**
 * The result of checking one DNS record. `different`: a record of that kind exists with another value. `unreachable`:
 * the DNS did not answer.
 */
export const RECORD_STATUSES = ['unchecked', 'found', 'missing', 'different', 'unreachable'] as const;
export interface RecordCheck {
  status: (typeof RECORD_STATUSES)[number];
  /** The records of that kind that the DNS returned. */
  found: string[];
}

export const STATUSES = ['provisioning', 'active', 'failed'] as const;
export type StackStatus = (typeof STATUSES)[number];

export const STACK_DKIM_KEY: SealedColumn = {
  purpose: 'dkim-key',
  table: 'stacks',
  column: 'dkim_private_key',
  id: 'id',
};

/** Domains that accounts set up for their own mail. */
export const STACKS = table(
  'stacks',
  {
    id: exported.text('id'),
    accountId: exported.text('account_id'),
    /** A-labels, lower case. */
    domain: exported.text('domain'),
    status: exported.enum<StackStatus>()('status'),
    /** The value of the ownership record. */
    token: column.text('token'),
    dkimSelector: exported.text('dkim_selector'),
    /** PEM, sealed. */
    dkimPrivateKey: column.sealed('dkim_private_key'),
    /** The `p=` tag of the DKIM record (RFC 6376 3.6.1). */
    dkimPublicKey: exported.text('dkim_public_key'),
    /** Results of the latest check; null before the first one. */
    findings: exported.json<Record<Purpose, RecordCheck>>()('findings').orNull(),
    nameservers: exported.json<string[]>()('nameservers'),
    checkedAt: exported.integer('checked_at').orNull(),
    verifiedAt: exported.integer('verified_at').orNull(),
    createdAt: exported.integer('created_at'),
  },
  {
    key: ['id'],
    account: ['accountId'],
    erase: 'delete',
    page: ['id'],
    search: [
      {
        kind: 'domain',
        by: 'accountId',
        order: 'id',
        texts: ['domain'],
        reads: ['createdAt'],
        shown: ({ id, domain, createdAt }) => ({ id, title: domain, at: createdAt, place: ['domains'] }),
      },
    ],
  },
);
export type Stack = RecordOf<typeof STACKS>;

/** The stack that each verified domain belongs to. */
export const VERIFIED_DOMAINS = table(
  'verified_domains',
  {
    domain: column.text('domain'),
    accountId: column.text('account_id'),
    stackId: column.text('stack_id'),
    /** The ownership token of that stack. */
    token: column.text('token'),
  },
  { key: ['domain'], account: ['accountId'], erase: 'delete' },
);

import { column, exported, type RecordOf } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';

/** What happens to incoming mail that a rule is about. */
export const INBOUND_ANSWERS = ['accept', 'quarantine', 'reject'] as const;
export type InboundAnswer = (typeof INBOUND_ANSWERS)[number];
export const HOLDS = ['never', 'first_contact', 'after_suspicious', 'always'] as const;
export type Hold = (typeof HOLDS)[number];
export const SECRET_ANSWERS = ['accept', 'hold', 'reject'] as const;
/** What becomes of mail to recipients that `to` does not name. */
export const OTHERWISE = ['refuse', 'review'] as const;

/** Which mail an address takes. Lists hold addresses, domains and `*.domain` in the form of {@link listEntry}. */
export interface InboundPolicy {
  from: 'open' | 'list';
  allow: string[];
  block: string[];
  /** Mail whose From address is not proven. */
  unauthenticated: InboundAnswer;
  suspicious: Exclude<InboundAnswer, 'reject'>;
  dangerous: InboundAnswer;
}

/** Whom an address may write to, and which of its mail a person sees first. */
export interface OutboundPolicy {
  to: 'open' | 'list' | 'known';
  otherwise: (typeof OTHERWISE)[number];
  allow: string[];
  block: string[];
  hold: Hold;
  secrets: (typeof SECRET_ANSWERS)[number];
  /** Null: no limit but that of the account. */
  maxRecipientsPerDay: number | null;
}

export interface MailPolicy {
  inbound: InboundPolicy;
  outbound: OutboundPolicy;
}

/** A policy of which some fields are set. The others come from the account's policy, or are the default. */
export interface PolicyChange {
  inbound: Partial<InboundPolicy>;
  outbound: Partial<OutboundPolicy>;
}

export const OPEN_POLICY: MailPolicy = {
  inbound: {
    from: 'open',
    allow: [],
    block: [],
    unauthenticated: 'accept',
    suspicious: 'accept',
    dangerous: 'accept',
  },
  outbound: {
    to: 'open',
    otherwise: 'refuse',
    allow: [],
    block: [],
    hold: 'never',
    secrets: 'accept',
    maxRecipientsPerDay: null,
  },
};

/** The address of the policy of a whole account. */
export const WHOLE_ACCOUNT = '';
/** The address of the policy that a platform sets for its pod. */
export const BY_PLATFORM = '*';

/** Whom a mail is from. */
export interface Sender {
  accountId: string;
  address: string;
  /** The platform of a pod, else the account itself. */
  platformId: string;
  /** The accounts that send in its name by a chain of delegations. Absent: it sends itself. */
  actors?: readonly string[];
}

/** Where the recipients of a mail are counted: at an address of its account (empty: the account), or at its platform. */
export type Counter = string | { platformId: string };

export const MAIL_POLICIES = table(
  'mail_policies',
  {
    accountId: exported.text('account_id'),
    /** Empty: the policy of the account. `*`: the one that the platform set for its pod. */
    address: exported.text('address'),
    inbound: exported.json<Partial<InboundPolicy>>()('inbound'),
    outbound: exported.json<Partial<OutboundPolicy>>()('outbound'),
    updatedAt: exported.integer('updated_at'),
  },
  { key: ['accountId', 'address'], account: ['accountId'], erase: 'delete' },
);
export type StoredPolicy = RecordOf<typeof MAIL_POLICIES>;

/** A recipient that an operator wants to be known. */
export const MAIL_CONTACTS = table(
  'mail_contacts',
  {
    accountId: exported.text('account_id'),
    recipient: exported.text('recipient'),
    knownAt: exported.integer('known_at'),
  },
  { key: ['accountId', 'recipient'], account: ['accountId'], erase: 'delete' },
);

/** When an account last read mail that is not clean. */
export const SUSPICIOUS_READS = table(
  'suspicious_reads',
  {
    accountId: column.text('account_id'),
    readAt: column.integer('read_at'),
  },
  { key: ['accountId'], account: ['accountId'], erase: 'delete' },
);

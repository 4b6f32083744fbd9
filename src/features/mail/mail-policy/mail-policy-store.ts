import type { Kysely } from 'kysely';
import type { Reader } from '../../../api/transaction.ts';
import type { RowOf } from '../../../db/column-map.ts';
import { tables } from '../../../db/statement.ts';
import {
  BY_PLATFORM,
  MAIL_CONTACTS,
  MAIL_POLICIES,
  type Sender,
  type StoredPolicy,
  SUSPICIOUS_READS,
  WHOLE_ACCOUNT,
} from './mail-policy-table.ts';

export const addContact = MAIL_CONTACTS.insertNew();
const findContact = MAIL_CONTACTS.find();
export const savePolicy = MAIL_POLICIES.save();
export const findPolicy = MAIL_POLICIES.find();
/** Stores when an account last read mail that is not clean. */
export const saveSuspiciousRead = SUSPICIOUS_READS.save();
const findRead = SUSPICIOUS_READS.find();

interface Tables {
  mail_policies: RowOf<typeof MAIL_POLICIES>;
}

const sql = tables<Tables>();

const policiesOfAccount = (q: Kysely<Tables>, accountId: string) =>
  q.selectFrom('mail_policies').select(MAIL_POLICIES.names).where('account_id', '=', accountId);
/**
 * The policy of the account, that of the address, that of a pod's platform, and what it set for the pod. A look-up for
 * each: SQLite makes a table of the values of an `in`.
 */
const ofSender = sql((q, p: { account_id: string; address: string; platform_id: string }) =>
  policiesOfAccount(q, p.account_id)
    .where('address', '=', WHOLE_ACCOUNT)
    .unionAll(policiesOfAccount(q, p.account_id).where('address', '=', p.address).where('address', '<>', WHOLE_ACCOUNT))
    .unionAll(policiesOfAccount(q, p.account_id).where('address', '=', BY_PLATFORM))
    .unionAll(
      policiesOfAccount(q, p.platform_id).where('address', '=', WHOLE_ACCOUNT).where('account_id', '<>', p.account_id),
    ),
);

const anyList = sql((q, p: { account_id: string; limit: number }) =>
  q
    .selectFrom('mail_policies')
    .select(MAIL_POLICIES.names)
    .where('account_id', '=', p.account_id)
    .orderBy('address')
    .limit(p.limit),
);

/** The policies that hold for a sender: those of accounts before that of the address. */
export const policiesFor = async (
  reader: Reader,
  { accountId, address, platformId }: Sender,
): Promise<StoredPolicy[]> =>
  (await reader.all(ofSender, { account_id: accountId, address, platform_id: platformId }))
    .map(MAIL_POLICIES.fromRow)
    .sort((a, b) => a.address.length - b.address.length);

/** What an account and one of its addresses set. */
export const ownPolicies = async (reader: Reader, accountId: string, address: string): Promise<StoredPolicy[]> =>
  (await policiesFor(reader, { accountId, address, platformId: accountId })).filter(
    (policy) => policy.address !== BY_PLATFORM,
  );
export const policiesOf = async (reader: Reader, accountId: string, limit: number): Promise<StoredPolicy[]> =>
  (await reader.all(anyList, { account_id: accountId, limit })).map(MAIL_POLICIES.fromRow);

export const lastSuspiciousRead = async (reader: Reader, accountId: string): Promise<number | null> =>
  (await findRead(reader, accountId))?.readAt ?? null;

export const isContact = async (reader: Reader, accountId: string, recipient: string): Promise<boolean> =>
  (await findContact(reader, accountId, recipient)) !== null;

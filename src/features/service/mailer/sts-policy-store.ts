import type { Reader, Tx } from '../../../api/transaction.ts';
import { tables } from '../../../db/statement.ts';

interface PolicyRow {
  domain: string;
  /** JSON. */
  policy: string;
  fetched_at: number;
  expires_at: number;
}

const sql = tables<{ mta_sts_policies: PolicyRow }>();

const byDomain = sql((q, p: { domain: string; now: number }) =>
  q
    .selectFrom('mta_sts_policies')
    .select(['policy', 'fetched_at'])
    .where('domain', '=', p.domain)
    .where('expires_at', '>', p.now),
);
const upsert = sql((q, p: PolicyRow) =>
  q
    .insertInto('mta_sts_policies')
    .values({ domain: p.domain, policy: p.policy, fetched_at: p.fetched_at, expires_at: p.expires_at })
    .onConflict((conflict) =>
      conflict.column('domain').doUpdateSet({ policy: p.policy, fetched_at: p.fetched_at, expires_at: p.expires_at }),
    ),
);
const deleteExpired = sql((q, p: { now: number }) => q.deleteFrom('mta_sts_policies').where('expires_at', '<=', p.now));

/** The policy of a domain, as JSON, until it expires. */
export async function findPolicy(reader: Reader, domain: string, now: number) {
  const row = await reader.first(byDomain, { domain, now });
  return row ? { policy: row.policy, fetchedAt: row.fetched_at } : null;
}

export const savePolicy = async (
  tx: Tx,
  { domain, policy, fetchedAt, expiresAt }: { domain: string; policy: string; fetchedAt: number; expiresAt: number },
): Promise<void> => void (await tx.run(upsert, { domain, policy, fetched_at: fetchedAt, expires_at: expiresAt }));

export const forgetPolicies = async (tx: Tx, now: number): Promise<void> => void (await tx.run(deleteExpired, { now }));

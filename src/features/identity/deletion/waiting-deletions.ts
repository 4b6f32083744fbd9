import type { Asker } from '../../../api/account/removal-notices.ts';
import { type Decider, type ListWaiting, partOf } from '../../../api/account/waiting.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Reader } from '../../../api/transaction.ts';
import { iso } from '../../../base/clock.ts';
import { mayCancel } from './deletion-authority.ts';
import { findDeletions } from './deletion-store.ts';

const BY = { key: 'a key', session: 'a session', operator: 'an operator', administrator: 'the administrator' };

/** The deletions that can still be cancelled. Few accounts have one, so it is asked of each who may. */
export const waitingDeletions =
  (askerOf: (reader: Reader, caller: Principal) => Promise<Asker>): ListWaiting =>
  async (reader, query) => {
    const found = [...(await findDeletions(reader, query.accountIds)).values()];
    const items = found
      .filter(({ closedAt, deletesAt }) => closedAt === null && deletesAt > query.now)
      .map(async (deletion) => {
        const { accountId, askedAt, deletesAt, askerKind } = deletion;
        const caller = { ...query.caller, accountId };
        const given = { caller, asker: () => askerOf(reader, caller) };
        const isCallers = await mayCancel(reader, deletion, given, query.now);
        const others: Decider = askerKind === 'administrator' ? 'administrator' : 'operator';
        return {
          id: accountId,
          accountId,
          since: askedAt,
          expiresAt: deletesAt,
          summary: `The account will be deleted at ${iso(deletesAt)}; ${BY[askerKind]} asked for it.`,
          deciders: isCallers ? (['account', 'operator'] as const) : ([others] as const),
          call: { operation: 'cancelAccountDeletion' },
        };
      });
    return partOf(await Promise.all(items), query);
  };

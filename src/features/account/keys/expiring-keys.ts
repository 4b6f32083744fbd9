import { type ListWaiting, partOf, waitingParams } from '../../../api/account/waiting.ts';
import { hasScope } from '../../../api/scopes.ts';
import { iso } from '../../../base/clock.ts';
import { DAY_MS } from '../../../base/period.ts';
import { expiringKeys } from './named-key-store.ts';

const LISTED_MS = 7 * DAY_MS;

/** The named keys that end within a week. A lesser key knows of itself alone. */
export const waitingKeys: ListWaiting = async (reader, query) => {
  const { caller, now } = query;
  const isWhole = caller.scopes === null && hasScope(caller, 'account:manage');
  if (!isWhole && caller.namedKeyId === null) return [];
  const found = await expiringKeys(reader, waitingParams(query), now + LISTED_MS);
  const items = found
    .filter(({ id }) => isWhole || id === caller.namedKeyId)
    .map(({ id, accountId, name, createdAt, expiresAt }) => {
      const end = expiresAt as number;
      return {
        id,
        accountId,
        since: Math.max(createdAt, end - LISTED_MS),
        expiresAt: end,
        summary: `The key ${JSON.stringify(name)} ends at ${iso(end)}.`,
        deciders: ['account' as const],
        call: { operation: 'createNamedKey' },
      };
    });
  return partOf(items, query);
};

import { type ListWaiting, partOf } from '../../../../api/account/waiting.ts';
import { idBoundary } from '../../../../base/ids.ts';
import { addressesOfAccounts } from '../../../account/addresses/address.ts';
import { findingsWithCode } from '../content/content-store.ts';
import { newestUnread } from './message-store.ts';
import { codeOf } from './screened-mail.ts';
import { maySeeCodes } from './shown-mail.ts';

const LISTED_MS = 15 * 60_000;
/** Unread mails that are looked at: a flood must not cost more. */
const NEWEST_MAX = 500;

/** Unread mails with a code, as long as a code is good for anything. The code itself is not in the list. */
export const waitingCodes: ListWaiting = async (reader, query) => {
  const { accountIds, caller, now } = query;
  if (!maySeeCodes(caller)) return [];
  const owned = [...(await addressesOfAccounts(reader, accountIds)).values()].flat();
  const addresses = owned.map(({ address }) => address).filter((one) => caller.addresses?.includes(one) ?? true);
  const from = idBoundary('msg', now - LISTED_MS);
  const unread = addresses.length === 0 ? [] : await newestUnread(reader, addresses, from, NEWEST_MAX);
  if (unread.length === 0) return [];
  const found = await findingsWithCode(
    reader,
    unread.map(({ contentId }) => contentId),
  );
  const items = unread.flatMap(({ id, accountId, address, contentId, fromAddress, auth, receivedAt }) =>
    codeOf(found.get(contentId) ?? null, auth) === null
      ? []
      : {
          id,
          accountId,
          since: receivedAt,
          expiresAt: receivedAt + LISTED_MS,
          summary: `An unread email from ${fromAddress} to ${address} holds a code.`,
          deciders: ['account' as const],
          call: { operation: 'getMessage', params: { id, address } },
        },
  );
  return partOf(items, query);
};

import { type ListWaiting, waitingParams } from '../../../../api/account/waiting.ts';
import { DAY_MS } from '../../../../base/period.ts';
import { failedSince } from './sent-store.ts';

const LISTED_MS = 7 * DAY_MS;

/** The mails that a recipient does not get, for a week. */
export const waitingFailedMails: ListWaiting = async (reader, query) => {
  const found = await failedSince(reader, waitingParams(query), query.now - LISTED_MS);
  return found.map(({ id, accountId, address, outcomes, recipients, failedAt }) => {
    const [first, ...others] = outcomes.flatMap(({ address: to, error }) => (error === null ? [] : [to]));
    const to = others.length > 0 ? `${first} and ${others.length} more` : (first ?? recipients[0]);
    return {
      id,
      accountId,
      since: failedAt as number,
      expiresAt: (failedAt as number) + LISTED_MS,
      summary: `An email from ${address} did not reach ${to}.`,
      deciders: ['account'],
      call: { operation: 'getSentEmail', params: { id } },
    };
  });
};

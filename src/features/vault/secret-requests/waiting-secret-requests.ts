import { type ListWaiting, waitingParams } from '../../../api/account/waiting.ts';
import { DAY_MS } from '../../../base/period.ts';
import { openRequestFields } from './open-secret-request-schema.ts';
import { untoldRequests, waitingRequests } from './secret-request-store.ts';

/** How long an answer waits for the agent. */
const ANSWER_MS = 7 * DAY_MS;

/**
 * The requests that wait for an operator. Deciding takes the code that the agent shows, so no single call does it. What
 * pods ask is for the operator alone.
 */
export const waitingCredentialRequests: ListWaiting = async (reader, query) =>
  (await waitingRequests(reader, waitingParams(query), query.caller.operator)).map((request) => {
    const { id, accountId, operatorId, description, createdAt, expiresAt } = request;
    const isOwn = query.accountIds.includes(operatorId);
    return {
      id,
      accountId: isOwn ? operatorId : accountId,
      askerId: accountId,
      since: createdAt,
      expiresAt,
      summary: `A request for a credential waits for an operator: ${description}`,
      deciders: [isOwn ? 'operator' : 'other'],
      call: null,
      about: () => openRequestFields(request),
    };
  });

/** What was decided and the agent has not fetched. Which key asked is not known, so a lesser key sees none. */
export const waitingAnswers: ListWaiting = async (reader, query) => {
  if (query.caller.scopes !== null) return [];
  const found = await untoldRequests(reader, waitingParams(query), query.now - ANSWER_MS);
  return found.map(({ id, accountId, status, description, resolvedAt, expiresAt }) => {
    const outcome =
      status === 'denied'
        ? 'was denied'
        : expiresAt > query.now
          ? 'was approved: fetch the value'
          : 'was approved, but its value was not fetched in time: ask again';
    return {
      id,
      accountId,
      since: resolvedAt as number,
      expiresAt: status === 'approved' && expiresAt > query.now ? expiresAt : (resolvedAt as number) + ANSWER_MS,
      summary: `The request for a credential ${outcome} (${description}).`,
      deciders: ['account'],
      call: { operation: 'pollCredential' },
    };
  });
};

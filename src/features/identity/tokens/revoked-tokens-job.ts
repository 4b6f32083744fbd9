import type { JobAttempt, JobOutcome } from '../../../api/job-types.ts';
import type { TokenDeps } from './token.ts';
import { type TokenPlace, tokensRevokedWith } from './token-store.ts';

declare module '../../../api/job-types.ts' {
  interface JobPayloads {
    /** Tells the owners of the tokens that ended with a stolen key, from a place on. */
    'token.tell': { kid: string; revokedAt: number; after: TokenPlace };
  }
}

/** Tokens of one attempt: a transaction that is short for everybody else. */
const AT_A_TIME = 200;

/** Appends `token.revoked` for the next tokens of a revoked key, once each, and leaves the rest to a further job. */
export const createRevokedTokensJob =
  ({ appendEvent, enqueueJob }: TokenDeps) =>
  async ({ payload, now }: JobAttempt<'token.tell'>): Promise<JobOutcome> => ({
    status: 'done',
    complete: async (tx) => {
      const tokens = await tokensRevokedWith(tx, payload, payload.after, AT_A_TIME);
      for (const { accountId, jti } of tokens)
        await appendEvent(tx, { accountId, type: 'token.revoked', data: { jti }, now });
      const last = tokens.at(-1);
      if (!last || tokens.length < AT_A_TIME) return;
      const after = { expiresAt: last.expiresAt, jti: last.jti };
      await enqueueJob(tx, { kind: 'token.tell', payload: { ...payload, after }, runAt: now });
    },
  });

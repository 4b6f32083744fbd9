import { ApiError } from '../../../api/errors.ts';
import { newestFirst, type Page } from '../../../api/page.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Reader } from '../../../api/transaction.ts';
import { askerOf } from '../../account/addresses/address-asker.ts';
import { openRequestsOf } from './secret-request-store.ts';
import type { CredentialRequest } from './secret-request-table.ts';

/** An open request, and who asks. */
export interface OpenRequest {
  request: CredentialRequest;
  agent: Awaited<ReturnType<typeof askerOf>>;
}

/**
 * Lists what waits for the operator of an account and of its pods, newest first.
 * @throws ApiError `operator_required`, `invalid_cursor`
 */
export async function pageOfOpenRequests(
  reader: Reader,
  { operator, accountId }: Principal,
  { cursor, limit }: { cursor: string | undefined; limit: number },
  now: number,
): Promise<Page<OpenRequest>> {
  if (!operator) throw new ApiError('operator_required');
  const page = await newestFirst(
    'crd',
    { cursor, limit },
    (before, many) => openRequestsOf(reader, accountId, { now, before, limit: many }),
    ({ id }) => id,
  );
  const requests: OpenRequest[] = [];
  for (const request of page.rows) requests.push({ request, agent: await askerOf(reader, request.accountId) });
  return { ...page, rows: requests };
}

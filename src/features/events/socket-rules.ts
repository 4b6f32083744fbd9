import { ApiError } from '../../kernel/errors.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Database } from '../../kernel/transaction.ts';
import type { SocketGrant } from '../../push/websocket.ts';
import { startOfStream } from './event-rules.ts';
import { redeemTicket } from './ticket-rules.ts';

/** What an upgrade request brings along. */
export interface SocketRequest {
  /** Of the `Authorization` header, or `?token=` of older clients. */
  token: string | null;
  ticket: string | null;
  after: string | undefined;
}

export interface SocketDeps {
  database: Database;
  authenticate(token: string, now: number): Promise<Principal | null>;
  now(): number;
}

/**
 * Admits a WebSocket by key, session or ticket.
 * @throws ApiError `unauthorized`, `invalid_cursor`, or 403 for a suspended account
 */
export async function admitSocket(deps: SocketDeps, request: SocketRequest): Promise<SocketGrant> {
  const { database, authenticate, now } = deps;
  const { token, ticket, after } = request;
  if (token !== null) {
    const principal = await authenticate(token, now());
    if (principal === null) throw new ApiError('unauthorized');
    if (principal.kind === 'backup') throw new ApiError('backup_key_only_activates');
    const { accountId } = principal;
    const stillAllowed = async (): Promise<boolean> => (await authenticate(token, now()).catch(() => null)) !== null;
    return { accountId, afterSeq: await startOfStream(database, accountId, after), stillAllowed };
  }
  const accountId = ticket === null ? null : await redeemTicket(database, ticket, now());
  if (accountId === null) throw new ApiError('unauthorized');
  // The ticket proved a credential a moment ago; the socket then lives as long as the connection.
  return { accountId, afterSeq: await startOfStream(database, accountId, after), stillAllowed: async () => true };
}

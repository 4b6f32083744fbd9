import { SignetClient } from '../../../client/signet-client.ts';
import { SignetConnectionError, SignetError } from '../../../client/signet-error.ts';
import { limitMessage } from './words/limit-words.ts';
import { refusalMessage } from './words/refusal-words.ts';

const CSV_PAGE = 200;

/** The public API, which is all that the console uses. What it can do, every client can. */

/** @param credential an API key or a session; null for calls that need none */
export const serviceFor = (credential: string | null): SignetClient =>
  new SignetClient({ baseUrl: location.origin, ...(credential === null ? {} : { key: credential }) });

/** Whether the service could not be reached at all. */
export const isUnreachable = (err: unknown): boolean =>
  err instanceof SignetConnectionError && err.code !== 'unreadable';

/** Whether the credential no longer works. */
export const isSignedOut = (err: unknown): boolean => err instanceof SignetError && err.status === 401;

/** Whether the credential may not see it. */
export const isRefused = (err: unknown): boolean =>
  err instanceof SignetError && (err.status === 403 || err.status === 404);

export const hasCode = (err: unknown, ...codes: string[]): boolean =>
  err instanceof SignetError && codes.includes(err.code);

/** The further fields of a refusal with this code. @throws the error itself, if it is another */
export function refusedFields(err: unknown, code: string): Readonly<Record<string, unknown>> {
  if (err instanceof SignetError && err.code === code) return err.fields;
  throw err;
}

/** All entries of a list: `allOf(service.paginate('listSessions', {}))`. */
export async function allOf<Entry>(pages: AsyncIterable<Entry>): Promise<Entry[]> {
  const all: Entry[] = [];
  for await (const entry of pages) all.push(entry);
  return all;
}

/** A whole list as a table, page by page. */
export async function csvOf(
  service: SignetClient,
  operation: 'listAuditEntries' | 'listRequests',
  filter: object,
): Promise<string> {
  let table = '';
  let cursor: string | undefined;
  do {
    const { body, headers } = await service.call(
      operation,
      { ...filter, limit: CSV_PAGE, cursor },
      { headers: { accept: 'text/csv' } },
    );
    const page = body as unknown as string;
    // Each page names the columns.
    table += table === '' ? page : page.slice(page.indexOf('\r\n') + 2);
    const next = /[?&]cursor=([^&>]+)[^>]*>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    cursor = next === undefined ? undefined : decodeURIComponent(next);
  } while (cursor !== undefined);
  return table;
}

/** What a person reads about a failure. */
export function messageOf(err: unknown): string {
  if (isUnreachable(err)) return 'Could not reach the service. Check your network connection.';
  if (!(err instanceof Error)) return 'Something went wrong.';
  return err instanceof SignetError ? (limitMessage(err) ?? refusalMessage(err)) : err.message;
}

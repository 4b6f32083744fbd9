import { hasStatus } from '../../../api/fields.ts';
import { encodeCursor } from '../../../api/page.ts';
import { isConsole, type Principal } from '../../../api/principal.ts';

/** The calls of an account that are remembered. */
export const CALLS_MAX = 500;
/** The calls of all accounts together. Beyond them, those of the account that was quiet longest are forgotten. */
const ALL_MAX = 20_000;

export const CREDENTIALS = ['primary_key', 'backup_key', 'named_key', 'session', 'access_token'] as const;

/** A call, without anything that the caller wrote: no query, no body, no value of the path. */
export interface LoggedCall {
  /** Rises with each call. */
  seq: number;
  requestId: string;
  /** When it arrived, milliseconds. */
  at: number;
  method: string;
  /** The pattern of the path, such as `/v1/pods/{pod_id}`. */
  path: string;
  status: number;
  /** Milliseconds to the reply. */
  ms: number;
  credential: (typeof CREDENTIALS)[number];
  /** The public name of the credential: the start of a key, or `session`. */
  actor: string;
  /** The id of the key, or the kind and id of who called otherwise. */
  key: string | null;
  /** A console read it. */
  isConsole: boolean;
}

/** Which calls of an account are listed. */
export interface CallFilter {
  /** Milliseconds, inclusive. */
  from: number;
  /** Milliseconds, exclusive. */
  to: number;
  /** The id or the start of a key, or the kind of credential. */
  key: string | null;
  /** What the path begins with. */
  path: string | null;
  /** `403`, or `4xx`. */
  status: string | null;
  /** False: without what consoles read. */
  console: boolean;
}

function credentialOf({ credential, kind, namedKeyId, delegation, grant }: Principal): LoggedCall['credential'] {
  if (delegation || grant) return 'access_token';
  if (credential === 'session') return 'session';
  if (kind === 'backup') return 'backup_key';
  return namedKeyId === null ? 'primary_key' : 'named_key';
}

const isListed = (call: LoggedCall, { from, to, key, path, status, console: all }: CallFilter): boolean =>
  call.at >= from &&
  call.at < to &&
  (key === null || [call.key, call.actor, call.credential].includes(key)) &&
  (path === null || call.path.startsWith(path)) &&
  (status === null || hasStatus(call.status, status)) &&
  (all || !call.isConsole);

/** Routes are stored with `:name`, the API writes `{name}`. */
const patterns = new Map<string, string>();
function patternOf(route: string): string {
  const known = patterns.get(route);
  if (known !== undefined) return known;
  const pattern = route.replace(/:(\w+)(\([^)]*\))?/g, '{$1}');
  patterns.set(route, pattern);
  return pattern;
}

/** Remembers the last calls of each account, in the memory of this process alone. */
export class RequestLog {
  /** The account that called last comes last. */
  readonly #byAccount = new Map<string, LoggedCall[]>();
  /** The account that called last. */
  #latest = '';
  #all = 0;
  #seq = 0;

  readonly note = (
    principal: Principal,
    call: Pick<LoggedCall, 'requestId' | 'at' | 'method' | 'status' | 'ms'> & { route: string },
  ): void => {
    const { accountId, actor } = principal;
    const calls = this.#byAccount.get(accountId) ?? [];
    if (accountId !== this.#latest) {
      this.#byAccount.delete(accountId);
      this.#byAccount.set(accountId, calls);
      this.#latest = accountId;
    }
    this.#seq += 1;
    // Member by member: this runs for every call.
    const { requestId, at, method, status, ms, route } = call;
    const credential = credentialOf(principal);
    const { auditActor } = principal;
    const key = 'id' in auditActor ? auditActor.id : null;
    const reads = method === 'GET' && isConsole(principal);
    const path = patternOf(route);
    calls.push({ seq: this.#seq, requestId, at, method, path, status, ms, credential, actor, key, isConsole: reads });
    if (calls.length > CALLS_MAX) calls.shift();
    else this.#all += 1;
    if (this.#all > ALL_MAX) this.#forgetOldest();
  };

  #forgetOldest(): void {
    const [oldest] = this.#byAccount.keys();
    if (oldest === undefined) return;
    this.#all -= this.#byAccount.get(oldest)?.length ?? 0;
    this.#byAccount.delete(oldest);
    if (oldest === this.#latest) this.#latest = '';
  }

  /** A call of the account that is still remembered. */
  find(accountId: string, requestId: string): LoggedCall | undefined {
    return this.#byAccount.get(accountId)?.find((call) => call.requestId === requestId);
  }

  /** The calls before `before`, newest first, and the cursor of those before them. */
  list(
    accountId: string,
    filter: CallFilter,
    before: number,
    limit: number,
  ): { calls: LoggedCall[]; nextCursor: string | null } {
    const all = this.#byAccount.get(accountId) ?? [];
    const older = all.filter((call) => call.seq < before && isListed(call, filter)).reverse();
    const calls = older.slice(0, limit);
    const last = calls.at(-1);
    return { calls, nextCursor: last && older.length > limit ? encodeCursor([last.seq]) : null };
  }
}

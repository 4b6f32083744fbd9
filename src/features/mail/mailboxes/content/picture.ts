import type { Limits } from '../../../../api/limits.ts';
import { limitReachedUntil } from '../../../../api/metering/limit-reached.ts';
import type { Principal } from '../../../../api/principal.ts';
import type { Database } from '../../../../api/transaction.ts';
import type { Gate } from '../../../../api/way-out.ts';
import { withTimeout } from '../../../../base/deadline.ts';
import { HOUR_MS } from '../../../../base/period.ts';
import { AccountSlots } from '../../../../events/account-slots.ts';
import { takeWindow } from '../../../service/limits/rate-window.ts';
import type { Message } from '../messages/message-table.ts';
import { readBody } from './mail-content.ts';
import { fetchPicture, type HostGuard, type RemotePicture } from './picture-client.ts';

export type LoadedPicture = RemotePicture & { url: string };

/** How many pictures one call loads. */
export const PICTURES_MAX = 20;
const MIB = 1_048_576;
/** Of one picture, of those of a call, and of those that this process holds. What does not fit is left out. */
const BYTES_MAX = { picture: 2 * MIB, call: 10 * MIB, process: 64 * MIB } as const;
/** Of all pictures of a call. */
const TIMEOUT_MS = 10_000;
/** Pictures that this process gets at a time. More are left out. */
const AT_ONCE = 40;
/** By then, one of the calls that run is probably done. */
const RETRY_AFTER_SECONDS = 5;

/** Each reads no character twice: a value that starts with the one quote ends before the next. */
const QUOTED = [/"(https?:[^"]{1,2043})"/gi, /'(https?:[^']{1,2043})'/gi];

/**
 * Those of the addresses that stand in an attribute, as a browser reads the simple forms of it. Others are not loaded. One
 * pass over the HTML, however many are asked for.
 */
export function namedIn(html: string, urls: ReadonlySet<string>): string[] {
  const decoded = html.replaceAll('&amp;', '&');
  const named = new Set<string>();
  for (const quoted of QUOTED)
    for (const [, value = ''] of decoded.matchAll(quoted)) if (urls.has(value)) named.add(value);
  return [...urls].filter((url) => named.has(url));
}

const parsed = (url: string): URL[] => {
  const found = URL.parse(url);
  return found && /^https?:$/.test(found.protocol) && found.username === '' ? [found] : [];
};

/** The hosts of addresses that can be loaded. */
const hostsIn = (urls: readonly string[]): string[] => [
  ...new Set(urls.flatMap(parsed).map(({ hostname }) => hostname)),
];

/** One call: whether its time is over, and the bytes of its pictures. */
interface Call {
  signal: AbortSignal;
  bytes: number;
  mayAsk(host: string): boolean;
}

/** Gets the pictures of other hosts that a mail names, when its reader asks for them. Nothing is kept. */
export class PictureRules {
  readonly #database: Database;
  readonly #limits: Limits;
  readonly #guard: HostGuard;
  readonly #gate: Gate;
  #running = 0;
  #heldBytes = 0;
  readonly #calls = new AccountSlots();

  constructor(database: Database, limits: Limits, guard: HostGuard, gate: Gate) {
    this.#gate = gate;
    this.#database = database;
    this.#limits = limits;
    this.#guard = guard;
  }

  /**
   * Only addresses that stand in the HTML of the message are asked. What does not come, or is no picture, is left out.
   * @throws ApiError `rate_limited`, and as {@link Gate.require}
   */
  async load(principal: Principal, message: Message, urls: readonly string[], now: number): Promise<LoadedPicture[]> {
    const { accountId } = principal;
    const operatedBy = await this.#gate.require(this.#database, principal, 'fetch', hostsIn(urls));
    const leaving = { ...principal, actors: principal.delegation?.actors ?? [] };
    const refusal = await this.#gate.mayLeave(this.#database, leaving, 'fetch');
    const mayAsk = (host: string): boolean => refusal({ target: host, operatedBy }) === null;
    const wanted = new Set(urls.filter((url) => parsed(url).length > 0));
    if (message.encryption || wanted.size === 0) return [];
    const release = this.#takeSlot(accountId);
    try {
      return await this.#load({ accountId, mayAsk }, message, wanted, now);
    } finally {
      release();
    }
  }

  #takeSlot(accountId: string): () => void {
    const max = this.#limits.picture_loads_at_once;
    const release = this.#calls.take(accountId, max);
    if (release) return release;
    const used = this.#calls.used(accountId);
    throw limitReachedUntil('picture_loads_at_once', { used, max }, RETRY_AFTER_SECONDS, {
      message: `This account loads the pictures of ${used} messages already. Wait for the number of seconds in Retry-After.`,
    });
  }

  async #load(
    { accountId, mayAsk }: { accountId: string } & Pick<Call, 'mayAsk'>,
    message: Message,
    urls: ReadonlySet<string>,
    now: number,
  ): Promise<LoadedPicture[]> {
    const database = this.#database;
    const limit = this.#limits.picture_loads_per_hour;
    const rule = { name: 'picture_loads_per_hour', limit, windowMs: HOUR_MS } as const;
    const wanted = namedIn((await readBody(database, message.contentId))?.html ?? '', urls);
    if (wanted.length === 0) return [];
    await database.transaction((tx) => takeWindow(tx, `pictures:${accountId}`, [rule], now));
    const late = new Error('timeout');
    return withTimeout({ ms: TIMEOUT_MS, late }, async (signal) => {
      const call = { signal, bytes: 0, mayAsk };
      try {
        return (await Promise.all(wanted.map((url) => this.#one(url, call)))).flat();
      } finally {
        this.#heldBytes -= call.bytes;
      }
    });
  }

  async #one(url: string, call: Call): Promise<LoadedPicture[]> {
    const [from] = parsed(url);
    if (!from || this.#running >= AT_ONCE) return [];
    let size = 0;
    const add = (bytes: number): void => {
      size += bytes;
      call.bytes += bytes;
      this.#heldBytes += bytes;
    };
    const hold = (bytes: number): void => {
      add(bytes);
      if (size > BYTES_MAX.picture || call.bytes > BYTES_MAX.call || this.#heldBytes > BYTES_MAX.process)
        throw new Error('no room');
    };
    this.#running += 1;
    try {
      return [{ url, ...(await fetchPicture(this.#guard, from, { hold, signal: call.signal, mayAsk: call.mayAsk })) }];
    } catch {
      add(-size);
      // Why is not said: it would show what the service can reach.
      return [];
    } finally {
      this.#running -= 1;
    }
  }
}

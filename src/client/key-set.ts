import { systemNow } from './client-clock.ts';
import { fromBase64 } from './encoding.ts';
import { SignetCryptoError } from './signet-error.ts';
import { Timeout } from './timeout.ts';
import type { WebKey } from './web-crypto.ts';

/** A JSON Web Key Set: fetched when needed, cached, and fetched again for an unknown key. */

export interface KeySetOptions {
  url: string;
  fetch?: typeof fetch;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

/** How long keys are cached. A removed key stays valid here for at most this long. */
const FRESH_MS = 10 * 60_000;
/** Anyone can send an unknown key id, so not every one may cause a request to the issuer. */
const ASK_AGAIN_MS = 30_000;
const TIMEOUT_MS = 10_000;
const SIZE_MAX = 65_536;
const KEYS_MAX = 100;

interface Jwk {
  kty?: unknown;
  crv?: unknown;
  x?: unknown;
  kid?: unknown;
  use?: unknown;
  alg?: unknown;
}

/** Ed25519 keys for signatures (RFC 8037); other kinds are ignored. */
async function readKeys(set: unknown): Promise<Map<string, WebKey>> {
  const keys = new Map<string, WebKey>();
  const list = (set as { keys?: unknown } | null)?.keys;
  if (!Array.isArray(list))
    throw new SignetCryptoError('keys_unavailable', 'The issuer did not answer with a key set.');
  for (const { kty, crv, x, kid, use, alg } of list.slice(0, KEYS_MAX) as Jwk[]) {
    const fits = kty === 'OKP' && crv === 'Ed25519' && (use ?? 'sig') === 'sig' && (alg ?? 'EdDSA') === 'EdDSA';
    if (!fits || typeof x !== 'string' || typeof kid !== 'string') continue;
    const raw = fromBase64(x);
    if (raw.length === 32) keys.set(kid, await crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify']));
  }
  return keys;
}

export class KeySet {
  readonly #options: KeySetOptions;
  readonly #now: () => number;
  #keys = new Map<string, WebKey>();
  #fetchedAt = Number.NEGATIVE_INFINITY;
  #askedAt = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | null = null;

  constructor(options: KeySetOptions) {
    this.#options = options;
    this.#now = options.now ?? systemNow;
  }

  /** @throws SignetCryptoError `keys_unavailable`; `unknown_key` for an id the issuer does not publish */
  async find(kid: string): Promise<WebKey> {
    const isStale = this.#now() - this.#fetchedAt > FRESH_MS;
    if (isStale || (!this.#keys.has(kid) && this.#now() - this.#askedAt > ASK_AGAIN_MS)) await this.#refresh(isStale);
    const key = this.#keys.get(kid);
    if (!key) throw new SignetCryptoError('unknown_key', 'The issuer does not publish a key with this id.');
    return key;
  }

  /** Concurrent callers share one request. */
  #refresh(isStale: boolean): Promise<void> {
    if (isStale && this.#now() - this.#askedAt <= ASK_AGAIN_MS && this.#asking === null) {
      throw new SignetCryptoError('keys_unavailable', 'The issuer’s keys could not be fetched a moment ago.');
    }
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  async #ask(): Promise<void> {
    this.#askedAt = this.#now();
    const timeout = new Timeout({ ms: TIMEOUT_MS, late: new Error(`no answer within ${TIMEOUT_MS} ms`) });
    try {
      const load = this.#options.fetch ?? ((url, init) => fetch(url, init));
      const init = { signal: timeout.signal, redirect: 'error', headers: { accept: 'application/json' } } as const;
      const response = await load(this.#options.url, init);
      const text = response.ok ? await response.text() : '';
      if (text === '' || text.length > SIZE_MAX)
        throw new Error(`answered ${response.status}, ${text.length} characters`);
      this.#keys = await readKeys(JSON.parse(text));
      this.#fetchedAt = this.#now();
    } catch (cause) {
      if (cause instanceof SignetCryptoError) throw cause;
      throw new SignetCryptoError('keys_unavailable', `No key set from ${this.#options.url}.`, { cause });
    } finally {
      timeout.end();
    }
  }
}

import { LRUCache } from 'lru-cache';
import { ApiError } from '../../../api/errors.ts';
import { windowRule } from '../../../api/limits.ts';
import type { Tx } from '../../../api/transaction.ts';
import type { ClientNetworks } from '../../../base/client-network.ts';
import { isId, newId } from '../../../base/ids.ts';
import { DAY_MS } from '../../../base/period.ts';
import { takeNetworkWindow } from '../../service/limits/rate-window.ts';
import { documentUrl, readDocument, readMetadata } from './client-metadata.ts';
import type { FetchDocument } from './document-client.ts';
import type { GrantDeps } from './grant.ts';
import { type Client, COMMAND_LINE, type RegisteredClient } from './grant-table.ts';
import { findRegistered, insertClient } from './oauth-client-store.ts';

/** A client that was never let act is forgotten after this time. */
const UNUSED_MS = DAY_MS;
const CACHED_MAX = 500;
/** How long a document is kept: as its server says, within these limits. */
const KEPT_MS = { least: 60_000, byDefault: 3_600_000, most: DAY_MS };
/** How many documents are fetched at a time. Each may take seconds. */
const FETCHES_MAX = 16;

interface Known {
  client: Client | null;
  /** Why there is none. */
  fault: string;
  until: number;
}

const nameOf = ({ name, redirectUris }: { name: string | null; redirectUris: readonly string[] }): string =>
  name ?? new URL(redirectUris[0] as string).host;

const asClient = ({ id, name, redirectUris }: RegisteredClient): Client => ({
  id,
  redirectUris,
  host: null,
  name: nameOf({ name, redirectUris }),
});

/** The clients of people: the command line, those that registered, and those whose id is the URL of their metadata. */
export class ClientRules {
  readonly #deps: GrantDeps;
  readonly #fetchDocument: FetchDocument;
  readonly #isDevelopment: boolean;
  /** Documents and failures by URL. */
  readonly #known: LRUCache<string, Known>;
  readonly #fetching = new Map<string, Promise<Known>>();

  constructor(deps: GrantDeps, fetchDocument: FetchDocument, isDevelopment: boolean) {
    this.#deps = deps;
    this.#fetchDocument = fetchDocument;
    this.#isDevelopment = isDevelopment;
    this.#known = deps.watchCache('client_documents', new LRUCache({ max: CACHED_MAX }));
  }

  /**
   * Finds a client.
   * @param networks those of the caller, which pay for a fetch
   * @throws ApiError `invalid_client`, `rate_limited`
   */
  async find(id: string, networks: ClientNetworks, now: number): Promise<Client> {
    if (id === COMMAND_LINE.id) return COMMAND_LINE;
    if (isId('oac', id)) {
      const registered = await findRegistered(this.#deps.database, id);
      if (!registered || (registered.expiresAt !== null && registered.expiresAt <= now))
        throw new ApiError('invalid_client', { message: 'This client is not registered, or was forgotten.' });
      return asClient(registered);
    }
    const url = documentUrl(id, this.#isDevelopment);
    if (!url) throw new ApiError('invalid_client', { message: 'There is no client with this client_id.' });
    const { client, fault } = await this.#document(url, networks, now);
    if (!client)
      throw new ApiError('invalid_client', { message: `The metadata of this client cannot be used: ${fault}` });
    return client;
  }

  /** @throws ApiError `invalid_redirect_uri`, `invalid_client_metadata`, `rate_limited` */
  async register(
    tx: Tx,
    given: Record<string, unknown>,
    networks: ClientNetworks,
    now: number,
  ): Promise<RegisteredClient> {
    const metadata = readMetadata(given);
    const perHour = [windowRule(this.#deps.limits, 'client_registrations_per_ip_per_hour')];
    await takeNetworkWindow(tx, 'client-register', networks, perHour, now);
    const client = { id: newId('oac', now), ...metadata, createdAt: now, expiresAt: now + UNUSED_MS };
    await insertClient(tx, client);
    return client;
  }

  async #document(url: URL, networks: ClientNetworks, now: number): Promise<Known> {
    const known = this.#known.get(url.href);
    if (known && known.until > now) return known;
    const running = this.#fetching.get(url.href);
    if (running) return running;
    const { database, limits } = this.#deps;
    const perHour = [windowRule(limits, 'client_documents_per_ip_per_hour')];
    await database.transaction((tx) => takeNetworkWindow(tx, 'client-document', networks, perHour, now));
    if (this.#fetching.size >= FETCHES_MAX)
      throw new ApiError('invalid_client', { message: 'Too many clients are being looked up. Try again.' });
    const fetching = this.#fetch(url, now).finally(() => this.#fetching.delete(url.href));
    this.#fetching.set(url.href, fetching);
    return fetching;
  }

  async #fetch(url: URL, now: number): Promise<Known> {
    let known: Known;
    try {
      const { document, maxAgeSeconds } = await this.#fetchDocument(url);
      const metadata = readDocument(document, url.href);
      const wantedMs = maxAgeSeconds === null ? KEPT_MS.byDefault : maxAgeSeconds * 1000;
      const until = now + Math.min(Math.max(wantedMs, KEPT_MS.least), KEPT_MS.most);
      const client = {
        id: url.href,
        name: metadata.name ?? url.host,
        redirectUris: metadata.redirectUris,
        host: url.host,
      };
      known = { client, fault: '', until };
    } catch (err) {
      // Of a failed connection no detail: it would show what this service can reach.
      const fault = err instanceof ApiError ? err.message : 'it could not be fetched.';
      known = { client: null, fault, until: now + KEPT_MS.least };
    }
    this.#known.set(url.href, known);
    return known;
  }
}

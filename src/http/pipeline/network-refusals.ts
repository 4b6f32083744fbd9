import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { ApiError } from '../../api/errors.ts';
import type { LimitName } from '../../api/limits.ts';
import { type ClientNetwork, clientNetworks } from '../../base/client-network.ts';
import { secondsUntil } from '../../base/period.ts';

const NETWORKS_MAX = 10_000;

type Respond = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

interface Refusal {
  error: ApiError;
  until: number;
}

/** Every call of their endpoints counts against these limits. */
const PER_NETWORK: ReadonlySet<unknown> = new Set<LimitName>([
  'signups_per_ip_per_hour',
  'registrations_per_ip_per_hour',
  'logins_per_ip_per_hour',
  'passkey_logins_per_ip_per_hour',
  'recovery_codes_per_ip_per_hour',
  'legacy_vault_entries_per_ip_per_hour',
  'recoveries_per_ip_per_hour',
  'client_registrations_per_ip_per_hour',
  'credential_links_per_ip_per_hour',
]);

/**
 * The networks that have used up a limit of an endpoint. Their next calls are refused before a body is read, until the
 * limit admits one again. Each instance learns of a network by one call that it counted and refused.
 */
export class NetworkRefusals {
  /** Made with the first refusal: each endpoint has its own, and its room is taken when it is made, 240 KB. */
  #refusals: LRUCache<string, Refusal> | null = null;

  /** The same handler, whose refusals are remembered. */
  watch(respond: Respond, arrivedAt: (request: FastifyRequest) => number): Respond {
    return async (request, reply) => {
      try {
        return await respond(request, reply);
      } catch (err) {
        this.#note(request, err, arrivedAt(request));
        throw err;
      }
    };
  }

  /** Remembers a refusal by a limit that counts every call of a network. */
  #note({ ip }: Pick<FastifyRequest, 'ip'>, err: unknown, now: number): void {
    if (!(err instanceof ApiError) || err.code !== 'rate_limited') return;
    const { limit, retry_after: seconds } = err.fields as { limit?: { name: LimitName }; retry_after?: number };
    if (seconds === undefined || !PER_NETWORK.has(limit?.name)) return;
    const network = clientNetworks(ip).find(({ times }) => times === (err.cause as ClientNetwork | undefined)?.times);
    if (network === undefined) return;
    // The seconds were rounded up: a call must not be refused after its time.
    this.#refusals ??= new LRUCache({ max: NETWORKS_MAX });
    this.#refusals.set(network.name, { error: err, until: now + (seconds - 1) * 1000 });
  }

  /**
   * Refuses a call of such a network. A repeat with its key is read all the same: it gets its first reply again.
   * @throws ApiError `rate_limited`
   */
  require({ ip, headers }: Pick<FastifyRequest, 'ip' | 'headers'>, now: number): void {
    const refusals = this.#refusals;
    if (refusals === null || headers['idempotency-key'] !== undefined) return;
    const refusal = clientNetworks(ip)
      .map(({ name }) => refusals.get(name))
      .find((known) => known !== undefined && known.until > now);
    if (refusal === undefined) return;
    const { error, until } = refusal;
    const seconds = secondsUntil(until, now) + 1;
    throw new ApiError(error.code, {
      message: error.message,
      fields: { ...error.fields, retry_after: seconds },
      headers: { ...error.headers, 'retry-after': String(seconds), 'ratelimit-reset': String(seconds) },
    });
  }
}

import type { AuditNote, Endpoint, Reply } from '../api/endpoint.ts';
import type { ApiError } from '../api/errors.ts';
import type { Principal } from '../api/principal.ts';
import type { Reader, Tx } from '../api/transaction.ts';
import { networkOf } from '../base/client-network.ts';
import { newId } from '../base/ids.ts';
import type { IdempotentRequest } from './idempotency-key.ts';
import { type Need, requireAuthority, requireNotDeleting } from './pipeline/authenticate.ts';
import { noteForOwner, noteLimitOf } from './pipeline/refusals.ts';
import { type PipelinePorts, requireDiskSpace } from './pipeline/request-pipeline.ts';
import { transact } from './transact.ts';

type Ports = Parameters<typeof transact>[1] &
  Pick<PipelinePorts, 'mayStore' | 'hashIp' | 'noteRefusal' | 'noteLimit'> & { database: Reader };

/** Who calls, and what a repeat of the call is known by. */
interface ProgramCaller {
  principal: Principal;
  /** The client's address. */
  ip: string;
  /** A hash over all that makes it the same call. Null: each is another. */
  repeat: string | null;
  now: number;
}

/** Keys of clients never begin with a space, this one does. */
const repeatOf = ({ principal, repeat, now }: ProgramCaller): IdempotentRequest | null =>
  repeat === null ? null : { scope: principal.accountId, key: ` program ${repeat}`, fingerprint: repeat, now };

/**
 * An endpoint as a program calls it by another protocol. What every call of the endpoint must pass, and what it leaves
 * behind, is said once, in the pipeline: here are its checks and its transaction without HTTP.
 */
export class ProgramCall {
  readonly #endpoint: Endpoint;
  readonly #ports: Ports;

  constructor(operation: string, endpoints: readonly Endpoint[], ports: Ports) {
    const endpoint = endpoints.find((each) => each.operation === operation);
    if (endpoint === undefined) throw new Error(`there is no endpoint ${operation}`);
    this.#endpoint = endpoint;
    this.#ports = ports;
  }

  /** @throws ApiError `insufficient_scope`, `account_deleting`, `storage_unavailable`: what the gate refuses with */
  require(principal: Principal): void {
    const endpoint = this.#endpoint;
    requireDiskSpace(endpoint, endpoint.method, this.#ports);
    requireAuthority(principal, { ...(endpoint as Endpoint & Need), forClients: true });
    requireNotDeleting(principal, endpoint);
  }

  /** The reply to the first of equal calls, for 24 hours. Null: this is the first. */
  async first(caller: ProgramCaller): Promise<Reply | null> {
    const repeat = repeatOf(caller);
    return repeat && this.#ports.idempotency.find(this.#ports.database, repeat);
  }

  /** Does the work, once for all equal calls, with its audit entry in the same transaction. */
  transact(caller: ProgramCaller, work: (tx: Tx, audit: AuditNote) => Promise<Reply>): Promise<Reply> {
    const { principal, ip, now } = caller;
    const context = {
      principal,
      ip: this.#ports.hashIp(ip),
      network: networkOf(ip),
      requestId: newId('req', now),
      now,
      idempotent: repeatOf(caller),
      dryRun: null,
    };
    return transact(this.#endpoint, this.#ports, context, { committed: 0 }, work);
  }

  /** Notes a refusal for the owner and the administrator, as the pipeline does. */
  noteRefused(refusal: ApiError, { principal, ip, now }: Omit<ProgramCaller, 'repeat'>): void {
    noteLimitOf(refusal, principal.accountId, now, this.#ports);
    const refused = { principal, endpoint: this.#endpoint, resourceId: null, ip, requestId: newId('req', now), now };
    noteForOwner(refusal, refused, this.#ports);
  }
}

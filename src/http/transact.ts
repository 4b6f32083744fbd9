import { type AuditRecord, callerOf, consoleRead } from '../api/audit-record.ts';
import type { AuditNote, BatchOutcome, BatchWork, Endpoint, Reply } from '../api/endpoint.ts';
import type { ApiError } from '../api/errors.ts';
import type { Principal } from '../api/principal.ts';
import type { Database, DryRun, Tx } from '../api/transaction.ts';
import type { IdempotencyPort, IdempotentRequest } from './idempotency-key.ts';

/** The chain of anonymous calls, such as login mails. */
export const SERVICE_CHAIN = 'acc_service';

export interface TransactPorts {
  database: Database;
  /**
   * Checks the credential again, in the transaction of the effect: the body may have taken minutes, and the key may be
   * revoked.
   * @throws ApiError `unauthorized`; 403 when the account was suspended
   */
  confirm(tx: Tx, principal: Principal, endpoint?: Pick<Endpoint, 'auth' | 'whileSuspended'>): Promise<void>;
  /**
   * Refuses a mailed login whose address requires a passkey.
   * @throws ApiError `passkey_required`
   */
  requireLoginMethod(tx: Tx, principal: Principal): Promise<void>;
  /**
   * Like `confirm` for many keys of accounts themselves, with two statements.
   * @returns for each what `confirm` throws, or null
   */
  confirmKeys(
    tx: Tx,
    principals: readonly (Principal & { keyHash: string })[],
    endpoint: Pick<Endpoint, 'auth' | 'whileSuspended'>,
  ): Promise<(ApiError | null)[]>;
  /** Locks the chains that are free. @returns the accounts whose chains are locked now */
  reserveAudits(tx: Tx, accountIds: readonly string[]): Promise<ReadonlySet<string>>;
  appendAudits(tx: Tx, records: readonly AuditRecord[]): Promise<void>;
  idempotency: IdempotencyPort;
}

export interface TransactContext {
  principal: Principal | null;
  ip: string;
  /** See `AuditRecord.network`. */
  network: string | null;
  requestId: string;
  now: number;
  idempotent: IdempotentRequest | null;
  /** Null: the call is real. */
  dryRun: (DryRun & { note: AuditNote | null }) | null;
}

/** Thrown in the transaction so that it rolls back. It carries the reply: of a dry run, or to the first request. */
class RolledBack extends Error {
  readonly reply: Reply;
  constructor(reply: Reply) {
    super('rolled back');
    this.reply = reply;
  }
}

export const REPLAYED = { 'idempotency-replayed': 'true' };

/** True if any field of a schema is a secret that is shown once. */
export function revealsSecret(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  return 'x-secret' in schema || Object.values(schema).some(revealsSecret);
}

/** True if a reply holds such a secret. One that it leaves out is none. */
export function holdsSecret(schema: unknown, body: unknown): boolean {
  const { properties } = (schema ?? {}) as { properties?: Record<string, unknown> };
  if (properties === undefined || typeof body !== 'object' || body === null) return revealsSecret(schema);
  const held = Object.entries(properties).filter(([name]) => name in body);
  return revealsSecret({ ...(schema as object), properties: Object.fromEntries(held) });
}

/** How many transactions a call completed. The pipeline requires at least one of a `write` endpoint. */
export interface Effects {
  committed: number;
}

/** Checks the caller again, in the transaction. @throws ApiError `unauthorized`, `passkey_required` */
export async function confirmCaller(tx: Tx, principal: Principal, endpoint: Endpoint, ports: TransactPorts) {
  await ports.confirm(tx, principal, endpoint);
  if (endpoint.effect === 'write' && !endpoint.mailedLogin) await ports.requireLoginMethod(tx, principal);
}

/**
 * The only way for a handler to change anything. The effect, the audit entry and the stored idempotent reply commit in
 * one transaction, so none can exist without the others. In a dry run nothing commits.
 */
export async function transact(
  endpoint: Endpoint,
  ports: TransactPorts,
  { principal, idempotent, now, ip, network, requestId, dryRun }: TransactContext,
  effects: Effects,
  work: (tx: Tx, audit: AuditNote) => Promise<Reply>,
): Promise<Reply> {
  try {
    const result = await ports.database.transaction(async (tx) => {
      if (principal) await confirmCaller(tx, principal, endpoint, ports);
      if (idempotent) {
        const earlier = await ports.idempotency.begin(tx, idempotent);
        if (earlier) throw new RolledBack({ ...earlier, headers: REPLAYED });
      }
      const note: AuditNote = {
        accountId: principal?.accountId ?? SERVICE_CHAIN,
        resourceId: null,
        action: endpoint.action ?? endpoint.operation,
      };
      if (dryRun) {
        dryRun.note = note;
        throw new RolledBack(await work({ ...tx, dryRun }, note));
      }
      const outcome = await work(tx, note);
      const { status } = outcome;
      const caller = { ...callerOf(principal), ...consoleRead(endpoint.method, principal) };
      await ports.appendAudits(tx, [{ ...caller, ...note, ip, network, requestId, status, now }]);
      if (idempotent) {
        const body = holdsSecret(endpoint.replies[status], outcome.body) ? null : outcome.body;
        await ports.idempotency.finish(tx, idempotent, { status, body });
      }
      return outcome;
    });
    effects.committed += 1;
    return result;
  } catch (err) {
    if (!(err instanceof RolledBack)) throw err;
    effects.committed += 1;
    return err.reply;
  }
}

/** The work of one call of a batch, for a transaction that it shares with no other. */
export const alone =
  <I, O>(work: BatchWork<I, O>, input: I, answer: (value: O) => Reply) =>
  async (tx: Tx, note: AuditNote): Promise<Reply> => {
    const [outcome] = (await work.run(tx, [input])) as [BatchOutcome<O>];
    if ('refusal' in outcome) throw outcome.refusal;
    note.resourceId = outcome.resourceId;
    if (outcome.summary !== undefined) note.summary = outcome.summary;
    return answer(outcome.value);
  };

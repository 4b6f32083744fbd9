import type { Static, TObject, TSchema } from 'typebox';
import type { ApiError, ErrorCode } from './errors.ts';
import type { Principal } from './principal.ts';
import type { Tx } from './transaction.ts';

/**
 * An endpoint as data. One table of these feeds the router, validation, authentication, OpenAPI, 405s and the tests,
 * so that they cannot disagree.
 */

/**
 * Who may call. `key`: any account credential. `platform`: not a pod's. `backup`: a primary or a backup key.
 * `none`: everyone, unmetered.
 */
export type AuthNeed = 'none' | 'key' | 'platform' | 'backup';

/**
 * What a call does to the state. `none` reads. `write` changes it: a 2xx or 3xx reply must come out of
 * {@link Call.transact}, which also writes the audit entry. `lazy` reads, and may change (a GET that claims or expires).
 */
export type Effect = 'none' | 'write' | 'lazy';

export interface Reply<S extends number = number, B = unknown> {
  status: S;
  body: B;
  headers?: Record<string, string>;
}

export type ReplySchemas = Record<number, TSchema>;
export type ReplyOf<R extends ReplySchemas> = { [S in keyof R & number]: Reply<S, Static<R[S]>> }[keyof R & number];

/** What the audit entry of a call says beyond who, what and when; the handler fills it in inside the transaction. */
export interface AuditNote {
  /** Whose chain; preset to the caller, and to the service's own chain for anonymous calls. */
  accountId: string;
  resourceId: string | null;
  /** The action, preset from the descriptor, where one endpoint can do two things. */
  action: string;
}

/** What became of one call of a batch. */
export type BatchOutcome<O> = { value: O; resourceId: string | null } | { refusal: ApiError };

/** Work of calls that meet in the same rows, and so share a transaction instead of queueing for a lock each. */
export interface BatchWork<I, O> {
  /** Calls of one lane are decided in the order of their coming. */
  laneOf(input: I): string;
  /** Decides all and applies them; an outcome for each. A refusal must leave nothing written. */
  run(tx: Tx, inputs: readonly I[]): Promise<BatchOutcome<O>[]>;
}

export interface Call<A extends AuthNeed, P, Q, B, R extends ReplySchemas> {
  principal: A extends 'none' ? null : Principal;
  params: P;
  query: Q;
  body: B;
  /** Arrival time, milliseconds. */
  now: number;
  /** The client's address after trusted proxies. */
  ip: string;
  requestId: string;
  header(name: string): string | undefined;
  /** Aborted once the reply is sent or the client has hung up: for what waits. Made when asked for. */
  gone(): AbortSignal;
  /**
   * The one way a handler changes anything: effect, audit entry and stored idempotent reply commit together.
   * May run `work` again after a serialization conflict, so `work` must have no effect outside `tx`.
   */
  transact(work: (tx: Tx, audit: AuditNote) => Promise<ReplyOf<R>>): Promise<ReplyOf<R>>;
  /**
   * The same for a call that shares its transaction with others: each has its audit entry, its kept reply and its own
   * outcome, and a fault that hits them together has each tried again alone. `answer` must be pure.
   */
  transactBatch<I, O>(work: BatchWork<I, O>, input: I, answer: (value: O) => ReplyOf<R>): Promise<ReplyOf<R>>;
}

export interface EndpointSpec<
  A extends AuthNeed,
  P extends TObject,
  Q extends TObject,
  B extends TSchema,
  R extends ReplySchemas,
> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `{name}` parameters, as in the specification. */
  path: string;
  /** OpenAPI operationId, and later the client's method name. */
  operation: string;
  tag: string;
  summary: string;
  description?: string;
  auth: A;
  effect: Effect;
  /**
   * Audit action, `category.verb`; required unless the effect is `none`. A read that has one is put on record within a
   * second of its reply, with the first parameter of the path as its resource.
   */
  action?: string;
  params?: P;
  query?: Q;
  body?: B;
  /** Also takes the body as a form, whose undeclared fields are passed over (RFC 7662 2.1, RFC 7009 2.1). */
  form?: true;
  /**
   * Refuses no body that it can read: an unknown field, one that does not fit, and a body that is neither JSON nor a
   * form count as absent (RFC 7662 2.2: any token that is not active is answered alike).
   */
  anyBody?: true;
  /** Bytes; 1 MiB unless told. */
  bodyLimitBytes?: number;
  /**
   * May be paid for: takes `X-PAYMENT` or `PAYMENT-SIGNATURE`. A repeat of the same request with the same payment is
   * answered by the first reply; a reply that was paid for names its `payment_id`, and gets the headers of its receipt.
   */
  payable?: boolean;
  replies: R;
  /** Codes of the error table this endpoint may answer beyond those every endpoint may. */
  errors: readonly ErrorCode[];
  /** Named codes of the specification for a part that does not fit: JSON pointer (`/body/address`) → code. */
  codes?: Record<string, ErrorCode>;
  handle(call: Call<A, Static<P>, Static<Q>, Static<B>, R>): Promise<ReplyOf<R>>;
}

/** A descriptor with its types erased, as the table holds it. */
export interface Endpoint extends Omit<EndpointSpec<AuthNeed, TObject, TObject, TSchema, ReplySchemas>, 'handle'> {
  handle(call: Call<AuthNeed, unknown, unknown, unknown, ReplySchemas>): Promise<Reply>;
}

/** Declares an endpoint; the handler's request and reply types follow from the schemas. */
export function endpoint<
  A extends AuthNeed,
  R extends ReplySchemas,
  P extends TObject = TObject<Record<never, never>>,
  Q extends TObject = TObject<Record<never, never>>,
  B extends TSchema = TObject<Record<never, never>>,
>(spec: EndpointSpec<A, P, Q, B, R>): Endpoint {
  return spec as unknown as Endpoint;
}

/** A reply whose status is kept as a literal type. */
export const reply = <const S extends number, B>(status: S, body: B, headers?: Record<string, string>): Reply<S, B> =>
  headers ? { status, body, headers } : { status, body };

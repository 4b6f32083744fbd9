import type { Static, TObject, TSchema } from 'typebox';
import type { AuditChange } from './audit-record.ts';
import type { ApiError, ErrorCode } from './errors.ts';
import type { CallBucket } from './metering/call-bucket.ts';
import type { AuditActor, Principal } from './principal.ts';
import type { Scope } from './scopes.ts';
import type { Tool } from './tool.ts';
import type { DryRun, Tx } from './transaction.ts';
import type { WayOut } from './way-out.ts';

/**
 * An endpoint as data. The router, validation, authentication, OpenAPI, 405 replies and the tests all read one table of
 * endpoints, so they cannot disagree.
 */

/**
 * Who may call. `key`: any credential of an account. `platform`: any but a pod's. `backup`: a primary or a backup key.
 * `person`: a session, for the person's address, whatever account it acts for. `none`: everyone; such calls are not
 * metered. `optional`: like `key` when the call has an `Authorization` header, else like `none`.
 */
export type AuthNeed = 'none' | 'optional' | 'key' | 'platform' | 'backup' | 'person';

/**
 * What a credential that is limited to addresses gets (`principal.addresses`). `filtered`: only what concerns its
 * addresses; the handler sees to it, and test/contract/addresses.test.ts tries each such endpoint. `none`: the call is
 * not about addresses, so it is answered like any other. `refused`: 403, because the reply or the effect cannot be kept
 * to some addresses.
 */
export type ByAddress = 'filtered' | 'none' | 'refused';

/**
 * What a credential needs besides its kind. An endpoint that needs a credential names a scope. `wholeAccount`: the
 * call creates or changes what would outlive or exceed a named key, so a named key or access token is refused whatever
 * its scopes. Any other endpoint says what a key that is limited to addresses gets. `outlives`: the effect would
 * outlast an access token, so an access token is refused. `leavesAccess`: what the call creates works without this
 * credential, such as a webhook. As for `wholeAccount` and `outlives`, the account is locked before the credential is
 * checked. `passesOn`: an access token needs no scope, because the rules decide what it may pass on. `anyScope`: no
 * credential needs the scope, because each part of the reply is only for those that have the scope of that part. `mailedLogin`: a
 * mailed login may make this change although its address requires a passkey. `whileSuspended`: the call takes access
 * away, so an operator's suspension of the account does not bar it.
 */
type Authority<A extends AuthNeed> = A extends 'none'
  ? {
      [K in
        | 'scope'
        | 'wholeAccount'
        | 'addresses'
        | 'outlives'
        | 'leavesAccess'
        | 'passesOn'
        | 'anyScope'
        | 'mailedLogin'
        | 'whileSuspended']?: never;
    }
  : {
      scope: Scope;
      outlives?: true;
      leavesAccess?: true;
      passesOn?: true;
      anyScope?: true;
      mailedLogin?: true;
      whileSuspended?: true;
    } & ({ wholeAccount: true; addresses?: never } | { wholeAccount?: never; addresses: ByAddress });

/**
 * What a call does to the state. `none` reads. `write` changes it: a 2xx or 3xx reply must come from {@link Call.transact},
 * which also writes the audit entry. `lazy` reads and may change (a GET that claims or expires something).
 */
export type Effect = 'none' | 'write' | 'lazy';

/** By which ways a call lets something out of the account, at once or later. A call that may write says so, or `[]`. */
type Leaving = { effect: 'none'; leaves?: readonly WayOut[] } | { effect: 'write' | 'lazy'; leaves: readonly WayOut[] };

export interface Reply<S extends number = number, B = unknown> {
  status: S;
  body: B;
  headers?: Record<string, string>;
}

export type ReplySchemas = Record<number, TSchema>;
export type ReplyOf<R extends ReplySchemas> = { [S in keyof R & number]: Reply<S, Static<R[S]>> }[keyof R & number];

/** The part of a call's audit entry that the handler can set, inside the transaction. */
export interface AuditNote {
  /** The account whose chain the entry joins. Preset to the caller, or to the service's own chain for anonymous calls. */
  accountId: string;
  resourceId: string | null;
  /** The action. Preset from the descriptor; set it when one endpoint can do two things. */
  action: string;
  /** Who acts, where that is not the caller as it was read: a mailed link or a login proves a person. */
  actor?: AuditActor;
  /** What was done, in words, where the words of the action do not say it. */
  summary?: string;
  change?: AuditChange;
}

/** The outcome of one call of a batch. */
export type BatchOutcome<O> = { value: O; resourceId: string | null; summary?: string } | { refusal: ApiError };

/** Work of calls that need the same rows. They share a transaction instead of each waiting for a lock. */
export interface BatchWork<I, O> {
  /** The lane of a call. Calls of one lane are decided in the order in which they arrived. */
  laneOf(input: I): string;
  /** Decides and applies all calls, and returns an outcome for each. A refused call must write nothing. */
  run(tx: Tx, inputs: readonly I[]): Promise<BatchOutcome<O>[]>;
  /** Lets calls of many lanes share a transaction, on PostgreSQL. */
  across?: BatchAcross<I, O>;
}

interface SharedBatch<I, O> {
  isFree(input: I): boolean;
  decide(open: readonly I[]): Promise<(BatchOutcome<O> | null)[]>;
}

/**
 * Runs calls of several lanes in one transaction. It never waits for a lock, so one slow holder delays no other call.
 */
interface BatchAcross<I, O> {
  /** Whether a call may. It goes alone, in its own lane, otherwise. */
  mayJoin(input: I): boolean;
  /**
   * Locks what is free. @returns which calls it is locked for, and what decides such calls like
   * {@link BatchWork.run}, with null for one that must go alone nevertheless, of which nothing is written
   */
  lockFree(tx: Tx, inputs: readonly I[]): Promise<SharedBatch<I, O>>;
}

export interface Call<A extends AuthNeed, P, Q, B, R extends ReplySchemas> {
  principal: A extends 'none' ? null : A extends 'optional' ? Principal | null : Principal;
  params: P;
  query: Q;
  body: B;
  /** Arrival time, milliseconds. */
  now: number;
  /** The client's address after trusted proxies. */
  ip: string;
  requestId: string;
  /** The refusal of a call that `afterDay` let through. Null: the day’s quota has room. */
  spent: ApiError | null;
  /** Set where nothing is to happen: then a handler asks no other service, and writes nothing beside {@link transact}. */
  dryRun: DryRun | null;
  header(name: string): string | undefined;
  /**
   * A signal for work that waits. Aborted once the reply is sent or the client has disconnected. Created on the first
   * call.
   */
  gone(): AbortSignal;
  /**
   * The only way for a handler to change anything. The effect, the audit entry and the stored idempotent reply commit
   * together. `work` can run again after a serialization conflict, so it must have no effect outside `tx`. In a dry run
   * nothing of it stays, so that a second one would not see what the first one did.
   */
  transact(work: (tx: Tx, audit: AuditNote) => Promise<ReplyOf<R>>): Promise<ReplyOf<R>>;
  /**
   * The same for a call that shares its transaction with others. Each call has its own audit entry, stored reply and
   * outcome. After a fault in the shared transaction each call is tried again alone. `answer` must be pure.
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
  /** Other paths that answer the same. `GET /api` does not list them. */
  aliases?: readonly string[];
  /** The OpenAPI operationId, and the method name in the clients. */
  operation: string;
  tag: string;
  summary: string;
  description?: string;
  auth: A;
  /**
   * The bucket that counts the calls, for calls that take something away or show what can be taken away. Absent: they
   * count against the day’s quota.
   */
  bucket?: CallBucket;
  /**
   * The bucket that counts a call once the day’s quota is used up, where the body decides whether the call takes
   * something away. If it does not, the handler throws {@link Call.spent}.
   */
  afterDay?: 'revoke';
  /**
   * For what a console saves while a person types: of a console session it counts with the reads, not against the day.
   * Given the body as it came; false: it does more than that, and counts as any write.
   */
  typed?: (body: unknown) => boolean;
  /**
   * Audit action, `category.verb`; required unless the effect is `none`. A read with an action gets its audit entry within
   * a second of its reply. The resource of that entry is the first path parameter.
   */
  action?: string;
  params?: P;
  query?: Q;
  body?: B;
  /** Also accepts the body as a form. Undeclared form fields are ignored (RFC 7662 2.1, RFC 7009 2.1). */
  form?: true;
  /**
   * Accepts any body. Unknown fields, fields that do not fit, and a body that is neither JSON nor a form count as absent
   * (RFC 7662 2.2: every token that is not active gets the same reply).
   */
  anyBody?: true;
  /**
   * Sends a long reply compressed. Only where it holds no secret, no code, and no words of others beside the account's own:
   * the length of a compressed reply tells what repeats in it (BREACH).
   */
  compressed?: true;
  /** Scripts of any website may call it (CORS). For calls that need no credential, or only what the script itself holds. */
  cors?: true;
  /** The media type of the text that a successful reply may also be: see {@link asText}. */
  alsoText?: 'text/plain' | 'text/csv';
  /** With `auth: 'optional'`: whether a call of this path is one that needs no credential, so that none is looked at. */
  isOpen?(path: string): boolean;
  /** In bytes. By default 1 MiB; 16 KiB where no credential is needed, or where the schema allows no longer body. */
  bodyLimitBytes?: number;
  /**
   * Accepts a payment in `X-PAYMENT` or `PAYMENT-SIGNATURE`. A repeat of the same request with the same payment gets the
   * first reply again. A reply that was paid for has a `payment_id` and the headers of its receipt.
   */
  payable?: boolean;
  /** It cannot be tried, because a secret in the request is checked. See {@link Endpoint.dryRun}. */
  dryRun?: false;
  /** The tools for models that call this endpoint. */
  tools?: readonly Tool[];
  /** False: no model may call this endpoint, except by its own tool. */
  model?: false;
  replies: R;
  /** Error codes of this endpoint, beside those that every endpoint can return. */
  errors: readonly ErrorCode[];
  /** The codes that the specification names for an invalid part, by JSON pointer (`/body/address`). */
  codes?: Record<string, ErrorCode>;
  handle(call: Call<A, Static<P>, Static<Q>, Static<B>, R>): Promise<ReplyOf<R>>;
}

type ErasedSpec = EndpointSpec<AuthNeed, TObject, TObject, TSchema, ReplySchemas>;

/** A descriptor with its types erased, as the table holds it. */
export interface Endpoint extends Omit<ErasedSpec, 'handle' | 'dryRun'> {
  /** Whether `dry_run=true` tries it. False: that is refused. Undefined: it is a read, to which that means nothing. */
  dryRun?: boolean | undefined;
  effect: Effect;
  leaves?: readonly WayOut[];
  /** Undefined only where `auth` is `none`. */
  scope?: Scope;
  wholeAccount?: true;
  outlives?: true;
  leavesAccess?: true;
  passesOn?: true;
  anyScope?: true;
  mailedLogin?: true;
  /** Undefined where `auth` is `none`, or `wholeAccount` is true. */
  addresses?: ByAddress;
  whileSuspended?: true;
  handle(call: Call<AuthNeed, unknown, unknown, unknown, ReplySchemas>): Promise<Reply>;
}

/** Declares an endpoint. The handler's request and reply types are derived from the schemas. */
export function endpoint<
  A extends AuthNeed,
  R extends ReplySchemas,
  P extends TObject = TObject<Record<never, never>>,
  Q extends TObject = TObject<Record<never, never>>,
  B extends TSchema = TObject<Record<never, never>>,
>(spec: EndpointSpec<A, P, Q, B, R> & Authority<A> & Leaving): Endpoint {
  const plain = spec as unknown as Endpoint;
  return { ...plain, dryRun: canBeTried(plain) };
}

/** What a credential or session of an account changes can be tried, unless its descriptor says otherwise. */
function canBeTried({ method, effect, auth, dryRun }: Endpoint): boolean | undefined {
  if (method === 'GET') return effect === 'none' ? undefined : false;
  return dryRun !== false && effect !== 'none' && auth !== 'none' && auth !== 'optional';
}

/** Builds a reply and keeps its status as a literal type. */
export const reply = <const S extends number, B>(status: S, body: B, headers?: Record<string, string>): Reply<S, B> =>
  headers ? { status, body, headers } : { status, body };

/** Builds a reply of text, for an endpoint whose reply is JSON otherwise. It must declare `alsoText`. */
export const asText = <const S extends number>(
  status: S,
  text: string,
  headers: Record<string, string> = {},
): Reply<S, never> => ({ status, body: text as never, headers });

/** The media type of a reply that is sent as it is. Undefined: it is sent as JSON. */
export const mediaTypeOf = ({ replies, alsoText }: Endpoint, status: number, body: unknown): string | undefined =>
  (replies[status] as { contentMediaType?: string } | undefined)?.contentMediaType ??
  (alsoText && typeof body === 'string' ? `${alsoText}; charset=utf-8` : undefined);

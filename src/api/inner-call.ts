/** A call to an endpoint from inside the service, on behalf of a client. */
export interface InnerRequest {
  method: string;
  /** With the query, percent-encoded. */
  url: string;
  /** The credential, the account it acts for, the idempotency key. Lower-case names. */
  headers: Record<string, string>;
  body?: unknown;
  /** The client's address after trusted proxies. */
  ip: string;
  /** Aborted when the client has disconnected. */
  gone: AbortSignal;
  /** A reply that says to be longer is not read: it is 413 without a body. */
  bytesMax?: number;
}

export interface InnerReply {
  status: number;
  headers: Readonly<Record<string, string | undefined>>;
  bytes: Buffer;
  /** The parsed body of JSON, or a text; null if it is empty or neither. */
  body: unknown;
}

/**
 * Calls an endpoint with everything that a call over the network gets: authentication, scopes, metering, validation,
 * idempotency, audit and metrics.
 */
export type Dispatch = (request: InnerRequest) => Promise<InnerReply>;

/** How an operation goes over the wire; `operations.ts` holds one row for each, made from the service's endpoint table. */
export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `{name}` parameters. */
  path: string;
  /** True where a repeat does no harm: nothing is done, or it is done once by its `Idempotency-Key`. */
  repeatable: boolean;
  /** Which input fields go into the query. */
  query: readonly string[];
  /** `fields`: the rest of the input is the body. `whole`: the input's `body` is, for it may be an array. */
  body: 'none' | 'fields' | 'whole';
  /** `bytes`: not JSON. `text`: not JSON, but readable. `location`: a redirect, told and not followed. */
  reply: 'json' | 'bytes' | 'text' | 'location';
  page?: Page;
}

/** How a list goes on: which reply field holds the entries, and which query parameter takes the reply's `next`. */
export interface Page {
  items: string;
  cursor: string;
  /** Where the next cursor stands in the reply. */
  next: readonly string[];
}

/** What one call does differently from the client. */
export interface CallOptions {
  /** Ends the call, and the waiting between attempts, with the signal's reason. */
  signal?: AbortSignal;
  /** For each attempt, until the reply is there whole. */
  timeoutMs?: number;
  /** Attempts beyond the first. */
  retries?: number;
  /** `false`: replies without fields for people. */
  verbose?: boolean;
  /** Of a POST or PUT; a random one unless told. Keep your own where a repeat must survive the end of the process. */
  idempotencyKey?: string;
  /** `X-PAYMENT`: pays for what a 402 refused. */
  payment?: string;
  /** Further headers: `if-match`, `if-none-match`, … */
  headers?: Record<string, string>;
}

/** A reply with what comes beside the body. */
export interface FullReply<Body> {
  status: number;
  headers: Headers;
  body: Body;
  requestId: string | null;
}

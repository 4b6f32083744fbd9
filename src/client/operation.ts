/** The request of an operation. `operations.ts` holds one row for each, generated from the service's endpoint table. */
export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `{name}` parameters. */
  path: string;
  /** True when a repeat is safe: nothing is changed, or the change happens once by its `Idempotency-Key`. */
  repeatable: boolean;
  /** The input fields that go into the query. */
  query: readonly string[];
  /** `fields`: the rest of the input is the body. `whole`: the input's `body` is, for it may be an array. */
  body: 'none' | 'fields' | 'whole';
  /** `bytes`: not JSON. `text`: not JSON, but readable. `location`: a redirect, returned and not followed. */
  reply: 'json' | 'bytes' | 'text' | 'location';
  page?: Page;
}

/** How to get the next page: which reply field holds the entries, and which query parameter takes the reply's `next`. */
export interface Page {
  items: string;
  cursor: string;
  /** Where the next cursor stands in the reply. */
  next: readonly string[];
}

/** Options of one call; they replace those of the client. */
export interface CallOptions {
  /** Aborts the call, and the pause between attempts, with the signal's reason. */
  signal?: AbortSignal;
  /** For each attempt, until the reply is complete. */
  timeoutMs?: number;
  /** Attempts beyond the first. */
  retries?: number;
  /** `false`: replies without fields for people. */
  verbose?: boolean;
  /** Of a POST or PUT; random by default. Set your own when a repeat must survive the end of the process. */
  idempotencyKey?: string;
  /** `X-PAYMENT`: the payment that a 402 asked for. */
  payment?: string;
  /** Further headers: `if-match`, `if-none-match`, … */
  headers?: Record<string, string>;
}

/** A reply with its status and headers. */
export interface FullReply<Body> {
  status: number;
  headers: Headers;
  body: Body;
  requestId: string | null;
}

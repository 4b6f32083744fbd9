/** The request of an operation. `operations.ts` holds one row for each, generated from the service's endpoint table. */
export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `{name}` parameters. */
  path: string;
  /** True if a retry is safe: it changes nothing, or an `Idempotency-Key` makes the change happen only once. */
  repeatable: boolean;
  /** The input fields that go into the query: `name`, or `query_name:name` where the body has that name too. */
  query: readonly string[];
  /** `fields`: the remaining input fields are the body. `whole`: the input's `body` is, because it may be an array. */
  body: 'none' | 'fields' | 'whole';
  /** `bytes`: not JSON. `text`: not JSON, but readable. `location`: a redirect, returned and not followed. */
  reply: 'json' | 'bytes' | 'text' | 'location';
  page?: Page;
  /** The input field that takes the only address of the account, when it is left out. */
  own?: 'address' | 'from';
  /** Its method in a group: `email` and `send` make `signet.email.send`. */
  group: string;
  name: string;
  /** Its earlier names there. */
  former?: readonly string[];
}

/** A file of a mail: a `File`, or a name with bytes, a `Blob` or base64. */
export type AttachedFile =
  | File
  | { filename: string; content: string | Uint8Array | Blob; content_type?: string | undefined };

/** How to get the next page: which reply field holds the entries, and which query parameter takes the reply's `next`. */
export interface Page {
  items: string;
  cursor: string;
  /** The reply field with the next cursor. */
  next: readonly string[];
}

/** Options of one call; they replace those of the client. */
export interface CallOptions {
  /** Aborts the call, and the pause between attempts, with the signal's reason. */
  signal?: AbortSignal;
  /** Time limit of each attempt, until the reply is complete. */
  timeoutMs?: number;
  /** Attempts after the first. */
  retries?: number;
  /** `false`: leave out fields for people. */
  verbose?: boolean;
  /** For a POST or PUT; random by default. Set your own to retry safely after the process ends. */
  idempotencyKey?: string;
  /** Tries a write: the reply is that of the call, and nothing is changed. */
  dryRun?: boolean;
  /** `X-PAYMENT`: the payment that a 402 asked for. */
  payment?: string;
  /** Additional headers: `if-match`, `if-none-match`, … */
  headers?: Record<string, string>;
}

/** A reply with its status and headers. */
export interface FullReply<Body> {
  status: number;
  headers: Headers;
  body: Body;
  requestId: string | null;
}

import { randomBytes } from 'node:crypto';
import type { Endpoint } from '../../api/endpoint.ts';
import type { Principal } from '../../api/principal.ts';
import type { Json } from './mcp-messages.ts';
import { fence, fenceWords, isOwnReply, type SchemaNode, sizeOf } from './words-of-others.ts';

/** How much of a reply a model is shown. */

/** How many entries a list has unless the model says otherwise, and how long it may be then, in bytes. */
export const LIST_LIMIT = 8;
const LIST_BYTES = 6 * 1024;
/** How long any other result may be, beside a page of text. */
const RESULT_BYTES = 12 * 1024;

/** How long a list may be: as many entries more than by default, as many bytes more. */
export const listBytes = (limit: unknown, byDefault: number): number =>
  LIST_BYTES * Math.max(1, (typeof limit === 'number' ? limit : byDefault) / byDefault);

const newNonce = (): string => randomBytes(16).toString('hex');

/** A reply that is no object: nothing, or words that others may have written. */
export const shownText = (body: unknown): Json =>
  body === null ? { body } : { untrusted: fence(typeof body === 'string' ? body : JSON.stringify(body), newNonce()) };

/** A refusal. Of a call about the mail of others it may name them. */
export function shownRefusal(endpoint: Endpoint, body: Json): Json {
  if (body.status === 400 || isOwnReply(endpoint)) return body;
  const { details: _, ...said } = body;
  const reply = { body: said, schemas: [], accountId: null, isList: false, isRefusal: true };
  return fenceWords(reply, newNonce(), RESULT_BYTES);
}

/**
 * A reply with the words of others in fences.
 * @param bytesMax how long a list may be
 * @param whole the text that is not cut
 */
export function shownReply(
  endpoint: Endpoint,
  body: Json,
  principal: Principal | null,
  { bytesMax, whole }: { bytesMax: number; whole?: string | undefined },
): Json {
  if (isOwnReply(endpoint)) return body;
  const isList = endpoint.query?.properties?.limit !== undefined;
  const schemas = Object.values(endpoint.replies) as unknown as SchemaNode[];
  const reply = { body, schemas, accountId: principal?.accountId ?? null, isList, whole };
  return fenceWords(reply, newNonce(), isList ? bytesMax : RESULT_BYTES + sizeOf(body[whole ?? ''] ?? ''));
}

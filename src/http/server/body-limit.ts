import type { TSchema } from 'typebox';
import type { Endpoint } from '../../api/endpoint.ts';

/** The framework's limit, for whatever needs much. */
export const BODY_LIMIT_BYTES = 1_048_576;
/** For calls without a credential, and for bodies that cannot be longer. */
const SMALL_BODY_BYTES = 16_384;
/** A character may be sent as `\ud83d\ude00`. */
const CHARACTER_BYTES = 12;
/** Of a number, `true` or `null`, and of an unknown shape without text. */
const SCALAR_BYTES = 32;

interface Shape {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  maxLength?: number;
  maxItems?: number;
  items?: Shape;
  properties?: Record<string, Shape>;
  patternProperties?: unknown;
  additionalProperties?: unknown;
  anyOf?: Shape[];
  allOf?: Shape[];
}

const textBytes = (characters: number): number => 2 + characters * CHARACTER_BYTES;
const sum = (sizes: readonly number[]): number => sizes.reduce((all, size) => all + size, 0);

/** The length of the longest JSON that a schema allows, without spaces. Infinity if it sets no bound. */
function bytesMax(shape: Shape): number {
  if (shape.const !== undefined) return textBytes(String(shape.const).length);
  if (shape.enum) return Math.max(...shape.enum.map((value) => textBytes(String(value).length)));
  if (shape.anyOf) return Math.max(...shape.anyOf.map(bytesMax));
  if (shape.allOf) return sum(shape.allOf.map(bytesMax));
  switch (shape.type) {
    case 'string':
      return textBytes(shape.maxLength ?? Number.POSITIVE_INFINITY);
    case 'number':
    case 'integer':
    case 'boolean':
    case 'null':
      return SCALAR_BYTES;
    case 'array':
      return 2 + (shape.maxItems ?? Number.POSITIVE_INFINITY) * (1 + bytesMax(shape.items ?? {}));
    case 'object': {
      if (shape.patternProperties || shape.additionalProperties) return Number.POSITIVE_INFINITY;
      const members = Object.entries(shape.properties ?? {});
      return 2 + sum(members.map(([name, member]) => textBytes(name.length) + 2 + bytesMax(member)));
    }
    default:
      return Number.POSITIVE_INFINITY;
  }
}

const isOpenToAll = ({ auth }: Endpoint): boolean => auth === 'none' || auth === 'optional';

/**
 * How long the body of a call may be, in bytes. Longer ones are refused before they are parsed: 16 KiB where strangers
 * may call, and where the schema allows no longer body.
 */
export function bodyLimitOf(endpoint: Endpoint): number {
  const { body, bodyLimitBytes, anyBody } = endpoint;
  if (bodyLimitBytes !== undefined) return bodyLimitBytes;
  if (anyBody) return BODY_LIMIT_BYTES;
  if (isOpenToAll(endpoint)) return SMALL_BODY_BYTES;
  return body === undefined || bytesMax(body as TSchema & Shape) <= SMALL_BODY_BYTES
    ? SMALL_BODY_BYTES
    : BODY_LIMIT_BYTES;
}

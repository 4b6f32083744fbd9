import type { Readable } from 'node:stream';
import { type TSchema, Type } from 'typebox';

/**
 * Schema building blocks. Two of our own annotations travel in them into OpenAPI:
 * `x-guidance` marks prose for people that `?verbose=false` removes (spec, conventions 3), `x-secret` a value shown once.
 */
export const guidance = <T extends TSchema>(schema: T): T => ({ ...schema, 'x-guidance': true });
export const secret = <T extends TSchema>(schema: T): T => ({ ...schema, 'x-secret': true });

/**
 * Gives a schema a name of its own in OpenAPI (`#/components/schemas/…`), so that several endpoints refer to one schema.
 * The keyword is ours and is removed there; `$id` would not do, because Ajv refuses one id twice.
 */
export const named = <T extends TSchema>(name: string, schema: T): T => ({ ...schema, 'x-name': name });

/** A closed object: a reply with another field is a bug, a request with another field is answered 400. */
export const record = <T extends Record<string, TSchema>>(properties: T, options: Record<string, unknown> = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

export const nullable = <T extends TSchema>(schema: T, options: Record<string, unknown> = {}) =>
  Type.Union([schema, Type.Null()], options);

/** One of the given words. */
export const oneOf = <const T extends readonly string[]>(words: T, options: Record<string, unknown> = {}) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...words], ...options });

export const timestamp = (options: Record<string, unknown> = {}) => Type.String({ format: 'date-time', ...options });

/** Bounded text. Every string a stranger sends has a limit. */
export const text = (maxLength: number, options: Record<string, unknown> = {}) =>
  Type.String({ maxLength, ...options });

/** No line breaks, no other control characters. */
export const ONE_LINE_PATTERN = '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$';

/** A name or label: one line, so that it can stand in a mail, a log or a terminal without adding lines of its own. */
export const line = (maxLength: number, options: Record<string, unknown> = {}) =>
  Type.String({ maxLength, pattern: ONE_LINE_PATTERN, ...options });

/** A reply that is not JSON, sent as it is with this media type. */
export const media = (contentMediaType: string, description: string) =>
  Type.Unsafe<string | Uint8Array | Readable>({ type: 'string', contentMediaType, description });

/** The `limit` query parameter of a list. */
export const limitParam = (defaultLimit: number, maximum: number) =>
  Type.Optional(
    named(
      `limit${defaultLimit}To${maximum}`,
      Type.Integer({
        minimum: 1,
        maximum,
        default: defaultLimit,
        description: `Entries per page, ${defaultLimit} by default.`,
      }),
    ),
  );

export const cursorParam = () =>
  Type.Optional(named('cursor', text(512, { description: 'The `next_cursor` of the page before.' })));
export const nextCursor = () =>
  named(
    'NextCursor',
    nullable(Type.String({ description: 'Pass as `cursor` to get the next page; null at the end.' })),
  );

/** The `wait` query parameter of a list that answers when there is something in it. */
export const waitParam = () =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 60,
      description: 'Seconds to wait for a first entry when there is none: the reply comes as soon as there is one.',
    }),
  );

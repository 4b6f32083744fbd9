import type { Readable } from 'node:stream';
import type { TSchema, TString } from 'typebox';
import { Type } from '../base/schema.ts';

/**
 * Schema building blocks. Annotations of ours appear in OpenAPI: `x-guidance` marks text for people that
 * `?verbose=false` removes (spec, conventions 3), and `x-secret` marks a value that is shown once.
 * A third, `x-signed`, marks what the service signed: others believe it wherever it comes from. A dry run shows neither.
 * `x-audit` marks what the audit log may keep before and after a change: no secret, no words of mail, no address of a person.
 */
export const guidance = <T extends TSchema>(schema: T): T => ({ ...schema, 'x-guidance': true });
/** A field that repeats another, for clients that look for it under this name. It is text unless `schema` says otherwise. */
export const sameAs = <T extends TSchema = TString>(field: string, schema = Type.String() as TSchema as T): T => ({
  ...schema,
  description: `The same as \`${field}\`.`,
  deprecated: true,
});
export const secret = <T extends TSchema>(schema: T): T => ({ ...schema, 'x-secret': true });
export const audited = <T extends TSchema>(schema: T): T => ({ ...schema, 'x-audit': true });
export const signed = <T extends TSchema>(schema: T): T => ({ ...schema, 'x-signed': true });

/**
 * Names a schema in OpenAPI (`#/components/schemas/…`), so that several endpoints can refer to it. The keyword `x-name`
 * does not appear in the document. `$id` would not work, because Ajv refuses the same id twice.
 */
export const named = <T extends TSchema>(name: string, schema: T): T => ({ ...schema, 'x-name': name });

/** A closed object. A request with another field gets a 400; a reply with another field is a bug. */
export const record = <T extends Record<string, TSchema>>(properties: T, options: Record<string, unknown> = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

export const nullable = <T extends TSchema>(schema: T, options: Record<string, unknown> = {}) =>
  Type.Union([schema, Type.Null()], options);

/** A string that is one of the given words. */
export const oneOf = <const T extends readonly string[]>(words: T, options: Record<string, unknown> = {}) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...words], ...options });

export const timestamp = (options: Record<string, unknown> = {}) => Type.String({ format: 'date-time', ...options });

/** Text of limited length. Every string in a request has a limit. */
export const text = (maxLength: number, options: Record<string, unknown> = {}) =>
  Type.String({ maxLength, ...options });

/** Text without line breaks and other control characters. */
export const ONE_LINE_PATTERN = '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$';

/** A name or label. It is one line, so that it cannot add lines to a mail, a log or a terminal. */
export const line = (maxLength: number, options: Record<string, unknown> = {}) =>
  Type.String({ maxLength, pattern: ONE_LINE_PATTERN, ...options });

/** A reply that is not JSON. It is sent unchanged with this media type. */
export const media = (contentMediaType: string, description: string) =>
  Type.Unsafe<string | Uint8Array | Readable>({ type: 'string', contentMediaType, description });

/** Declares the `limit` query parameter of a list. */
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
  Type.Optional(named('cursor', text(512, { description: 'The `next_cursor` of the previous page.' })));
export const nextCursor = () =>
  named(
    'NextCursor',
    nullable(Type.String({ description: 'Pass as `cursor` to get the next page; null at the end.' })),
  );

/** Declares the `wait` query parameter of a list, for long polling. */
export const waitParam = () =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 60,
      description: 'Seconds to wait while the list is empty. The reply comes as soon as it has an entry.',
    }),
  );

/** Declares the `status` query parameter of a log. */
export const statusParam = () =>
  Type.Optional(
    named('statusFilter', Type.String({ pattern: '^[1-5](?:[0-9]{2}|xx)$', description: 'As `403` or `4xx`.' })),
  );

/** Whether a status is the given one, or of the given class. */
export const hasStatus = (status: number, wanted: string): boolean =>
  wanted.endsWith('xx') ? String(status).startsWith(wanted.slice(0, 1)) : String(status) === wanted;

/** Declares the `console` query parameter of a log. */
export const consoleParam = () =>
  Type.Optional(
    named('consoleFilter', Type.Boolean({ description: '`false`: without what people read in a console.' })),
  );

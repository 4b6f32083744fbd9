import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { TObject, TSchema } from 'typebox';
import { type Endpoint, mediaTypeOf } from '../../api/endpoint.ts';
import { ApiError, type ErrorDetail } from '../../api/errors.ts';
import { findMisnamed, type Misnamed } from '../../api/suggestions.ts';
import { hasIsoYear } from '../../base/clock.ts';
import { lazy } from '../../base/lazy.ts';
import { parseMailbox, trimSpaces } from '../../mail/address/mail-address.ts';
import { refuseHostileValues } from './json-body.ts';
import { addLengthKeywords } from './text-length.ts';
import { detailOf } from './validation-detail.ts';

const RFC3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/;

const formats = {
  'date-time': (text: string) => RFC3339.test(text) && hasIsoYear(Date.parse(text)),
  email: (text: string) => parseMailbox(trimSpaces(text)) !== null,
};

/** `verbose`: a fault knows its schema, to suggest what the caller meant. */
const options = { strict: false, useDefaults: true, formats, ownProperties: true, verbose: true } as const;
const ajv = addLengthKeywords(new Ajv({ ...options, allErrors: false }));
/**
 * Continues after the first fault. A client could make that costly, so it only checks values that are {@link isSmall}.
 */
const thorough = addLengthKeywords(new Ajv({ ...options, allErrors: true }));

/** The most faults in one reply. */
const DETAILS_MAX = 20;
const SMALL_VALUES = 1000;
const SMALL_CHARS = 65_536;

/** Whether a value is small enough to look for all of its faults at no notable cost. */
function isSmall(value: unknown): boolean {
  const left = { values: SMALL_VALUES, chars: SMALL_CHARS };
  const walk = (node: unknown): boolean => {
    left.values -= 1;
    if (typeof node === 'string') left.chars -= node.length;
    if (left.values < 0 || left.chars < 0) return false;
    if (typeof node !== 'object' || node === null) return true;
    if (Array.isArray(node) && node.length > left.values) return false;
    for (const name in node) {
      left.chars -= name.length;
      if (!walk((node as Record<string, unknown>)[name])) return false;
    }
    return true;
  };
  return walk(value);
}

/** A decimal number that a double represents exactly. */
const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;

export interface RequestParts {
  params: unknown;
  query: unknown;
  body: unknown;
}

/** Checks one part and writes defaults and coercions into it. @returns the faults, the first one first */
type PartCheck = (value: unknown) => readonly ErrorDetail[];

const NO_FAULT: readonly ErrorDetail[] = [];

/**
 * Builds the check of one part. It compiles its schema at first use: that takes a millisecond or two, and all schemas
 * together a second and 14 MB. The quick check finds the first fault, so that the first one is always the same, with or without the others.
 */
function partCheck(schema: TSchema, part: string): PartCheck {
  let validate: ValidateFunction | undefined;
  let validateAll: ValidateFunction | undefined;
  return (value) => {
    validate ??= ajv.compile(schema);
    if (validate(value)) return NO_FAULT;
    const [first] = validate.errors as [ErrorObject];
    const details = [detailOf(first, part)];
    if (!isSmall(value)) return details;
    validateAll ??= thorough.compile(schema);
    validateAll(value);
    // One fault per place: each branch of a union would name its own. If a type is wrong, it names them all.
    const wrong = (validateAll.errors ?? []).filter(({ keyword }) => keyword === 'type');
    const types = (path: string): unknown[] =>
      wrong.filter(({ instancePath }) => instancePath === path).flatMap(({ params }) => params.type);
    if (first.keyword === 'type')
      details[0] = detailOf({ ...first, params: { type: [...new Set(types(first.instancePath))] } }, part);
    const named = new Set(details.map(({ path }) => path));
    for (const error of validateAll.errors ?? []) {
      // The faults within a branch already say why it did not fit.
      if (error.keyword === 'if') continue;
      const detail = detailOf(error, part);
      if (named.has(detail.path) || details.length === DETAILS_MAX) continue;
      named.add(detail.path);
      details.push(detail);
    }
    return details;
  };
}

/** Throws if there are faults. @throws ApiError for the faults of all parts, with the code of the first */
function refuseFaults(details: readonly ErrorDetail[], codes: Endpoint['codes']): void {
  const [first] = details;
  if (first === undefined) return;
  // A fault of an entry counts as a fault of its list.
  const named = codes?.[first.path] ?? codes?.[first.path.replace(/\/\d+$/, '')];
  // The message of a named code says what the part must be. The message of a schema only names the broken rule.
  const message = named === undefined || first.code === 'required' ? { message: first.message } : {};
  throw new ApiError(named ?? 'invalid_request', { ...message, details: details.slice(0, DETAILS_MAX) });
}

/**
 * Builds the check of a query or path. These arrive as text, so only here "5" counts as 5. Ajv's own coercion would also
 * read an empty text as 0 and "0x10" as 16. Other text stays text, and the type check refuses it.
 */
function textsCheck(schema: TObject, part: string): PartCheck {
  const check = partCheck(schema, part);
  const types = Object.entries(schema.properties).map(([name, property]) => [
    name,
    (property as { type?: string }).type,
  ]);
  const flags = types.flatMap(([name, type]) => (name && type === 'boolean' ? name : []));
  const numbers = types.flatMap(([name, type]) => (name && (type === 'integer' || type === 'number') ? name : []));
  return (value) => {
    const texts = value as Record<string, unknown>;
    for (const name of flags)
      if (texts[name] === 'true' || texts[name] === 'false') texts[name] = texts[name] === 'true';
    for (const name of numbers) {
      const text = texts[name];
      if (typeof text === 'string' && NUMBER.test(text)) texts[name] = Number(text);
    }
    return check(texts);
  };
}

/** The members of a parameter that is written `name.member=value`, once for each; undefined if there is none. */
function dottedMembers(query: Record<string, unknown>, name: string): Record<string, unknown> | undefined {
  const prefix = `${name}.`;
  const members = Object.entries(query).filter(([key]) => key.startsWith(prefix));
  return members.length === 0
    ? undefined
    : Object.fromEntries(members.map(([key, value]) => [key.slice(prefix.length), value]));
}

/** Picks the declared query parameters. `verbose`, and parameters that a proxy added, do not reach a handler. */
function pickDeclared(query: unknown, properties: Record<string, unknown>): Record<string, unknown> {
  const given = query as Record<string, unknown>;
  const picked: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(properties)) {
    const value = given[name] ?? ((schema as { 'x-dotted'?: true })['x-dotted'] && dottedMembers(given, name));
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}

/** @throws ApiError with the code that the specification names for the parameter, or else `invalid_request` */
function refuseHostileQuery(query: Record<string, unknown>, codes: Endpoint['codes']): void {
  try {
    refuseHostileValues(query, '/query', 0);
  } catch (err) {
    if (err instanceof ApiError) refuseFaults(err.details ?? [], codes);
    throw err;
  }
}

/** For an endpoint that accepts any body: keeps the declared fields that are valid and drops the others. */
function lenientPick({ properties }: TObject): (value: unknown) => Record<string, unknown> {
  const compile = lazy(() => Object.entries(properties).map(([name, schema]) => [name, ajv.compile(schema)] as const));
  return (value) => {
    const picked: Record<string, unknown> = {};
    if (typeof value !== 'object' || value === null) return picked;
    for (const [name, validate] of compile()) {
      if (!Object.hasOwn(value, name)) continue;
      const member = (value as Record<string, unknown>)[name];
      if (validate(member)) picked[name] = member;
    }
    return picked;
  };
}

const misnamedDetail = ({ given, meant }: Misnamed): ErrorDetail => ({
  path: `/query/${given}`,
  code: 'unknown_field',
  message: `There is no parameter ${JSON.stringify(given)}. Did you mean ${meant}?`,
  suggestion: meant,
});

/**
 * A call that should wait, and would answer at once or wait for the wrong thing, is refused: its caller would take "nothing
 * came" for an answer. All other unknown parameters are ignored (ADR 0007).
 * @throws ApiError `invalid_request`
 */
function refuseMisnamedWait(path: string, query: object, known: readonly string[]): void {
  if (!known.includes('wait')) return;
  const found = findMisnamed(query, known, 'wait' in query || path.endsWith('/wait') ? known : ['wait']);
  if (found) refuseFaults([misnamedDetail(found)], undefined);
}

/** A fault of a parameter that is required, and was given under another name, says so. */
function withMeant(faults: readonly ErrorDetail[], query: unknown, known: readonly string[]): readonly ErrorDetail[] {
  const missing = faults.filter(({ code }) => code === 'required').map(({ path }) => path.slice('/query/'.length));
  const found = missing.length > 0 ? findMisnamed(query, known, missing) : undefined;
  if (!found) return faults;
  return faults.map((fault) => (fault.path === `/query/${found.meant}` ? misnamedDetail(found) : fault));
}

const EMPTY_BODY = { type: 'object', additionalProperties: false } as unknown as TSchema;

/** Checks a request. @throws ApiError `invalid_request` or the code the specification names for the part */
export type RequestCheck = (parts: RequestParts) => RequestParts;

/**
 * Builds the check of an endpoint's request. An absent body counts as `{}`, so that a body with only optional fields can
 * be left out.
 */
export function createRequestCheck(endpoint: Endpoint): RequestCheck {
  const parameters = endpoint.query?.properties ?? {};
  const names = Object.keys(parameters);
  const takesQuery = names.length > 0;
  const checkQuery = endpoint.query && textsCheck(endpoint.query, 'query');
  const checkParams = endpoint.params && textsCheck(endpoint.params, 'path');
  const hasBody = endpoint.method !== 'GET';
  const pickBody = endpoint.anyBody ? lenientPick(endpoint.body as TObject) : undefined;
  const checkBody = hasBody && !pickBody ? partCheck(endpoint.body ?? EMPTY_BODY, 'body') : undefined;
  return ({ params, query, body }) => {
    const picked = takesQuery ? pickDeclared(query, parameters) : {};
    refuseHostileValues(params, '/path', 0);
    if (takesQuery) {
      refuseHostileQuery(picked, endpoint.codes);
      refuseMisnamedWait(endpoint.path, query as object, names);
    }
    const given = pickBody ? pickBody(body) : body === undefined ? {} : body;
    const ofQuery = checkQuery?.(picked);
    const faults = [checkParams?.(params), ofQuery && withMeant(ofQuery, query, names), checkBody?.(given)];
    if (faults.some((found) => found !== undefined && found.length > 0))
      refuseFaults(
        faults.flatMap((found) => found ?? []),
        endpoint.codes,
      );
    return { params, query: picked, body: given };
  };
}

/**
 * One instance for all endpoints: shared schemas are compiled once. To make the code of a check smaller takes longer than
 * what tests run of it.
 */
const replies = new Ajv({ strict: false, formats, code: { optimize: false } });

/** Builds a check that describes what is wrong with a reply, or returns null. Tests check every reply with it. */
export function createReplyCheck(endpoint: Endpoint): (status: number, body: unknown) => string | null {
  return (status, body) => {
    const schema: TSchema | undefined = endpoint.replies[status];
    if (!schema) return `status ${status} is not declared`;
    // Bytes and streams have no schema.
    if (mediaTypeOf(endpoint, status, body) !== undefined) return null;
    // Ajv caches what it compiled, by schema object.
    const check = replies.compile(schema);
    return check(body) ? null : replies.errorsText(check.errors);
  };
}

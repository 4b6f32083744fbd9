import { Ajv } from 'ajv';
import type { Endpoint } from '../../src/api/endpoint.ts';
import type { ErrorCode } from '../../src/api/errors.ts';
import { BODY_LIMIT_BYTES, bodyLimitOf } from '../../src/http/server/body-limit.ts';
import type { WireRequest } from './contract-client.ts';
import type { SchemaNode } from './contract-document.ts';
import { inTurn } from './in-turn.ts';
import { type Sample, wireOf } from './sample-requests.ts';

/** A valid request with one thing made invalid. */
export interface Attack {
  name: string;
  wire: WireRequest;
  /** The codes of the error it must get. Null if the endpoint may also accept it, such as unusual text. */
  codes: readonly ErrorCode[] | null;
}

export interface BodySchema extends SchemaNode {
  maxLength?: number;
  maxItems?: number;
  minimum?: number;
  properties?: Record<string, BodySchema>;
  items?: BodySchema;
  anyOf?: BodySchema[];
}

const MALFORMED = [
  '{',
  '{"a":}',
  '[1,',
  'nul',
  '{}}',
  "{'a':1}",
  '{"a":1,}',
  'NaN',
  '\ufeff{}',
  ' ',
  '"\\x"',
  '{"a":"\n"}',
];
const MEDIA_TYPES = [
  'text/plain',
  'application/xml',
  'multipart/form-data; boundary=x',
  'application/jsonx',
  'nonsense',
];
const VALUES = [null, true, 7, -1, 1.5, 'text', '', [], {}, [null], [[]], [7], [{}], { a: 1 }];
/** Numbers on the wire. A double cannot represent the first exactly, and the others not at all. */
const RAW_NUMBERS = ['9007199254740993', '-9007199254740993', '1e400', '-1e400'];
const ODD_TEXTS = [
  "'; drop table accounts; --",
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '%00%s%n',
  '\u202eabc',
];
const LONE_SURROGATES = ['\ud800', '\udc00', '\udc00\ud800'];
const LINE_BREAKS = ['\r\n', '\n', '\r', '\r\nBcc: evil@example.com'];
const TEN_MEGABYTES = 10 * 1_048_576;
const junkOf = (bytes: number): string => `{"junk":"${'a'.repeat(bytes)}"}`;
const LARGE_BODY = Buffer.from(junkOf(TEN_MEGABYTES));
const OVER_THE_USUAL = Buffer.from(junkOf(BODY_LIMIT_BYTES));

/** A placeholder for raw JSON until the body becomes text. */
const RAW = '@raw@';
const withRaw = (body: unknown, raw: string): string => JSON.stringify(body).replace(`"${RAW}"`, raw);
const nested = (open: string, close: string, depth: number): string => open.repeat(depth) + close.repeat(depth);

const ajv = new Ajv({ strict: false, formats: { 'date-time': true, email: true, uri: true } });

/** The codes for a field that does not fit. The specification names a code for some fields. */
export const misfitCodes = (endpoint: Endpoint): ErrorCode[] => [
  'invalid_request',
  ...Object.values(endpoint.codes ?? {}),
];

/** Whether a body fits the declared schema. */
export function fits(endpoint: Endpoint, body: unknown): boolean {
  return ajv.validate(endpoint.body ?? { type: 'object', additionalProperties: false }, body);
}

type Path = readonly (string | number)[];

/** Copies `value` with one member replaced. */
function replaced(value: unknown, [first, ...rest]: Path, member: unknown): unknown {
  if (first === undefined) return member;
  if (Array.isArray(value)) return value.map((item, i) => (i === first ? replaced(item, rest, member) : item));
  const object = (value ?? {}) as Record<string, unknown>;
  return { ...object, [first]: replaced(object[first], rest, member) };
}

/** The places of texts in a value. */
function textPaths(value: unknown): { path: Path; text: string }[] {
  if (typeof value === 'string') return [{ path: [], text: value }];
  if (typeof value !== 'object' || value === null) return [];
  const members = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return members.flatMap(([name, member]) =>
    textPaths(member).map(({ path, text }) => ({ path: [name, ...path], text })),
  );
}

const fieldsOf = (endpoint: Endpoint): [string, BodySchema][] =>
  Object.entries((endpoint.body as BodySchema | undefined)?.properties ?? {});

/** The longest text that a field accepts, itself or in its first alternative. */
const textLimit = (node: BodySchema): number | undefined =>
  node.maxLength ?? node.anyOf?.map(textLimit).find((limit) => limit !== undefined);
const itemLimit = (node: BodySchema): number | undefined =>
  node.maxItems ?? node.anyOf?.map(itemLimit).find((limit) => limit !== undefined);

/** Bodies that are not JSON, or JSON that no endpoint accepts. */
function* unreadable(base: WireRequest, endpoint: Endpoint): Generator<Attack> {
  const bad = (name: string, body: unknown, codes: readonly ErrorCode[]): Attack => ({
    name,
    wire: { ...base, body },
    codes,
  });
  for (const text of inTurn(MALFORMED)) yield bad(`malformed ${JSON.stringify(text)}`, text, ['invalid_json']);
  const invalidUtf8 = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xc0, 0x80]), Buffer.from('"}')]);
  yield bad('invalid UTF-8', invalidUtf8, ['invalid_json']);
  for (const text of ['[]', '"text"', 'null', '7', 'true', '[{}]']) {
    if (!fits(endpoint, JSON.parse(text))) yield bad(`body ${text}`, text, misfitCodes(endpoint));
  }
  const whole = JSON.stringify(base.body ?? {});
  for (const type of inTurn(MEDIA_TYPES)) {
    const wire = { ...base, body: whole, headers: { ...base.headers, 'content-type': type } };
    yield { name: `content type ${type}`, wire, codes: ['unsupported_media_type'] };
  }
  if (bodyLimitOf(endpoint) <= BODY_LIMIT_BYTES) yield bad('1 MB and more', OVER_THE_USUAL, ['body_too_large']);
  else yield bad('10 MB', LARGE_BODY, [bodyLimitOf(endpoint) < TEN_MEGABYTES ? 'body_too_large' : 'invalid_request']);
  const deep: ErrorCode[] = ['invalid_request', 'invalid_json'];
  // More than a call without a credential may send.
  yield bad('10,000 levels', nested('[', ']', 10_000), endpoint.anyBody ? deep : [...deep, 'body_too_large']);
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    const deep = nested(open, close, 200).replace(':}', ':1}');
    yield bad('200 levels', `{"deep":${deep}}`, ['invalid_request']);
  }
}

/** Members that no honest client sends, added to a valid body. */
function* strangeMembers(base: WireRequest, endpoint: Endpoint): Generator<Attack> {
  const codes = misfitCodes(endpoint);
  const members = ['"no_such_field":1', '"no_such_field":{"a":[]}', '"__proto__":{"a":1}', '"__proto__":null'];
  const whole = JSON.stringify(base.body ?? {});
  for (const member of inTurn([
    ...members,
    '"constructor":{"prototype":{"a":1}}',
    '"toString":"x"',
    '"":1',
    '"\\u0000":1',
    '"\\ud800":1',
  ])) {
    const body = whole === '{}' ? `{${member}}` : `{${member},${whole.slice(1)}`;
    yield { name: `member ${member}`, wire: { ...base, body }, codes };
  }
}

/** Each declared field with invalid values. */
function* misfits(base: WireRequest, endpoint: Endpoint): Generator<Attack> {
  const codes = misfitCodes(endpoint);
  const body = (base.body ?? {}) as Record<string, unknown>;
  const spoilt = (name: string, value: unknown): Attack => ({ name, wire: { ...base, body: value }, codes });
  for (const [field, node] of fieldsOf(endpoint)) {
    for (const value of inTurn(VALUES)) {
      const changed = { ...body, [field]: value };
      if (!fits(endpoint, changed)) yield spoilt(`${field} = ${JSON.stringify(value)}`, changed);
    }
    const { [field]: _, ...without } = body;
    if (!fits(endpoint, without)) yield spoilt(`no ${field}`, without);
    for (const raw of inTurn(RAW_NUMBERS)) yield spoilt(`${field} = ${raw}`, withRaw({ ...body, [field]: RAW }, raw));
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const deep = nested(open, close, 200).replace(':}', ':1}');
      yield spoilt(`${field} 200 levels deep`, withRaw({ ...body, [field]: RAW }, deep));
    }
    yield spoilt(`${field} = {"__proto__"}`, withRaw({ ...body, [field]: RAW }, '{"__proto__":{"a":1}}'));
    const characters = textLimit(node);
    if (characters !== undefined) yield spoilt(`${field} too long`, { ...body, [field]: 'a'.repeat(characters + 1) });
    const items = itemLimit(node);
    if (items !== undefined) yield spoilt(`${field} too many`, { ...body, [field]: Array(items + 1).fill('a') });
  }
}

/** Each text of a valid body with invalid characters, and with unusual ones that the endpoint may refuse or accept. */
function* hostileTexts(base: WireRequest, endpoint: Endpoint): Generator<Attack> {
  const body = base.body ?? {};
  const declared = fieldsOf(endpoint).map(([field]) => ({ path: [field] as Path, text: 'text' }));
  for (const { path, text } of [...declared, ...textPaths(body)]) {
    const put = (value: string): WireRequest => ({ ...base, body: replaced(body, path, value) });
    for (const bad of ['\0', ...inTurn(LONE_SURROGATES)]) {
      const name = `${path.join('.')} with ${JSON.stringify(bad)}`;
      yield { name, wire: put(text + bad), codes: misfitCodes(endpoint) };
    }
    for (const odd of inTurn([...ODD_TEXTS, ...LINE_BREAKS])) {
      const wire = put(text + odd);
      const codes = fits(endpoint, wire.body) ? null : misfitCodes(endpoint);
      yield { name: `${path.join('.')} with ${JSON.stringify(odd)}`, wire, codes };
    }
  }
}

/** All attacks on a body. */
export function* bodyAttacks(endpoint: Endpoint, sample: Sample): Generator<Attack> {
  if (endpoint.method === 'GET') return;
  const base = wireOf(endpoint, sample);
  for (const make of [unreadable, strangeMembers, misfits, hostileTexts])
    for (const attack of make(base, endpoint)) {
      const isTaken = endpoint.anyBody && !attack.codes?.includes('body_too_large');
      yield isTaken ? { ...attack, codes: null } : attack;
    }
}

/**
 * The fields of a mail that can contain line breaks. Every other field becomes a header, so a new field counts as one until
 * it is listed here.
 */
export const FREE_TEXTS = new Set(['text', 'html', 'body', 'metadata']);

interface Injection extends Attack {
  /** The field of the body. */
  field: string;
}

/** Each text of an outgoing mail, with line breaks in it. */
export function* headerInjections(endpoint: Endpoint, sample: Sample): Generator<Injection> {
  const base = wireOf(endpoint, sample);
  const codes: ErrorCode[] = ['invalid_request', 'invalid_recipient', 'sender_not_owned'];
  for (const { path, text } of textPaths(base.body)) {
    for (const lineBreak of LINE_BREAKS) {
      for (const value of [text + lineBreak, lineBreak + text, text.slice(0, 1) + lineBreak + text.slice(1)]) {
        const wire = { ...base, body: replaced(base.body, path, value) };
        const field = String(path[0]);
        yield { name: `${path.join('.')} = ${JSON.stringify(value)}`, wire, codes, field };
      }
    }
  }
}

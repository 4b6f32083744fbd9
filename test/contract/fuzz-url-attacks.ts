import type { Endpoint } from '../../src/api/endpoint.ts';
import { type Attack, type BodySchema, misfitCodes } from './fuzz-attacks.ts';
import { inTurn } from './in-turn.ts';
import { type Sample, wireOf } from './sample-requests.ts';

const NOT_INTEGERS = [
  '',
  'abc',
  '1.5',
  '-1',
  '1e400',
  '9007199254740993',
  'NaN',
  'Infinity',
  'null',
  '1,2',
  '%20',
  '1%00',
];
const NOT_BOOLEANS = ['', 'yes', '1', '0', 'TRUE', 'null', '[]', 'true%00'];
/** Invalid percent-encoding, or bytes that are not UTF-8 (RFC 3986 2.1, RFC 3629). */
const BAD_ENCODING = ['%', '%z', '%zz', '%f', '%ff', '%c0%80', '%ed%a0%80'];

/** Texts that no declared parameter accepts. */
function misfitsOf(node: BodySchema): string[] {
  switch (node.type) {
    case 'integer':
      return [...inTurn(NOT_INTEGERS), ...(node.maximum === undefined ? [] : [String(node.maximum + 1)])];
    case 'boolean':
      return [...inTurn(NOT_BOOLEANS)];
    case 'string':
      return ['%00', 'a%00b', ...(node.enum ? ['no-such-word'] : []), 'a'.repeat((node.maxLength ?? 5000) + 1)];
    default:
      return [];
  }
}

/** Cursors of the right form with keys that a database cannot store. */
const FORGED_CURSORS = ['1e300', '-1e300', '1.5', '1e19', '"a\\u0000"', '"\\u0000"'].flatMap((key) =>
  [`[${key}]`, ...['thr', 'evt', 'chg'].map((prefix) => `[${key},"${prefix}_${'0'.repeat(26)}"]`)].map((json) =>
    Buffer.from(json).toString('base64url'),
  ),
);

/** Each declared query parameter with invalid values, and repeated; and undeclared parameters. */
export function* queryAttacks(endpoint: Endpoint, sample: Sample): Generator<Attack> {
  const base = wireOf(endpoint, sample);
  const [path, query = ''] = sample.path.split('?');
  const codes = misfitCodes(endpoint);
  for (const [name, node] of Object.entries((endpoint.query as BodySchema | undefined)?.properties ?? {})) {
    const others = query.split('&').filter((pair) => pair !== '' && !pair.startsWith(`${name}=`));
    const withPairs = (...pairs: string[]) => ({ ...base, path: `${path}?${[...others, ...pairs].join('&')}` });
    for (const text of misfitsOf(node)) {
      yield { name: `?${name}=${text.slice(0, 60)}`, wire: withPairs(`${name}=${text}`), codes };
    }
    if (node.type !== 'array') {
      yield { name: `?${name} twice`, wire: withPairs(`${name}=1`, `${name}=1`), codes };
      yield { name: `?${name} many times`, wire: withPairs(...Array(500).fill(`${name}=1`)), codes };
    }
    for (const text of inTurn([...BAD_ENCODING, "'--", '%0d%0ax:y', '%F0%9F%92%A9', '..%2f..', '%5B%5D'])) {
      yield { name: `?${name}=${text}`, wire: withPairs(`${name}=${text}`), codes: null };
    }
    // Reading a free address claims it, whatever the cursor. There we only check that nothing breaks.
    const refused: Attack['codes'] = endpoint.effect === 'none' ? ['invalid_cursor'] : null;
    for (const text of name === 'cursor' ? inTurn(FORGED_CURSORS) : [])
      yield { name: `?${name}=${text}`, wire: withPairs(`${name}=${text}`), codes: refused };
    yield { name: `?${name}[x]=1`, wire: withPairs(`${name}[x]=1`, `${name}[__proto__]=1`), codes: null };
  }
  const strange = '__proto__=1&constructor[prototype]=2&a[b]=c&%00=%00&x=%ff&=&&toString=1&hasOwnProperty=1';
  yield { name: 'undeclared parameters', wire: { ...base, path: `${path}?${query}&${strange}` }, codes: null };
}

/** Each path parameter with invalid values. */
export function* pathAttacks(endpoint: Endpoint, sample: Sample): Generator<Attack> {
  const base = wireOf(endpoint, sample);
  const [path = '', query] = sample.path.split('?');
  const given = path.split('/');
  for (const [i, segment] of endpoint.path.split('/').entries()) {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name === undefined) continue;
    const node = endpoint.params?.properties[name] as BodySchema;
    for (const text of [...inTurn(BAD_ENCODING), ...misfitsOf(node).filter((misfit) => misfit !== '')]) {
      const spoilt = given.with(i, text).join('/');
      const wire = { ...base, path: query === undefined ? spoilt : `${spoilt}?${query}` };
      yield { name: `path ${name} = ${text.slice(0, 60)}`, wire, codes: misfitCodes(endpoint) };
    }
  }
}

/** The only header with free text. */
export function* headerAttacks(endpoint: Endpoint, sample: Sample): Generator<Attack> {
  if (endpoint.method !== 'POST' && endpoint.method !== 'PUT') return;
  const base = wireOf(endpoint, sample);
  for (const key of ['a'.repeat(256), '', 'caf\u00e9', ' ', 'a\tb']) {
    const wire = { ...base, headers: { ...base.headers, 'idempotency-key': key } };
    yield { name: `Idempotency-Key ${JSON.stringify(key.slice(0, 20))}`, wire, codes: ['invalid_request'] };
  }
}

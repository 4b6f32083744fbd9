import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { it } from 'node:test';
import { ERRORS } from '../../src/api/errors.ts';
import { errorsOf } from '../../src/apidocs/openapi/openapi-document.ts';
import { SignetClient } from '../../src/client/signet-client.ts';
import { SignetError } from '../../src/client/signet-error.ts';
import { REFUSAL_WORDS, refusalMessage } from '../../src/web/console/ui/words/refusal-words.ts';
import { listEndpoints } from '../../tools/endpoint-list.ts';
import { forbiddenIn, unreadableIn } from '../support/forbidden-words.ts';
import { onEngines } from '../support/harness.ts';

const SOURCES = globSync('src/web/console/**/*.ts').map((path) => ({ path, text: readFileSync(path, 'utf8') }));

/** What any call may meet, whatever it is. */
const ALWAYS = [
  'internal',
  'rate_limited',
  'shutting_down',
  'origin_refused',
  'account_suspended',
  'not_found',
] as const;

/** Codes of calls that the console sends as it must: a person cannot cause them. */
const NEVER = ['payment_invalid', 'dry_run_unavailable', 'unsupported_media_type'];

/** The operations whose names stand in the console as calls. */
function calledByConsole() {
  const named = new Set(
    SOURCES.flatMap(({ text }) => [...text.matchAll(/\.(?:paginate\('(\w+)'|([a-z]\w+)\()/g)]).map(
      ([, paged, called]) => paged ?? called,
    ),
  );
  return listEndpoints().filter(({ operation }) => named.has(operation));
}

const refusal = (code: string, message: string, status = 400): SignetError =>
  new SignetError(message, {
    status,
    code,
    details: [],
    requestId: 'req_01key610',
    retryAfterSeconds: null,
    fields: {},
  });

it('9: each refusal that the console can meet has a sentence for people, whatever the service says', () => {
  const called = calledByConsole();
  assert.ok(called.length > 130, `${called.length} calls`);
  const codes = new Set([...ALWAYS, ...called.flatMap(errorsOf)].filter((code) => !NEVER.includes(code)));
  assert.ok(codes.size > 80, `${codes.size} codes`);
  for (const code of codes) {
    const words = REFUSAL_WORDS[code] ?? '';
    assert.match(words, /^[A-Z].*\.$/, `${code}: add a row to src/web/console/ui/words/refusal-words.ts`);
    assert.equal(unreadableIn(words), null, `${code}: ${words}`);
    for (const message of [ERRORS[code].message, '/body/caps/daily must be an integer.', '{"error":"some_code"}']) {
      const shown = refusalMessage(refusal(code, message, ERRORS[code].status));
      assert.equal(unreadableIn(shown), null, `${code}: ${shown}`);
      assert.doesNotMatch(shown, /[{}`]|GET|POST/, code);
    }
  }
});

it('9: no text of the console has a word that another one stands for', () => {
  const found = SOURCES.flatMap(({ path, text }) => {
    const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    const texts = [...code.matchAll(/'((?:[^'\\\n]|\\.)*)'|>([^<>${}`]+)</g)].map(
      ([, quoted, shown]) => quoted ?? shown,
    );
    return texts.flatMap((one = '') => (forbiddenIn(one) === null ? [] : [`${path}: ${one.trim()}`]));
  });
  assert.deepEqual(found, []);
});

onEngines('any', '9: a field that is refused is named as the pages name it', {}, (suite) => {
  it('without its path, its name in requests, and the pattern that it must match', async () => {
    const { key } = await suite.t.createAccount();
    const client = new SignetClient({ baseUrl: suite.t.baseUrl, key });
    const said = async (work: () => Promise<unknown>): Promise<string> =>
      work().then(
        () => '',
        (err) => refusalMessage(err),
      );
    const at = '2026-01-14T10:00:00Z';
    assert.equal(
      await said(() => client.setBudget({ caps: { daily: 'lots' } })),
      'The daily cap must be an amount in USDC, such as 3.00.',
    );
    assert.equal(
      await said(() => client.updateProfile({ description: 'x'.repeat(501) })),
      'The field “description” must have at most 500 characters.',
    );
    assert.equal(
      await said(() => client.createCalendarEvent({ summary: 'x', start: at, end: '2026-01-14T09:00:00Z' })),
      'The end must not be before start.',
    );
    const others = await Promise.all([
      said(() => client.setOperatorEmail({ email: 'ada' })),
      said(() => client.createEventWebhook({ url: 'nowhere', events: ['email.received'] })),
      said(() => client.createNamedKey({ name: '', scopes: ['mail:read'] })),
      said(() => client.claimAddress({ address: 'a b' })),
      said(() => client.createPod({ spending_caps: { monthly: -1 } })),
      said(() => client.createDelegation({ to: 'bob', scopes: ['mail:read'], expires_at: 'tomorrow' })),
    ]);
    for (const one of others) {
      assert.match(one, /^[A-Z].*\.$/, one);
      assert.equal(unreadableIn(one), null, one);
    }
  });
});

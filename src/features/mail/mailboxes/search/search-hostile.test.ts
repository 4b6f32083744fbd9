import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { createAgent, type TestAgent } from '../../../../../test/support/agents.ts';
import { onEngines, type TestApp, type TestMail } from '../../../../../test/support/harness.ts';

async function receive(t: TestApp, to: TestAgent, mail: Partial<TestMail>): Promise<void> {
  t.clock.advance(1000);
  await t.sendSmtp({ subject: 'none', text: 'none', ...mail, to: to.address });
}

const search = ({ api, address }: TestAgent, q: string, more = '') =>
  api.get(`/v1/email/inbox?address=${address}&q=${encodeURIComponent(q)}${more}`);

async function subjects(of: TestAgent, q: string, more = ''): Promise<string[]> {
  const { status, body, text } = await search(of, q, more);
  assert.equal(status, 200, `${q}: ${text}`);
  return body.messages.map(({ subject }: { subject: string }) => subject);
}

/** Operators and quotes of both engines, and text that is hard on a tokenizer. */
const HOSTILE = [
  ...['"', '"x', 'x"y"z', 'x AND', 'AND OR NOT', '(x', 'x)', '{body}: x', 'body:x', '^x', 'x + y', 'NEAR(x y)', '-x'],
  ...[
    "x' | 'y",
    'x:*',
    "'x':A",
    'x <-> y',
    '!x',
    'x\\',
    "\\'x",
    'x & | y',
    '*x*',
    'from:',
    'from:from:x',
    'x;drop table',
  ],
  ...[
    'from:"',
    'subject:*',
    '\u0301x',
    '\u202ex',
    '👩‍👩‍👧 x',
    '\ud7ff x',
    'ﷺ'.repeat(100),
    "x'); delete from messages --",
  ],
];

const PARTS = fc.constantFrom(
  '"',
  "'",
  '*',
  ':',
  'from:',
  'AND',
  '(',
  ')',
  '{',
  '<->',
  '&',
  '|',
  '!',
  '\\',
  ' ',
  'x',
  'é',
  '東',
  '^',
  '-',
  '%',
);

onEngines('any', 'hostile searches', {}, (suite) => {
  it('refuses a search without words, with too many, or with too short a prefix, and says why', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const codeOf = async (q: string) => {
      const { status, body } = await search(ada, q);
      return [status, body.error, body.details?.[0].path, body.details?.[0].code];
    };
    const refused = (code: string) => [400, 'invalid_request', '/query/q', code];
    for (const q of ['*', '""', '-', '::', '"', '"*" ***', '%_%'])
      assert.deepEqual(await codeOf(q), refused('not_searchable'));
    assert.deepEqual(await codeOf(''), refused('too_short'));
    assert.deepEqual(await codeOf('a*'), refused('too_short'));
    assert.deepEqual(await codeOf('word '.repeat(21)), refused('too_many'));
    assert.deepEqual(await codeOf(`"${'w '.repeat(51)}"`), refused('too_many'));
    assert.deepEqual(await codeOf('x'.repeat(501)), refused('too_long'));
    assert.deepEqual(await codeOf('x'.repeat(10_000)), refused('too_long'));
    assert.deepEqual(await codeOf('nul\0'), refused('invalid_text'));
  });
});

onEngines('both', 'hostile searches', {}, (suite) => {
  it('no input breaks the query of an engine', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    await receive(t, ada, { subject: 'target', text: 'x AND y' });
    for (const q of HOSTILE) assert.ok([200, 400].includes((await search(ada, q)).status), q);
    await fc.assert(
      fc.asyncProperty(fc.array(PARTS, { minLength: 1, maxLength: 12 }), async (list) => {
        const { status, body } = await search(ada, list.join(''));
        assert.ok(status === 200 || body.error === 'invalid_request', `${status} ${list.join('')}`);
      }),
      { numRuns: 60 },
    );
    assert.deepEqual(t.faults, []);
  });

  it('accepts a mail of a million words and finds its first 8,000', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const words = Array.from({ length: 12_000 }, (_, i) => `w${i.toString(36)}`);
    await receive(t, ada, { subject: 'long', text: `${words.join('\n')}\n${'again '.repeat(100_000)}` });
    assert.deepEqual(await subjects(ada, words[7000] as string), ['long']);
    assert.deepEqual(await subjects(ada, words[9000] as string), []);
    await receive(t, ada, { subject: 'repeats', text: `${'echo '.repeat(300)}` });
    assert.deepEqual(await subjects(ada, '"echo echo echo"'), ['repeats']);
    assert.deepEqual(t.faults, []);
  });
});

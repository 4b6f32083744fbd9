import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually } from '../../../test/support/eventually.ts';
import { createSenderAuth } from './sender-auth-check.ts';

const SPF: Record<string, string> = { 'example.com': 'v=spf1 ip4:203.0.113.9 -all' };
const asked: string[] = [];
const resolve = async (name: string, type: string): Promise<string[][]> => {
  asked.push(name);
  const text = type === 'TXT' ? SPF[name] : undefined;
  if (text === undefined) throw Object.assign(new Error(name), { code: 'ENOTFOUND' });
  return [[text]];
};
const raw = (text: string): Buffer =>
  Buffer.from(`Received: from mx.example.com ([203.0.113.9])\r\n\tby agents.example;\r\n${text}`, 'latin1');
const auth = createSenderAuth({ resolve });

const SIGNATURE = 'DKIM-Signature: v=1; a=rsa-sha256; d=example.com; s=sel;';
const PERMERROR = { spf: 'permerror', dkim: 'permerror', dmarc: 'permerror', provenDomain: null };
const TEMPERROR = { spf: 'temperror', dkim: 'temperror', dmarc: 'temperror', provenDomain: null };

describe('sender authentication of hostile mail', () => {
  for (const [what, head] of [
    ['hundreds of signatures: each would cost a look-up', `${SIGNATURE} h=from; bh=eA==; b=eA==\r\n`.repeat(300)],
    ['a header of a megabyte', `X-Long: ${'x'.repeat(1_000_000)}\r\n`],
  ] as const)
    it(`permerror without a DNS look-up for ${what}`, async () => {
      asked.length = 0;
      assert.deepEqual(await auth(raw(`From: ada@example.com\r\n${head}\r\nx`), 'ada@example.com'), PERMERROR);
      assert.deepEqual(asked, []);
    });

  for (const [what, text] of [
    ['nothing', ''],
    ['no header end', 'From: ada@example.com'],
    ['NUL and bytes', 'From: \0ada@example.com\r\nDKIM-Signature: \0\xff\r\n\r\n\0'],
    ['a signature of nonsense', 'From: ada@example.com\r\nDKIM-Signature: v=1; a=; b; ;;=;\r\n\r\nx'],
    ['deep groups', `From: ${'g:'.repeat(5000)}ada@example.com\r\n\r\nx`],
    ['deep comments', `From: ${'('.repeat(50_000)}ada@example.com\r\n\r\nx`],
    [
      'a list of thousands of signed fields',
      `From: a@example.com\r\n${SIGNATURE} h=${'from:'.repeat(20_000)}from; bh=eA==; b=eA==\r\n\r\nx`,
    ],
  ] as const)
    it(`results but no verified sender for ${what}`, async () => {
      assert.equal((await auth(raw(text), 'x@elsewhere.example')).provenDomain, null);
    });

  it('a mail that would take forever to check is abandoned; the main thread and other checks continue', async () => {
    const impatient = createSenderAuth({ resolve, deadlineMs: 1000, graceMs: 1000 });
    let turns = 0;
    const ticking = setInterval(() => turns++, 10);
    // The library needs time that grows with the square of the blanks: about ten seconds here.
    const bad = raw(`From: ada@example.com\r\nDKIM-Signature: v=1; a=${' '.repeat(120_000)}x;\r\n\r\nx`);
    assert.deepEqual(await impatient(bad, 'ada@example.com'), TEMPERROR);
    clearInterval(ticking);
    // One can still come first when this thread was held until the end.
    assert.ok(turns > 1, 'timers ran meanwhile');
    // A new thread starts within the same two seconds. On a busy machine the first one may not.
    const next = await eventually(async () => {
      const results = await impatient(raw('From: ada@example.com\r\n\r\nx'), 'ada@example.com');
      return results.provenDomain !== null && results;
    });
    assert.deepEqual([next.spf, next.provenDomain], ['pass', 'example.com']);
  });
});

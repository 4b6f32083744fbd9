import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearMails } from '../../../test/corpus/codes/near-numbers.ts';
import { plainMails } from '../../../test/corpus/codes/negatives.ts';
import { observedMails, observedPlain } from '../../../test/corpus/codes/observed.ts';
import { numberMails } from '../../../test/corpus/codes/other-numbers.ts';
import { type CodeMail, codeMails } from '../../../test/corpus/codes/positives.ts';
import { unseenMails, unseenPlain } from '../../../test/corpus/codes/unseen.ts';
import { unseenAgainMails, unseenAgainPlain } from '../../../test/corpus/codes/unseen-again.ts';
import { findCode } from './mail-code.ts';

const codeOf = (mail: Parameters<typeof findCode>[0]): string | null => findCode(mail)?.code ?? null;

/** Precision and recall over mails that have a code. */
function measured(mails: readonly CodeMail[]) {
  const found = mails.map((mail) => ({ mail, got: codeOf(mail) }));
  const right = found.filter(({ mail, got }) => got === mail.code).length;
  const wrong = found.filter(({ mail, got }) => got !== null && got !== mail.code);
  const precision = right / (right + wrong.length);
  const words = `${mails.length} mails: precision ${precision.toFixed(3)}, recall ${(right / mails.length).toFixed(3)}`;
  assert.ok(precision >= 0.99, wrong.map(({ mail, got }) => `${mail.name}: ${got}`).join('\n'));
  assert.ok(right / mails.length >= 0.9, words);
  return words;
}

test('codes are found in mails of every language and layout, and rarely a wrong one', (t) => {
  const mails = codeMails();
  assert.ok(mails.length >= 400);
  assert.ok(new Set(mails.map(({ language }) => language)).size >= 15);
  t.diagnostic(measured(mails));
});

test('the same holds for mails that were written one by one', (t) => t.diagnostic(measured(observedMails())));

test('E: a code is found beside the numbers of orders, members, addresses, offers and counts', (t) =>
  t.diagnostic(measured([...nearMails(), ...unseenMails()])));

const hitsIn = (mails: readonly CodeMail[]): string[] =>
  mails.filter((mail) => codeOf(mail) !== null).map((mail) => `${mail.name}: ${codeOf(mail)}`);

test('no code is found in orders, invoices, bookings, offers and newsletters', () => {
  const mails = [...plainMails(), ...observedPlain()];
  assert.ok(mails.length >= 150);
  assert.deepEqual(hitsIn(mails), []);
});

test('E: no number of an address, a member, an offer, a case or a count is taken for a code', () => {
  const mails = [...numberMails(), ...unseenPlain()];
  assert.ok(mails.length >= 210);
  assert.deepEqual(hitsIn(mails), []);
});

test('E: the same holds for a set that was measured before a rule was changed for it', (t) => {
  const [mails, plain] = [unseenAgainMails(), unseenAgainPlain()];
  assert.ok(mails.length >= 60 && plain.length >= 60);
  t.diagnostic(measured(mails));
  assert.deepEqual(hitsIn(plain), []);
});

test('two codes that fit equally well are both named, and none is chosen', () => {
  const found = findCode({
    subject: 'Codes',
    text: 'Your verification code is 482913.\nYour verification code is 839201.',
  });
  assert.equal(found?.code, null);
  assert.deepEqual(found?.candidates.toSorted(), ['482913', '839201']);
});

test('a marked code counts only from the proven domain of the sender', () => {
  const text = 'Hello\n\n@login.example.com #739201';
  assert.equal(findCode({ subject: '', text, provenDomain: 'example.com' })?.method, 'origin_line');
  assert.equal(findCode({ subject: '', text, provenDomain: 'example.org' }), null);
  assert.equal(findCode({ subject: '', text, provenDomain: null }), null);
  const header = 'code=739201; origin=bank.example';
  assert.equal(findCode({ subject: '', text: 'Hello', header, provenDomain: 'bank.example' })?.code, '739201');
  assert.equal(findCode({ subject: '', text: 'Hello', header, provenDomain: 'example.org' }), null);
  assert.equal(findCode({ subject: '', text: 'Hello', header: 'code=1234; code=5678', provenDomain: null }), null);
});

test('the time a code is valid is read in the language of the mail', () => {
  const expiresIn = (text: string) =>
    findCode({ subject: 'Your verification code', text: `482913\n\n${text}` })?.expiresIn;
  assert.equal(expiresIn('It expires in 10 minutes.'), 600);
  assert.equal(expiresIn('Gültig für 2 Stunden.'), 7200);
  assert.equal(expiresIn('5分間有効です。'), 300);
  assert.equal(expiresIn('Bye.'), null);
});

test('hostile text ends in an answer', () => {
  for (const text of [
    '1 '.repeat(32_768),
    '1234 '.repeat(13_000),
    '-'.repeat(65_536),
    '\n'.repeat(65_536),
    `code ${'1'.repeat(65_000)}`,
    'code:\n'.repeat(10_000),
    '\u0660'.repeat(65_536),
    '*_'.repeat(32_000),
    'a@'.repeat(32_000),
    'http://'.repeat(9000),
  ])
    assert.equal(codeOf({ subject: text, text }) === undefined, false);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanMails } from '../../../test/corpus/hostile/clean.ts';
import { hostileMails } from '../../../test/corpus/hostile/hostile.ts';
import { observedClean, observedHostile } from '../../../test/corpus/hostile/observed.ts';
import { withoutInvisible } from './invisible-text.ts';
import { type ScreenedMail, screen } from './mail-screening.ts';
import { safetyOf } from './verdict.ts';

/** Judges a mail as one of an unknown sender without proof. */
function judged(mail: ScreenedMail) {
  const { visibleText, findings } = screen(mail);
  const safety = safetyOf(findings, { auth: { dmarc: 'none' }, isFirstContact: true });
  return { text: visibleText ?? mail.text, hidden: findings.hidden, ...safety };
}

const names = (signals: readonly { name: string; weight: number }[]): string =>
  signals.map(({ name, weight }) => `${name} ${weight}`).join(', ');

test('hostile mail of each kind is flagged, and what it hides is not in the text', (t) => {
  const mails = hostileMails().map((hostile) => ({ ...hostile, ...judged(hostile.mail) }));
  assert.ok(mails.length >= 300);
  const kinds = [...new Set(mails.map(({ kind }) => kind))];
  assert.ok(kinds.length >= 12);
  const missed = mails.filter(({ verdict }) => verdict === 'clean');
  for (const kind of kinds) {
    const of = mails.filter((mail) => mail.kind === kind);
    const flagged = of.filter(({ verdict }) => verdict !== 'clean').length;
    const dangerous = of.filter(({ verdict }) => verdict === 'dangerous').length;
    t.diagnostic(`${kind}: ${flagged} of ${of.length} flagged, ${dangerous} as dangerous`);
    assert.ok(
      flagged >= of.length * 0.8,
      missed
        .filter((mail) => mail.kind === kind)
        .map(({ name, signals }) => `${name}: ${names(signals)}`)
        .join('\n'),
    );
  }
  for (const { name, text, hides } of mails) {
    assert.equal(withoutInvisible(text).removed, 0, name);
    if (hides !== undefined) assert.equal(text.includes(hides), false, `${name} shows what it hides`);
  }
});

test('of mails that were written one by one, nine of ten hostile ones are flagged and no ordinary one', (t) => {
  const missed = observedHostile().filter(({ mail }) => judged(mail).verdict === 'clean');
  t.diagnostic(`missed: ${missed.map(({ name }) => name).join(', ')}`);
  assert.ok(missed.length <= observedHostile().length * 0.1);
  const flagged = observedClean().filter(({ mail }) => judged(mail).verdict !== 'clean');
  assert.deepEqual(
    flagged.map(({ name }) => name),
    [],
  );
});

test('ordinary mail in fifteen languages is clean, and its text is what a person sees', (t) => {
  const mails = cleanMails().map((clean) => ({ ...clean, ...judged(clean.mail) }));
  assert.ok(mails.length >= 600);
  assert.ok(new Set(mails.map(({ language }) => language)).size >= 15);
  const flagged = mails.filter(({ verdict }) => verdict !== 'clean');
  t.diagnostic(`${flagged.length} of ${mails.length} flagged`);
  assert.ok(
    flagged.length <= mails.length * 0.01,
    flagged.map(({ name, signals }) => `${name}: ${names(signals)}`).join('\n'),
  );
  for (const { name, text, shows } of mails)
    for (const words of shows) assert.ok(text.includes(words), `${name} does not show ${words}: ${text.slice(0, 300)}`);
});

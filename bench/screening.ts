import { performance } from 'node:perf_hooks';
import { findCode } from '../src/mail/screening/mail-code.ts';
import { type ScreenedMail, screen } from '../src/mail/screening/mail-screening.ts';
import { safetyOf } from '../src/mail/screening/verdict.ts';
import { nearMails } from '../test/corpus/codes/near-numbers.ts';
import { plainMails } from '../test/corpus/codes/negatives.ts';
import { observedMails, observedPlain } from '../test/corpus/codes/observed.ts';
import { numberMails } from '../test/corpus/codes/other-numbers.ts';
import { codeMails } from '../test/corpus/codes/positives.ts';
import { unseenMails, unseenPlain } from '../test/corpus/codes/unseen.ts';
import { cleanMails } from '../test/corpus/hostile/clean.ts';
import { hostileMails } from '../test/corpus/hostile/hostile.ts';
import { observedClean, observedHostile } from '../test/corpus/hostile/observed.ts';
import { codeWaits } from './code-wait.ts';
import { type Bench, median, milliseconds, type Row } from './rig/result.ts';

const ROUNDS = 15;
const TEXT_CHARS = 65_536;

const row = (what: string, ours: string, aim: string): Row => ({ what, ours, aim, peer: null, ratio: null });
const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;

/** The median time of a call, after two that let the engine compile. */
function timeOf(run: () => void): number {
  const times: number[] = [];
  for (let round = -2; round < ROUNDS; round += 1) {
    const began = performance.now();
    run();
    if (round >= 0) times.push(performance.now() - began);
  }
  return median(times);
}

/** 64 KiB of the ordinary mails of the corpus. */
function longText(): string {
  let text = '';
  for (const { mail } of cleanMails()) text += `${mail.text}\n\n`;
  return text.repeat(1 + Math.ceil(TEXT_CHARS / text.length)).slice(0, TEXT_CHARS);
}

export const codes: Bench = {
  question: 'how many one-time codes are found, and how fast?',
  async run() {
    const mails = [...codeMails(), ...observedMails(), ...nearMails(), ...unseenMails()].map((mail) => ({
      code: mail.code,
      got: findCode(mail)?.code ?? null,
    }));
    const right = mails.filter(({ code, got }) => got === code).length;
    const wrong = mails.filter(({ code, got }) => got !== null && got !== code).length;
    const others = [...plainMails(), ...observedPlain(), ...numberMails(), ...unseenPlain()];
    const hits = others.filter((mail) => findCode(mail)?.code).length;
    const text = longText();
    return [
      row(
        `codes: precision in ${mails.length + others.length} mails`,
        (right / (right + wrong + hits)).toFixed(3),
        '0.99',
      ),
      row(`codes: recall in ${mails.length} mails with one`, (right / mails.length).toFixed(3), '0.90'),
      row(`codes: found in ${others.length} mails without one`, String(hits), '0'),
      row('codes: 64 KiB', milliseconds(timeOf(() => void findCode({ subject: 'Hello', text }))), '5 ms'),
      ...(await codeWaits()),
    ];
  },
};

const verdictOf = (mail: ScreenedMail): string =>
  safetyOf(screen(mail).findings, { auth: { dmarc: 'none' }, isFirstContact: true }).verdict;

export const screening: Bench = {
  question: 'how much hostile mail is flagged, and how much ordinary mail?',
  async run(say) {
    const byKind = new Map<string, Record<string, number>>();
    const judged = [
      ...hostileMails().map(({ kind, mail }) => ({ kind, mail })),
      ...observedHostile().map(({ mail }) => ({ kind: 'written one by one', mail })),
      ...observedClean().map(({ mail }) => ({ kind: 'ordinary: one by one', mail })),
      ...cleanMails().map(({ name, mail }) => ({ kind: `ordinary: ${name.split(' ')[0]}`, mail })),
    ];
    for (const { kind, mail } of judged) {
      const counts = byKind.get(kind) ?? { clean: 0, suspicious: 0, dangerous: 0 };
      const verdict = verdictOf(mail);
      counts[verdict] = (counts[verdict] ?? 0) + 1;
      byKind.set(kind, counts);
    }
    for (const [kind, { clean, suspicious, dangerous }] of byKind)
      say(`${kind.padEnd(22)} clean ${clean}, suspicious ${suspicious}, dangerous ${dangerous}`);
    const sum = (isOrdinary: boolean, verdicts: readonly string[]): number =>
      [...byKind]
        .filter(([kind]) => kind.startsWith('ordinary') === isOrdinary)
        .reduce((total, [, counts]) => total + verdicts.reduce((part, verdict) => part + (counts[verdict] ?? 0), 0), 0);
    const all = ['clean', 'suspicious', 'dangerous'];
    const text = longText();
    const long = { subject: 'Hello', text, html: null, from: null, replyTo: [], to: [] };
    const nested = { ...long, text: '', html: '<p><b><i><u>'.repeat(87_000) };
    const html = `<html><body>${text
      .split('\n')
      .map((line) => `<p>${line}</p>`)
      .join('')}</body></html>`.slice(0, TEXT_CHARS);
    return [
      row(
        `screening: flagged of ${sum(false, all)} hostile mails`,
        percent(sum(false, all.slice(1)), sum(false, all)),
        'more',
      ),
      row(
        `screening: flagged of ${sum(true, all)} ordinary mails`,
        percent(sum(true, all.slice(1)), sum(true, all)),
        '1 %',
      ),
      row('screening: 64 KiB of text', milliseconds(timeOf(() => void screen(long))), 'less'),
      row('screening: 64 KiB of HTML', milliseconds(timeOf(() => void screen({ ...long, text: '', html }))), 'less'),
      row('screening: 1 MB of nested HTML', milliseconds(timeOf(() => void screen(nested))), '300 ms'),
    ];
  },
};

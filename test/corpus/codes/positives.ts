import { LANGUAGES, type Phrases } from './languages.ts';

/** A mail of the corpus: what a reader sees, and the code in it. Null: none, and none may be found. */
export interface CodeMail {
  name: string;
  language: string;
  subject: string;
  text: string;
  header?: string;
  provenDomain?: string;
  code: string | null;
}

const SERVICES = ['Acme', 'Northwind', 'Globex', 'Initech', 'Umbra 3D', 'Kestrel'] as const;
const FOOTERS = [
  '\u00a9 2026 {a} Inc., 548 Market Street, San Francisco, CA 94104\nUnsubscribe: https://mail.example.com/u/839201',
  '{a} GmbH, Hauptstra\u00dfe 12, 10115 Berlin \u00b7 HRB 128934 \u00b7 Tel. +49 30 90182034',
  '{a} Ltd \u00b7 Company no. 08234561 \u00b7 VAT GB 123 4567 89 \u00b7 Call 0800 555 0199',
  'Need help? Write to help24@example.com or visit support.example.com/case/48213.',
  'Sent to ada.2048@example.org \u00b7 Request from 203.0.113.47 at 14:05 on 21.11.2026 (Chrome 131, Windows 10)',
  '',
] as const;

/** Deterministic numbers, so that the corpus is the same in every run. */
function* numbers(seed: number): Generator<number, never> {
  let state = seed;
  for (;;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state;
  }
}

type Pick = <T>(from: readonly T[]) => T;

interface Draft {
  phrases: Phrases;
  service: string;
  code: string;
  /** The code as the mail shows it. */
  shown: string;
  pick: Pick;
}

type Layout = (draft: Draft) => { subject: string; lines: string[]; header?: string; provenDomain?: string };

const filled = (text: string, { service, shown }: Draft): string =>
  text.replaceAll('{a}', service).replaceAll('{c}', shown).replaceAll('{n}', '10');

const plainSubject = (draft: Draft): string => {
  const subjects = draft.phrases.subjects.filter((subject) => !subject.includes('{c}'));
  return filled(draft.pick(subjects), draft);
};
const codedSubject = (draft: Draft): string => filled(`${draft.phrases.label}: {c}`, draft);
const inline = (draft: Draft): string => filled(draft.pick(draft.phrases.inline), draft);
const lead = (draft: Draft): string => filled(draft.pick(draft.phrases.leads), draft);
const ending = (draft: Draft): string[] => ['', filled(draft.phrases.expiry, draft), draft.phrases.ignore];

/** The shapes in which services set a code. */
// biome-ignore format: a table of layouts reads best with one on a line.
const LAYOUTS: Readonly<Record<string, Layout>> = {
  inline: (d) => ({ subject: plainSubject(d), lines: [d.phrases.hello, '', inline(d), ...ending(d)] }),
  'inline, one line': (d) => ({ subject: plainSubject(d), lines: [`${inline(d)} ${filled(d.phrases.expiry, d)}`] }),
  'own line': (d) => ({ subject: plainSubject(d), lines: [d.phrases.hello, '', lead(d), '', d.shown, ...ending(d)] }),
  'own line, close': (d) => ({ subject: plainSubject(d), lines: [d.phrases.hello, lead(d), d.shown, ...ending(d)] }),
  'own line, indented': (d) => ({ subject: plainSubject(d), lines: [d.phrases.hello, '', lead(d), '', `        ${d.shown}`, ...ending(d)] }),
  'own line, starred': (d) => ({ subject: plainSubject(d), lines: [lead(d), '', `*${d.shown}*`, ...ending(d)] }),
  'label and code': (d) => ({ subject: plainSubject(d), lines: [d.phrases.hello, '', `${d.phrases.label}: ${d.shown}`, ...ending(d)] }),
  'label above': (d) => ({ subject: plainSubject(d), lines: [d.phrases.hello, '', d.phrases.label, d.shown, ...ending(d)] }),
  'label above, far': (d) => ({ subject: plainSubject(d), lines: [d.phrases.label, '', '', d.shown, '', '', ...ending(d)] }),
  'subject alone has the words': (d) => ({ subject: filled(`${d.phrases.label} {a}`, d), lines: [d.phrases.hello, '', d.shown, ...ending(d)] }),
  'code in the subject': (d) => ({ subject: codedSubject(d), lines: [d.phrases.hello, '', d.phrases.ignore] }),
  'code in both': (d) => ({ subject: codedSubject(d), lines: [d.phrases.hello, '', lead(d), '', d.shown, ...ending(d)] }),
  'code twice': (d) => ({ subject: plainSubject(d), lines: [inline(d), '', d.shown, ...ending(d)] }),
  'preheader first': (d) => ({ subject: plainSubject(d), lines: [filled(d.phrases.expiry, d), '', d.service, '', lead(d), '', d.shown, ...ending(d)] }),
  'expiry before': (d) => ({ subject: plainSubject(d), lines: [d.phrases.hello, filled(d.phrases.expiry, d), '', lead(d), '', d.shown] }),
  'menu and banner': (d) => ({ subject: plainSubject(d), lines: [`${d.service} 2026`, 'Products  Pricing  Blog', '', lead(d), '', d.shown, ...ending(d)] }),
  'with a link too': (d) => ({ subject: plainSubject(d), lines: [lead(d), '', d.shown, '', 'https://example.com/verify?token=9482017365&c=20261121', ...ending(d)] }),
  'with the place of the request': (d) => ({ subject: plainSubject(d), lines: [inline(d), '', 'Browser: Chrome 131.0.6778 on macOS 15.1', 'IP: 198.51.100.23', 'Time: 2026-11-21 14:05 UTC', ...ending(d)] }),
  'with an amount': (d) => ({ subject: plainSubject(d), lines: [inline(d), 'USD 1250.00 \u00b7 \u20ac 1,499.00 \u00b7 4500 kr', ...ending(d)] }),
  'with the end of a card': (d) => ({ subject: plainSubject(d), lines: [inline(d), 'Card ending in 4242, Visa **** 1881', ...ending(d)] }),
  'with a phone number': (d) => ({ subject: plainSubject(d), lines: [lead(d), '', d.shown, '', 'Call us: +1 (800) 555-0199', ...ending(d)] }),
  'with quoted history': (d) => ({ subject: plainSubject(d), lines: [inline(d), '', '> On Mon, 2 Nov 2026 Acme wrote:', `> ${d.phrases.label}: 907512`] }),
  'origin line': (d) => ({ subject: plainSubject(d), lines: [d.phrases.hello, inline(d), '', `@login.example.com #${d.code}`], provenDomain: 'example.com' }),
  header: (d) => ({ subject: plainSubject(d), lines: [d.phrases.hello, '482 visits, 7312 views.'], header: `code=${d.code}; origin=example.com`, provenDomain: 'example.com' }),
  'upper case': (d) => ({ subject: plainSubject(d).toUpperCase(), lines: [lead(d).toUpperCase(), '', d.shown, ...ending(d)] }),
}; // biome-ignore format: a table of layouts reads best with one on a line.

/** How services write a code, and what a person types. */
const FORMS: readonly ((n: number) => { code: string; shown: string })[] = [
  (n) => same(String(100_000 + (n % 899_999))),
  (n) => same(String(100_000 + (n % 899_999))),
  (n) => same(String(2100 + (n % 7899))),
  (n) => same(String(21_000_000 + (n % 8_000_000) + 13).replace(/0$/, '7')),
  (n) => same(String(10_000 + (n % 89_999))),
  (n) => grouped(String(100_000 + (n % 899_999)), ' '),
  (n) => grouped(String(100_000 + (n % 899_999)), '-'),
  (n) => same(lettered(n, 6)),
  (n) => same(String(1_000_000 + (n % 8_999_999))),
];
const same = (code: string) => ({ code, shown: code });
const grouped = (code: string, by: string) => ({ code, shown: `${code.slice(0, 3)}${by}${code.slice(3)}` });
const LETTERS = 'ABCDEFGHJKLMNPQRTUVWXYZ';
function lettered(n: number, length: number): string {
  let text = '';
  for (let i = 0, rest = n; i < length; i += 1, rest = Math.floor(rest / 7) + 11)
    text += i % 2 === 0 ? LETTERS[rest % LETTERS.length] : String(2 + (rest % 8));
  return text;
}

const WIDE: Readonly<Record<string, number>> = { ar: 0x660, hi: 0x966, ja: 0xff10 };
/** The digits of the language, as some services write them. */
const inScript = (text: string, language: string): string => {
  const zero = WIDE[language];
  return zero === undefined ? text : text.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
};

/** Every layout in every language, each with a code of another form. */
export function codeMails(): CodeMail[] {
  const next = numbers(20_261_121);
  const pick: Pick = (from) => from[next.next().value % from.length] as (typeof from)[number];
  const mails: CodeMail[] = [];
  for (const phrases of LANGUAGES)
    for (const [layout, write] of Object.entries(LAYOUTS)) {
      const { code, shown } = pick(FORMS)(next.next().value >>> 3);
      const isMarked = layout === 'header' || layout === 'origin line';
      const asShown = next.next().value % 4 === 0 && !isMarked ? inScript(shown, phrases.language) : shown;
      const draft = { phrases, service: pick(SERVICES), code, shown: asShown, pick };
      const { subject, lines, ...marks } = write(draft);
      const footer = layout === 'origin line' ? [] : ['', pick(FOOTERS).replaceAll('{a}', draft.service)];
      const text = [...lines, ...footer].join('\n');
      mails.push({ name: `${phrases.language}, ${layout}`, language: phrases.language, subject, text, ...marks, code });
    }
  return mails;
}

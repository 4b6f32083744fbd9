import { getDomain } from 'tldts';
import type { MailAddress } from '../mime/parsed-mail.ts';
import type { FoundLink, Signal } from '../mime/screening-result.ts';
import { FREE_MAIL } from './free-mail.ts';
import { type Seen, withoutInvisible } from './invisible-text.ts';
import { BLANK, hasLongRun, LINE_FEED } from './long-run.ts';
import { brandNamedIn, brandOf, isMixed, lookalikeOf } from './lookalike-domain.ts';
import { forgedTurnsIn, modelTalkOf, READ_CHARS, visibleTalkOf } from './model-text.ts';
import { plainText } from './text-of-html.ts';
import type { VisibleText } from './visible-text.ts';

/** Who a mail says it is from, and to whom it goes. */
interface Sender {
  from: MailAddress | null;
  replyTo: readonly MailAddress[];
  /** Recipients, whose domains a sender might imitate. */
  to: readonly MailAddress[];
  /** A mailing list or bulk sender sent it on (RFC 2919). */
  isList: boolean;
}

/** A mail, with what was read of it so far. */
export interface SignalSource extends Sender {
  subject: string;
  /** The plain part, or what was made of the HTML. */
  text: string;
  /** What a person sees. */
  seen: Seen;
  /** How the HTML part shows; null when there is none, or nothing in it. */
  shown: VisibleText | null;
  /** The HTML part has more markup than is read as a person would see it. */
  isMarkupFlood: boolean;
  links: readonly FoundLink[];
  /** Texts of attachments. */
  attachments: readonly string[];
}

/** Characters of a text that are compared with another: more of them tell no more. */
const TEXT_CHARS = 65_536;

type Where = Signal['where'];

/** The signals of a text alone. */
function textSignals(text: string, where: Where): Signal[] {
  const isSeen = where === 'text' || where === 'subject' || where === 'from';
  const { weight, asksForSecrets } = isSeen ? visibleTalkOf(text) : modelTalkOf(text, where === 'hidden');
  const signals: Signal[] = [];
  // In a subject such words are no aside.
  const heard = where === 'subject' ? Math.min(0.9, weight * 1.25) : weight;
  if (heard > 0) signals.push({ name: 'instructions_to_models', weight: round(heard), where });
  if (asksForSecrets) signals.push({ name: 'asks_for_secrets', weight: 0.05, where });
  const turns = forgedTurnsIn(text);
  if (turns > 0) signals.push({ name: 'forged_turn', weight: turns > 1 ? 0.7 : 0.5, where });
  return signals;
}

const round = (weight: number): number => Math.round(weight * 100) / 100;

function invisibleSignals({ payload, splits, overrides, decoded }: Seen, where: Where): Signal[] {
  const signals: Signal[] = [];
  const weight = payload > 3 ? 0.85 : splits >= 12 ? 0.5 : splits >= 4 ? 0.3 : 0;
  if (weight > 0) signals.push({ name: 'invisible_characters', weight, where });
  if (overrides > 0) signals.push({ name: 'reversed_text', weight: 0.45, where });
  return [...signals, ...(decoded.length > 8 ? textSignals(decoded, 'hidden') : [])];
}

/** The words of a text, without addresses of mail and pages. */
const wordsOf = (text: string): string[] =>
  plainText(text.slice(0, TEXT_CHARS))
    .toLowerCase()
    .split(/\s+/)
    .filter((token) => !token.includes('@') && !token.includes('://') && !token.startsWith('www.'))
    .join(' ')
    .match(/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|[\p{L}\p{M}]{2,40}/gu) ?? [];

/** The sentences of `text` most of whose words are not in `known`. */
function newIn(text: string, known: ReadonlySet<string>): string {
  const isNew = (line: string): boolean => {
    const words = wordsOf(line);
    return words.filter((word) => !known.has(word)).length > words.length * 0.3;
  };
  return text
    .slice(0, READ_CHARS)
    .split(/(?<=[.!?;])\s|\u3002|\n/)
    .filter(isNew)
    .join('\n');
}

/** Hidden text of more characters than a preview line has. */
const PREVIEW_CHARS = 300;

function hiddenSignals({ hidden, unseen }: VisibleText, seen: string): Signal[] {
  if (hidden === '' && unseen === '') return [];
  const known = new Set(wordsOf(seen));
  // A newsletter hides a second copy of its words for small screens.
  const own = newIn(hidden, known);
  const letters = (own.match(/[\p{L}]/gu) ?? []).length;
  const signals = textSignals(`${own}\n${newIn(unseen, known)}`, 'hidden');
  if (letters > 0)
    signals.push({ name: 'hidden_text', weight: letters > PREVIEW_CHARS ? 0.25 : 0.03, where: 'hidden' });
  return signals;
}

/** How much two parts of a mail that should say the same differ: the share of words that only one has. */
function differenceOf(plain: readonly string[], html: ReadonlySet<string>): number {
  const words = new Set(plain);
  const shared = [...words].filter((word) => html.has(word)).length;
  return 1 - shared / (words.size + html.size - shared || 1);
}

function plainSignals(plain: string, seen: string): Signal[] {
  const words = wordsOf(plain);
  if (words.length < 4) return [];
  const html = new Set(wordsOf(seen));
  const isOther = differenceOf(words, html) > 0.5;
  const own = newIn(plain, html);
  const talk = own === '' ? [] : textSignals(own, 'plain');
  // Many senders say only "read this mail in a browser" in the plain part.
  return [
    ...(isOther ? [{ name: 'differing_parts', weight: words.length > 20 ? 0.15 : 0.05, where: 'plain' as const }] : []),
    ...talk.map((signal) => ({ ...signal, weight: round(1 - (1 - signal.weight) ** 1.5) })),
  ];
}

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase();
const orgOf = (host: string): string => getDomain(host) ?? host;

/** An address that a display name shows. */
const NAMED = /[\p{L}\d._%+-]{1,64}@([\p{L}\d-]{1,63}(?:\.[\p{L}\d-]{1,63})+)/u;

function nameSignals({ address, name }: MailAddress, isList: boolean): Signal[] {
  const domain = orgOf(domainOf(address));
  const named = NAMED.exec(name)?.[1];
  const signals: Signal[] = [];
  const shown = named === undefined ? null : orgOf(named.toLowerCase());
  // A list or a service writes "ada@example.com via Lists" on purpose.
  if (shown !== null && shown !== domain)
    signals.push({ name: 'display_name_address', weight: isList || /\bvia\b/i.test(name) ? 0.1 : 0.45, where: 'from' });
  const brand = shown === null ? brandNamedIn(name) : null;
  if (brand !== null && brandOf(domain) !== brand && !/\b(?:via|at|@|from|bei|chez)\b/i.test(name))
    signals.push({ name: 'display_name_brand', weight: FREE_MAIL.has(domain) ? 0.45 : 0.2, where: 'from' });
  if ((name.match(/[\p{L}]{3,40}/gu) ?? []).some(isMixed))
    signals.push({ name: 'lookalike_name', weight: 0.5, where: 'from' });
  return signals;
}

/** What the From and Reply-To headers show against a mail. */
function senderSignals({ from, replyTo, to, isList }: Sender): Signal[] {
  if (from === null) return [];
  const domain = domainOf(from.address);
  const signals = nameSignals(from, isList);
  const lookalike = lookalikeOf(domain, [...new Set(to.slice(0, 10).map(({ address }) => domainOf(address)))]);
  if (lookalike > 0) signals.push({ name: 'lookalike_domain', weight: lookalike, where: 'from' });
  const elsewhere = replyTo.map(({ address }) => orgOf(domainOf(address))).filter((other) => other !== orgOf(domain));
  if (elsewhere.length > 0) {
    const isFree = elsewhere.some((other) => FREE_MAIL.has(other)) && !FREE_MAIL.has(orgOf(domain));
    const imitates = elsewhere.some((other) => lookalikeOf(other, [domain]) > 0);
    signals.push({ name: 'reply_to_elsewhere', weight: imitates ? 0.5 : isFree ? 0.2 : 0.08, where: 'reply_to' });
  }
  return signals;
}

function linkSignals(links: readonly FoundLink[], from: string | null): Signal[] {
  const sender = from === null ? null : orgOf(domainOf(from));
  const weights = new Map<string, number>();
  const add = (name: string, weight: number): void => void weights.set(name, Math.max(weight, weights.get(name) ?? 0));
  const hosts = links.map(({ host }) => orgOf(host));
  for (const { url, host, text, mismatch } of links) {
    const { username, password } = new URL(url);
    if (username !== '' || password !== '') add('link_with_login', 0.45);
    if (/^(?:\d{1,3}\.){3}\d{1,3}$|^\[/.test(host)) add('link_to_ip', 0.35);
    if (host.includes('xn--') && lookalikeOf(host, []) > 0) add('lookalike_link', 0.5);
    else if (brandOf(host) === null && lookalikeOf(host, sender === null ? [] : [sender]) >= 0.6)
      add('lookalike_link', 0.5);
    if (!mismatch || orgOf(host) === sender) continue;
    // A newsletter counts clicks: its links go through one host, and their texts name the sender itself.
    const isTracker = hosts.filter((other) => other === orgOf(host)).length >= 3;
    const isOwnName = sender !== null && text.toLowerCase().includes(sender);
    add('link_mismatch', isTracker ? 0.1 : isOwnName ? 0.2 : 0.4);
  }
  return [...weights].map(([name, weight]) => ({ name, weight, where: 'link' }));
}

const BLOB = /(?:[A-Za-z0-9+/]{4}){12,2000}={0,2}/g;

/** Text that is written in base64, where it can be read as words. */
function encodedIn(text: string): string {
  const found: string[] = [];
  if (!hasLongRun(text, 48, [BLANK, LINE_FEED])) return '';
  for (const [blob] of text.slice(0, READ_CHARS).matchAll(BLOB)) {
    const decoded = Buffer.from(blob, 'base64').toString();
    if (/^[\p{L}\p{N}\p{P}\p{Zs}\n\r\t$+<=>^`|~]+$/u.test(decoded) && /\p{L} \p{L}/u.test(decoded)) found.push(decoded);
    if (found.length >= 8) break;
  }
  return found.join('\n');
}

/** Words that mix the letters of several scripts, so that a search does not find them. */
function mixedSignals(text: string): Signal[] {
  if (!/[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(text) || !/\p{Script=Latin}/u.test(text)) return [];
  let mixed = 0;
  for (const [word] of text.slice(0, READ_CHARS).matchAll(/\p{L}{4,40}/gu)) if (isMixed(word)) mixed += 1;
  return mixed >= 3 ? [{ name: 'mixed_scripts', weight: mixed >= 6 ? 0.5 : 0.4, where: 'text' }] : [];
}

/** One signal of each name and place, the heaviest. */
function distinct(signals: readonly Signal[]): Signal[] {
  const byKey = new Map<string, Signal>();
  for (const signal of signals) {
    const key = `${signal.name} ${signal.where}`;
    if (signal.weight > (byKey.get(key)?.weight ?? 0)) byKey.set(key, signal);
  }
  return [...byKey.values()].sort((a, b) => b.weight - a.weight);
}

/** Nothing is known of the rest, and padding in front of a demand is cheap. */
const UNREAD: Signal = { name: 'unread_text', weight: 0.4, where: 'text' };
/** What such a page hides is not known. */
const MARKUP_FLOOD: Signal = { name: 'markup_flood', weight: 0.4, where: 'text' };

/** What a mail itself shows against it. Each signal alone proves little: see verdict.ts. */
export function signalsOf(mail: SignalSource): Signal[] {
  const { subject, seen, shown, text, links, attachments, from } = mail;
  const encoded = encodedIn(seen.text);
  return distinct([
    ...senderSignals(mail),
    ...invisibleSignals(seen, 'text'),
    ...invisibleSignals(withoutInvisible(subject), 'subject'),
    ...textSignals(subject, 'subject'),
    ...textSignals(seen.text, 'text'),
    ...mixedSignals(seen.text),
    ...(Math.max(seen.text.length, text.length) > READ_CHARS ? [UNREAD] : []),
    ...(mail.isMarkupFlood ? [MARKUP_FLOOD] : []),
    ...(shown === null ? [] : hiddenSignals(shown, `${subject}\n${seen.text}`)),
    ...(shown === null ? [] : plainSignals(text, `${subject}\n${seen.text}`)),
    ...linkSignals(links, from?.address ?? null),
    ...attachments.flatMap((content) => textSignals(content, 'attachment')),
    ...(encoded === '' ? [] : textSignals(encoded, 'hidden')),
  ]);
}

import { getDomain } from 'tldts';
import type { MailAddress } from '../mime/parsed-mail.ts';
import type { Signal } from '../mime/screening-result.ts';
import { FREE_MAIL } from './brands.ts';
import { brandNamedIn, brandOf, isMixed, lookalikeOf } from './lookalike-domain.ts';

/** Who a mail says it is from, and to whom it goes. */
export interface Sender {
  from: MailAddress | null;
  replyTo: readonly MailAddress[];
  /** Recipients, whose domains a sender might imitate. */
  to: readonly MailAddress[];
  /** A mailing list or bulk sender sent it on (RFC 2919). */
  isList: boolean;
}

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase();
const orgOf = (domain: string): string => getDomain(domain) ?? domain;

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
export function senderSignals({ from, replyTo, to, isList }: Sender): Signal[] {
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

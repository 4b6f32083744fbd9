/** Recipient addresses of the inbound SMTP server: which are refused without a look-up, and the canonical form of the others. */
import { domainToASCII } from 'node:url';

/** A recipient in the form that the listener passes on. */
export type SmtpRecipient = {
  /** Lower case (ASCII letters; no other script is folded, or U+212A would become `k`). */
  local: string;
  /** Lower case, IDN in its ASCII form. Empty only for the bare `postmaster` of RFC 5321 4.5.1. */
  domain: string;
  /** As the client wrote it, save that an IDN domain is in Unicode. */
  raw: string;
};

type PathRefusal = { code: 550 | 553; text: string };

/**
 * Refuses a RCPT line that asks for mail to be passed on, in any of the ways relays were once fooled by: source routes
 * (RFC 5321 appendix C lets a server refuse them), the percent hack, bang paths, a second `@`, and quoted local parts,
 * which can hide any of these. None of our addresses needs such a form.
 */
export function pathRefusal(command: string): PathRefusal | null {
  const colon = command.indexOf(':');
  const path = command.slice(colon + 1);
  if (path.includes('"')) return { code: 553, text: '5.1.3 Quoted local parts are not accepted' };
  const open = path.indexOf('<');
  const close = path.indexOf('>', open + 1);
  // Without brackets the command is malformed: the parser answers 501.
  if (colon < 0 || open < 0 || close < 0) return null;
  const address = path.slice(open + 1, close);
  if (address.startsWith('@')) return { code: 553, text: '5.7.1 Source routes are not accepted' };
  const at = address.indexOf('@');
  if (at < 0) return null;
  if (address.includes('@', at + 1)) return { code: 550, text: '5.7.1 Relaying denied' };
  if (/[%!]/.test(address.slice(0, at))) return { code: 550, text: '5.7.1 Relaying denied' };
  return null;
}

/** Splits an address that holds at most one `@`; null when its domain is invalid. */
export function toRecipient(raw: string): SmtpRecipient | null {
  const at = raw.indexOf('@');
  const local = foldAscii(at < 0 ? raw : raw.slice(0, at));
  if (at < 0) return { local, domain: '', raw };
  const domain = asciiDomain(raw.slice(at + 1));
  return domain === '' ? null : { local, domain, raw };
}

/** A sender's address with its domain in ASCII; the local part is not changed. */
export function toEnvelopeFrom(raw: string): string {
  const at = raw.lastIndexOf('@');
  return at < 0 ? raw : `${raw.slice(0, at)}@${asciiDomain(raw.slice(at + 1)) || raw.slice(at + 1)}`;
}

const foldAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/**
 * Plain ASCII names are only folded: the URL parser would read `1.2.3` as a short form of an IPv4 address. '' when
 * invalid.
 */
function asciiDomain(domain: string): string {
  const ascii = /^[\u0020-\u007e]*$/.test(domain) ? foldAscii(domain) : domainToASCII(domain);
  return ascii.startsWith('.') || ascii.endsWith('.') ? '' : ascii;
}

import { createRequire } from 'node:module';
import { domainToASCII } from 'node:url';
import { invalidField } from '../../api/errors.ts';
import { lazy } from '../../base/lazy.ts';

const require = createRequire(import.meta.url);
const anyAscii = lazy(() => (require('any-ascii') as typeof import('any-ascii')).default);

/** Local parts of the service's own addresses (strict, lower case) and of foreign ones (RFC 5321 dot-atoms, bounded). */
const LOCAL_PART = /^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/;
const FOREIGN_LOCAL =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~\u0080-\uffff-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~\u0080-\uffff-]+)*$/;
const DOMAIN_LABEL = /^[A-Za-z0-9\u0080-\uffff](?:[A-Za-z0-9\u0080-\uffff-]{0,61}[A-Za-z0-9\u0080-\uffff])?$/;

/** Removes spaces at both ends. It keeps line breaks, so that a check can refuse them: the text may become a header. */
export const trimSpaces = (text: string): string => text.replace(/^ +| +$/g, '');

/** True for a local part that this service can provide: 1 to 64 of `a-z0-9._-`, alphanumeric at both ends, no `..`. */
export const isLocalPart = (text: string): boolean => LOCAL_PART.test(text) && !text.includes('..');

/**
 * Parses an agent address into its canonical form. Null for an address of another domain. Accepts a bare name (`hello`
 * means `hello@{mailDomain}`) and any case.
 */
export function agentAddress(text: string, mailDomain: string): string | null {
  const folded = trimSpaces(text).toLowerCase();
  const at = folded.lastIndexOf('@');
  const localPart = at < 0 ? folded : folded.slice(0, at);
  if (at >= 0 && folded.slice(at + 1) !== mailDomain) return null;
  return isLocalPart(localPart) ? `${localPart}@${mailDomain}` : null;
}

/**
 * Parses an address on an account's own domain into its stored form. Null for an invalid address. It does not check that
 * the account has verified the domain.
 */
export function hostedAddress(text: string): string | null {
  const mailbox = parseMailbox(trimSpaces(text).toLowerCase());
  if (mailbox === null) return null;
  const domain = domainToASCII(domainOf(mailbox));
  const localPart = localPartOf(mailbox);
  return domain !== '' && isLocalPart(localPart) ? `${localPart}@${domain}` : null;
}

/** The part before the last `@`. */
export const localPartOf = (address: string): string => address.slice(0, address.lastIndexOf('@'));

/** The part after the last `@`, in lower case. Empty if there is none. */
export const domainOf = (address: string): string => {
  const at = address.lastIndexOf('@');
  return at < 0 ? '' : address.slice(at + 1).toLowerCase();
};

/**
 * Parses a mailbox `local@domain` (RFC 5321 4.1.2 without quoted strings and address literals). Null for other text.
 * The domain becomes lower case. The local part does not: only its own host knows whether case matters there.
 */
export function parseMailbox(text: string): string | null {
  const at = text.lastIndexOf('@');
  if (at < 1 || text.length > 254) return null;
  const localPart = text.slice(0, at);
  const domain = text.slice(at + 1);
  if (Buffer.byteLength(localPart) > 64 || !FOREIGN_LOCAL.test(localPart)) return null;
  const labels = domain.split('.');
  return labels.every((label) => DOMAIN_LABEL.test(label)) ? `${localPart}@${domain.toLowerCase()}` : null;
}

/** True for a name that could pass for another address, or shows something else than it holds: invisible characters. */
export const isMisleadingName = (name: string): boolean => /[@<>\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name);

/**
 * Parses a personal email address into its stored form. All of it is lower case, so that a login finds it.
 * @throws ApiError `invalid_request` for `path`
 */
export function requirePersonalEmail(text: string, path: string): string {
  const email = parseMailbox(trimSpaces(text));
  if (email !== null) return email.toLowerCase();
  throw invalidField(path, 'invalid_format', `${path} must be an email address such as ada@example.com.`);
}

/**
 * Makes a local part of at most 48 characters from a free name, in any script: `Zoë Müller` becomes `zoe-muller`.
 * @returns null when no letter or digit is left
 */
export function slugify(name: string): string | null {
  // Composed first: the library's table has one entry for a letter with its accent.
  const slug = anyAscii()(name.normalize('NFC'))
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/[._-]{2,}/g, '-')
    .slice(0, 48)
    .replace(/^[._-]+|[._-]+$/g, '');
  return isLocalPart(slug) ? slug : null;
}

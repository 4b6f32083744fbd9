import { domainToASCII, domainToUnicode } from 'node:url';
import { parse } from 'tldts';
import { ApiError } from '../../../api/errors.ts';

/** The service's own names: no account can set them up as a domain, and the records of a domain point to them. */
export interface OwnNames {
  mailDomain: string;
  /** The host of the SMTP server. */
  mailHost: string;
  /** The host of the service's base address. */
  host: string;
}

/** Leaves room for the longest record name in front of the domain (RFC 1035 2.3.4). */
const LENGTH_MAX = 230;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Top-level names that are not in the public DNS (RFC 6761, 6762, 7686, 9476), and the DNS's own `arpa`. */
const NOT_PUBLIC = new Set(['localhost', 'local', 'internal', 'onion', 'invalid', 'alt', 'arpa']);

function refuse(why: string): never {
  const message = `domain ${why}. Send a domain you control, such as mail.example.com.`;
  throw new ApiError('invalid_domain', {
    message,
    details: [{ path: '/body/domain', code: 'invalid_domain', message }],
  });
}

/** Each A-label must be the only spelling of its U-label (RFC 5891 4.4). Otherwise two stacks could share one domain. */
const isCanonical = (domain: string): boolean =>
  !/(?:^|\.)xn--/.test(domain) ||
  (domainToUnicode(domain) !== domain && domainToASCII(domainToUnicode(domain)) === domain);

const isWithin = (domain: string, parent: string): boolean => domain === parent || domain.endsWith(`.${parent}`);

/** Normalizes a domain: A-labels, lower case, no trailing dot. @throws ApiError `invalid_domain` with the reason */
export function requireDomain(text: string, own: OwnNames): string {
  const written = text.replace(/^ +| +$/g, '').replace(/[.\u3002\uff0e\uff61]$/, '');
  // ASCII is only lower-cased: the URL parser would read `1.2.3` as a short IPv4 address, and drop line breaks.
  const isIdn = /[\u0080-\uffff]/.test(written) && !/[\s\p{Cc}]/u.test(written);
  const domain = isIdn ? domainToASCII(written) : written.toLowerCase();
  const labels = domain.split('.');
  const { isIp, domain: registrable } = parse(domain, { allowPrivateDomains: true });
  if (isIp) refuse('is an IP address');
  if (domain.length > LENGTH_MAX) refuse(`is longer than ${LENGTH_MAX} characters`);
  if (!labels.every((label) => LABEL.test(label)) || !isCanonical(domain)) refuse('is not a domain name');
  if (labels.length < 2 || NOT_PUBLIC.has(labels.at(-1) as string)) refuse('is not a public name');
  if (/^\d+$/.test(labels.at(-1) as string)) refuse('is not a domain name');
  if (isWithin(domain, own.mailDomain) || isWithin(domain, own.host)) refuse('belongs to this service');
  if (registrable === null) refuse('is a public suffix, under which others register names');
  return domain;
}

/** The registrable domain, whose name servers answer for `domain`: `example.co.uk` for `mail.example.co.uk`. */
export const zoneOf = (domain: string): string => parse(domain, { allowPrivateDomains: true }).domain ?? domain;

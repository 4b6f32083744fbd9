import { domainToASCII } from 'node:url';
import { domainOf, localPartOf, parseMailbox } from '../../../mail/address/mail-address.ts';

/** An address as lists compare it: without case, the domain in its ASCII form without the dot of the root. */
export const comparable = (address: string): string => {
  const domain = domainOf(address).replace(/\.$/, '');
  return `${localPartOf(address).toLowerCase()}@${domainToASCII(domain) || domain}`;
};

/** An entry of a list in its stored form: an address, a domain, or `*.domain` for its subdomains. Null for other text. */
export function listEntry(text: string): string | null {
  const folded = text.trim().toLowerCase();
  if (folded.lastIndexOf('@') > 0) {
    const mailbox = parseMailbox(folded);
    return mailbox === null ? null : comparable(mailbox);
  }
  const bare = folded.replace(/^@/, '');
  const wildcard = bare.startsWith('*.') ? '*.' : '';
  const domain = bare.slice(wildcard.length);
  // A mailbox of the domain is valid exactly when the domain is.
  return parseMailbox(`x@${domain}`) !== null && domainToASCII(domain) !== '' ? wildcard + domainToASCII(domain) : null;
}

/** How narrow the narrowest entry is that an address falls under. 0: none. */
function narrowness(entries: ReadonlySet<string>, address: string): number {
  if (entries.size === 0) return 0;
  const own = comparable(address);
  if (entries.has(own)) return Number.POSITIVE_INFINITY;
  const labels = domainOf(own).split('.');
  if (entries.has(labels.join('.'))) return 2 * labels.length;
  for (let skipped = 1; skipped < labels.length; skipped++)
    if (entries.has(`*.${labels.slice(skipped).join('.')}`)) return 2 * (labels.length - skipped) - 1;
  return 0;
}

interface Lists {
  allow: readonly string[];
  block: readonly string[];
}

/** Which list an address falls under: the narrowest entry decides, and `block` wins ties. Null: neither. */
export function listedIn({ allow, block }: Lists, address: string): 'allow' | 'block' | null {
  const allowed = narrowness(new Set(allow), address);
  const blocked = narrowness(new Set(block), address);
  if (allowed === 0 && blocked === 0) return null;
  return allowed > blocked ? 'allow' : 'block';
}

/** A local part by which old mail servers send on to another host: `ada%elsewhere.example`, `elsewhere.example!ada`. */
const sendsOn = (address: string): boolean => /[%!@]/.test(localPartOf(address));

/**
 * The same for a recipient. Whoever allows a domain allows no address of it whose mail may go on to another host: such an
 * address must be in the list itself.
 */
export const recipientListedIn = ({ allow, block }: Lists, address: string): 'allow' | 'block' | null =>
  listedIn(
    { allow: sendsOn(address) ? allow.filter((entry) => entry === comparable(address)) : allow, block },
    address,
  );

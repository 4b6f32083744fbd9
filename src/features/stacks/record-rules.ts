import type { DnsLookup } from '../../mail/dns-lookup.ts';
import { zoneOf } from './domain-rules.ts';
import { type Finding, PURPOSES, type Purpose, type Stack } from './stack-data.ts';

/** A record that the owner of a domain sets. */
export interface DnsRecord {
  purpose: Purpose;
  type: 'MX' | 'TXT';
  name: string;
  value: string;
  /** Of an MX. */
  priority: number | null;
}

/**
 * The records of a domain. Mail for it comes to the host named as the mail domain, where the SMTP listener is, and the
 * servers that may send for it are those that may send for the mail domain.
 */
export function recordsOf(stack: Stack, mailDomain: string): DnsRecord[] {
  const { domain, token, dkimSelector, dkimPublicKey } = stack;
  const txt = (purpose: Purpose, name: string, value: string): DnsRecord => ({
    purpose,
    type: 'TXT',
    name,
    value,
    priority: null,
  });
  return [
    txt('ownership', `_signet.${domain}`, token),
    { purpose: 'mx', type: 'MX', name: domain, value: mailDomain, priority: 10 },
    txt('spf', domain, `v=spf1 include:${mailDomain} ~all`),
    txt('dkim', `${dkimSelector}._domainkey.${domain}`, `v=DKIM1; k=rsa; p=${dkimPublicKey}`),
    txt('dmarc', `_dmarc.${domain}`, 'v=DMARC1; p=none'),
  ];
}

/** The value of a tag of a DKIM record, white space taken out (RFC 6376 3.2). */
const tagOf = (record: string, tag: string): string | undefined =>
  record
    .split(';')
    .map((part) => part.replace(/\s/g, ''))
    .find((part) => part.startsWith(`${tag}=`))
    ?.slice(tag.length + 1);

/** Which of the records at a name are of that kind, and whether one says what is wanted. */
const READINGS: Record<Purpose, { isOfKind(text: string): boolean; isRight(text: string, wanted: string): boolean }> = {
  ownership: {
    isOfKind: (text) => text.startsWith('signet-verification='),
    isRight: (text, wanted) => text === wanted,
  },
  mx: { isOfKind: (text) => text !== '', isRight: (text, wanted) => text === wanted },
  spf: {
    isOfKind: (text) => /^v=spf1(?: |$)/i.test(text),
    // Whoever sends by other servers, too, has more in it.
    isRight: (text, wanted) =>
      text
        .toLowerCase()
        .split(/ +/)
        .includes(wanted.split(' ')[1] as string),
  },
  dkim: {
    isOfKind: (text) => tagOf(text, 'p') !== undefined,
    isRight: (text, wanted) => tagOf(text, 'p') === tagOf(wanted, 'p'),
  },
  // Which policy is the owner's to say.
  dmarc: { isOfKind: (text) => /^v=DMARC1\s*(?:;|$)/.test(text), isRight: () => true },
};

const FOUND_MAX = 10;
const FOUND_LENGTH_MAX = 600;

function judge({ purpose, value }: DnsRecord, texts: string[] | null): Finding {
  if (texts === null) return { status: 'unreachable', found: [] };
  const { isOfKind, isRight } = READINGS[purpose];
  const ofKind = texts.filter(isOfKind);
  const found = ofKind.slice(0, FOUND_MAX).map((text) => text.slice(0, FOUND_LENGTH_MAX).toWellFormed());
  if (ofKind.some((text) => isRight(text, value))) return { status: 'found', found };
  return { status: found.length > 0 ? 'different' : 'missing', found };
}

/** What the DNS says of a domain. */
export interface DnsCheck {
  findings: Record<Purpose, Finding>;
  nameservers: string[];
  /** The ownership records that are there, ours and others'. */
  tokens: string[];
}

/** Asks for all records of a domain at once. Never rejects. */
export async function checkRecords(lookup: DnsLookup, stack: Stack, mailDomain: string): Promise<DnsCheck> {
  const records = recordsOf(stack, mailDomain);
  const [nameservers, ...answers] = await Promise.all([
    lookup(zoneOf(stack.domain), 'NS'),
    ...records.map(({ name, type }) => lookup(name, type)),
  ]);
  const judged = records.map((record, i) => [record.purpose, judge(record, answers[i] ?? null)] as const);
  return {
    findings: Object.fromEntries(judged) as DnsCheck['findings'],
    nameservers: [...(nameservers ?? [])].sort().slice(0, FOUND_MAX),
    tokens: answers[PURPOSES.indexOf('ownership')] ?? [],
  };
}

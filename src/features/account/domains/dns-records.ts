import type { DnsLookup } from '../../../mail/smtp-out/dns-lookup.ts';
import { type OwnNames, zoneOf } from './domain.ts';
import { PURPOSES, type Purpose, type RecordCheck, type Stack } from './stack-table.ts';

/** A DNS record that the owner of a domain must set. */
export interface DnsRecord {
  purpose: Purpose;
  type: 'MX' | 'TXT';
  name: string;
  value: string;
  /** Only for MX. */
  priority: number | null;
}

/**
 * The DNS records of a domain. Its SPF record includes that of the mail domain, so the same servers may send for both.
 */
export function recordsOf(stack: Stack, { mailDomain, mailHost }: OwnNames): DnsRecord[] {
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
    { purpose: 'mx', type: 'MX', name: domain, value: mailHost, priority: 10 },
    txt('spf', domain, `v=spf1 include:${mailDomain} ~all`),
    txt('dkim', `${dkimSelector}._domainkey.${domain}`, `v=DKIM1; k=rsa; p=${dkimPublicKey}`),
    txt('dmarc', `_dmarc.${domain}`, 'v=DMARC1; p=none'),
  ];
}

/** The value of a tag of a DKIM record, without white space (RFC 6376 3.2). */
const tagOf = (record: string, tag: string): string | undefined =>
  record
    .split(';')
    .map((part) => part.replace(/\s/g, ''))
    .find((part) => part.startsWith(`${tag}=`))
    ?.slice(tag.length + 1);

/** Recognizes the records of each kind and checks their values. */
const MATCHERS: Record<Purpose, { isOfKind(text: string): boolean; isRight(text: string, wanted: string): boolean }> = {
  ownership: {
    isOfKind: (text) => text.startsWith('signet-verification='),
    isRight: (text, wanted) => text === wanted,
  },
  mx: { isOfKind: (text) => text !== '', isRight: (text, wanted) => text === wanted },
  spf: {
    isOfKind: (text) => /^v=spf1(?: |$)/i.test(text),
    // An owner who also sends through other servers has more in the record.
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
  // The owner chooses the policy.
  dmarc: { isOfKind: (text) => /^v=DMARC1\s*(?:;|$)/.test(text), isRight: () => true },
};

const FOUND_MAX = 10;
const FOUND_LENGTH_MAX = 600;

function checkRecord({ purpose, value }: DnsRecord, texts: string[] | null): RecordCheck {
  if (texts === null) return { status: 'unreachable', found: [] };
  const { isOfKind, isRight } = MATCHERS[purpose];
  const ofKind = texts.filter(isOfKind);
  const found = ofKind.slice(0, FOUND_MAX).map((text) => text.slice(0, FOUND_LENGTH_MAX).toWellFormed());
  if (ofKind.some((text) => isRight(text, value))) return { status: 'found', found };
  return { status: found.length > 0 ? 'different' : 'missing', found };
}

/** The DNS records found for a domain. */
export interface DnsCheck {
  findings: Record<Purpose, RecordCheck>;
  nameservers: string[];
  /** All ownership records found, ours and others'. */
  tokens: string[];
}

/** Looks up all records of a domain in parallel. Never rejects. */
export async function checkRecords(lookup: DnsLookup, stack: Stack, own: OwnNames): Promise<DnsCheck> {
  const records = recordsOf(stack, own);
  const [nameservers, ...answers] = await Promise.all([
    lookup(zoneOf(stack.domain), 'NS'),
    ...records.map(({ name, type }) => lookup(name, type)),
  ]);
  const checked = records.map((record, i) => [record.purpose, checkRecord(record, answers[i] ?? null)] as const);
  return {
    findings: Object.fromEntries(checked) as DnsCheck['findings'],
    nameservers: [...(nameservers ?? [])].sort().slice(0, FOUND_MAX),
    tokens: answers[PURPOSES.indexOf('ownership')] ?? [],
  };
}

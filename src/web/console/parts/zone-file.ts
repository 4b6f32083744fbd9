import type { ListStacksReply } from '../../../client/generated/operations.ts';

/** DNS records as a zone file has them (RFC 1035 5.1), which most DNS providers import. */

type DnsRecord = ListStacksReply['stacks'][number]['records'][number];

/** A string of a TXT record has at most 255 bytes (RFC 1035 3.3). All of these are ASCII. */
const STRING_MAX = 255;

const quoted = (text: string): string =>
  (text.match(new RegExp(`.{1,${STRING_MAX}}`, 'gs')) ?? [''])
    .map((part) => `"${part.replace(/["\\]/g, '\\$&')}"`)
    .join(' ');

const lineOf = ({ type, name, value, priority }: DnsRecord): string =>
  type === 'MX' ? `${name}. 3600 IN MX ${priority ?? 0} ${value}.` : `${name}. 3600 IN TXT ${quoted(value)}`;

export const zoneFile = (records: readonly DnsRecord[]): string =>
  records.map((record) => `${lineOf(record)}\n`).join('');

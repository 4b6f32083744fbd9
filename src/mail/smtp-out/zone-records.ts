/** The DNS records of the mail domain. */
import { createHash, createPublicKey } from 'node:crypto';
import ipaddr from 'ipaddr.js';

export interface ZoneRecord {
  purpose:
    | 'host'
    | 'mx'
    | 'spf'
    | 'helo'
    | 'dkim'
    | 'dmarc'
    | 'mta-sts'
    | 'tls-rpt'
    | 'imaps'
    | 'submissions'
    | 'autoconfig'
    | 'ptr';
  /** Without the dot at the end. */
  name: string;
  type: 'A' | 'AAAA' | 'CNAME' | 'MX' | 'PTR' | 'SRV' | 'TXT';
  value: string;
  /** What to know before it is set. */
  note?: string;
}

export interface ZoneFacts {
  mailDomain: string;
  mailHost: string;
  /** The public addresses of the host. */
  addresses: readonly string[];
  dkimSelector: string;
  /** PEM. */
  dkimKey: string;
  /** Null: mail leaves by this host alone. */
  relayHost: string | null;
  /** Null: no policy is served. */
  mtaSts: 'enforce' | 'testing' | null;
  /** The host of the API, which serves the policy. */
  webHost: string;
  /** Ports of TLS for mail programs; null where there is none. */
  imapsPort: number | null;
  submissionsPort: number | null;
}

/** The MTA-STS policy (RFC 8461 3.2). */
export const policyText = (mode: 'enforce' | 'testing', mailHost: string): string =>
  `version: STSv1\r\nmode: ${mode}\r\nmx: ${mailHost}\r\nmax_age: 604800\r\n`;

/** Names a policy in the DNS. It changes with the policy. */
export const policyId = (policy: string): string => createHash('sha256').update(policy).digest('hex').slice(0, 20);

/** The TXT record of a DKIM key. @throws for a text that is no private key, so that no empty key is ever published */
export function dkimRecord(privateKey: string): string {
  const der = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  return `v=DKIM1; k=rsa; p=${der.toString('base64')}`;
}

/** The name of an address in the reverse DNS (RFC 1035 3.5, RFC 3596 2.5). */
export function reverseName(address: string): string {
  const { host, zone } = reversed(address);
  return `${host}.${zone}`;
}

/** The name of an address in a blocklist (RFC 5782 2.1, 2.4). */
export const blocklistName = (address: string, list: string): string => `${reversed(address).host}.${list}`;

function reversed(address: string): { host: string; zone: string } {
  const ip = ipaddr.process(address);
  const bytes = ip.toByteArray();
  if (ip.kind() === 'ipv4') return { host: bytes.toReversed().join('.'), zone: 'in-addr.arpa' };
  const nibbles = bytes.flatMap((byte) => [byte >> 4, byte & 15]).toReversed();
  return { host: nibbles.map((nibble) => nibble.toString(16)).join('.'), zone: 'ip6.arpa' };
}

/** Every record that the mail domain needs, in the order to set them. */
export function zoneRecords(facts: ZoneFacts): ZoneRecord[] {
  const { mailDomain, mailHost, addresses, relayHost } = facts;
  const txt = (purpose: ZoneRecord['purpose'], name: string, value: string, note?: string): ZoneRecord => ({
    purpose,
    name,
    type: 'TXT',
    value,
    ...(note === undefined ? {} : { note }),
  });
  const spf = relayHost === null ? 'v=spf1 mx -all' : `v=spf1 mx a:${relayHost} ~all`;
  const report = `rua=mailto:postmaster@${mailDomain}`;
  return [
    ...addresses.map((value): ZoneRecord => ({ purpose: 'host', name: mailHost, type: typeOf(value), value })),
    { purpose: 'mx', name: mailDomain, type: 'MX', value: `10 ${mailHost}` },
    txt('spf', mailDomain, spf, relayHost === null ? undefined : 'add the include: that your relay documents'),
    // Login mails and bounces have no sender: SPF then asks for the name in EHLO (RFC 7208 2.4).
    ...(mailHost === mailDomain || relayHost !== null ? [] : [txt('helo', mailHost, 'v=spf1 a -all')]),
    txt('dkim', `${facts.dkimSelector}._domainkey.${mailDomain}`, dkimRecord(facts.dkimKey)),
    txt('dmarc', `_dmarc.${mailDomain}`, `v=DMARC1; p=quarantine; ${report}`),
    ...policyRecords(facts),
    txt('tls-rpt', `_smtp._tls.${mailDomain}`, `v=TLSRPTv1; ${report}`),
    ...programRecords(facts),
    ...addresses.map(
      (address): ZoneRecord => ({
        purpose: 'ptr',
        name: reverseName(address),
        type: 'PTR',
        value: mailHost,
        note: 'the provider of the host sets it',
      }),
    ),
  ];
}

/** A name under the mail domain that leads to the proxy of the service. */
function webRecords(
  { mailHost, webHost, addresses }: ZoneFacts,
  purpose: ZoneRecord['purpose'],
  name: string,
): ZoneRecord[] {
  const isOwn = webHost === mailHost || webHost === 'localhost' || ipaddr.isValid(webHost);
  return isOwn
    ? addresses.map((value): ZoneRecord => ({ purpose, name, type: typeOf(value), value }))
    : [{ purpose, name, type: 'CNAME', value: webHost }];
}

/** By which mail programs find the service (RFC 6186, RFC 8314 5.1). */
function programRecords(facts: ZoneFacts): ZoneRecord[] {
  const { mailDomain, mailHost, imapsPort, submissionsPort } = facts;
  const srv = (purpose: 'imaps' | 'submissions', port: number | null): ZoneRecord[] =>
    port === null
      ? []
      : [{ purpose, name: `_${purpose}._tcp.${mailDomain}`, type: 'SRV', value: `0 1 ${port} ${mailHost}` }];
  const records = [...srv('imaps', imapsPort), ...srv('submissions', submissionsPort)];
  return records.length === 0 ? [] : [...records, ...webRecords(facts, 'autoconfig', `autoconfig.${mailDomain}`)];
}

function policyRecords(facts: ZoneFacts): ZoneRecord[] {
  const { mailDomain, mailHost, mtaSts } = facts;
  if (mtaSts === null) return [];
  const purpose = 'mta-sts';
  return [
    {
      purpose,
      name: `_mta-sts.${mailDomain}`,
      type: 'TXT',
      value: `v=STSv1; id=${policyId(policyText(mtaSts, mailHost))}`,
    },
    ...webRecords(facts, purpose, `mta-sts.${mailDomain}`),
  ];
}

const typeOf = (address: string): 'A' | 'AAAA' => (address.includes(':') ? 'AAAA' : 'A');

/** The records in the form of a zone file (RFC 1035 5.1): names are whole, and long texts are split. */
export const zoneText = (records: readonly ZoneRecord[]): string =>
  records
    .map(({ name, type, value, note }) => {
      const shown = type === 'TXT' ? quoted(value) : type === 'A' || type === 'AAAA' ? value : `${value}.`;
      return `${note === undefined ? '' : `; ${note}\n`}${name}. 3600 IN ${type} ${shown}`;
    })
    .join('\n');

/** A string of a TXT record has at most 255 bytes. */
const quoted = (text: string): string =>
  (text.match(/.{1,255}/g) ?? ['']).map((part) => `"${part.replace(/(["\\])/g, '\\$1')}"`).join(' ');

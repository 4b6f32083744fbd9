/** Checks what other mail servers see of this one: the DNS, port 25, TLS and blocklists. Changes nothing. */
import { DAY_MS } from '../../../base/period.ts';
import type { DnsLookup } from '../../../mail/smtp-out/dns-lookup.ts';
import {
  blocklistName,
  dkimRecord,
  policyId,
  policyText,
  reverseName,
  type ZoneRecord,
  zoneRecords,
} from '../../../mail/smtp-out/zone-records.ts';
import { type Check, fail, listed, ok, warn } from './doctor-check.ts';
import type { MailProbe } from './mail-probe.ts';

export interface DnsDeps {
  mailDomain: string;
  mailHost: string;
  delivery: 'relay' | 'direct' | 'file';
  relayHost: string | null;
  dkimSelector: string;
  /** PEM. Null: there is no key yet. */
  dkimKey: string | null;
  mtaSts: 'enforce' | 'testing' | null;
  /** Whether the SMTP server has a certificate. */
  hasTls: boolean;
  /** The public base address. */
  baseUrl: string;
  blocklists: readonly string[];
  /** Ports of TLS for mail programs; null where there is none. */
  imapsPort: number | null;
  submissionsPort: number | null;
  /** Where mail for the postmaster goes; its servers are asked whether port 25 is open to the outside. */
  postmasterMail: string | null;
  lookup: DnsLookup;
  probe: MailProbe;
  /** The soft limit of open files; null where the system does not say. */
  openFiles: number | null;
  /** Milliseconds. */
  now(): number;
}

const PRINT = 'signet dns prints it';
const FILES_MIN = 4096;
const CERT_DAYS_MIN = 14;

/** Every answer with `v=…` of the kind; null if no server answered. */
const ofKind = (texts: string[] | null, kind: RegExp): string[] | null =>
  texts?.filter((text) => kind.test(text)) ?? null;

const unanswered = (name: string, record: string): Check =>
  fail(name, `no DNS server answers for ${record}`, 'Check DNS_SERVERS, or the resolver of the system');

async function addressesOf({ lookup, mailHost }: DnsDeps): Promise<string[] | null> {
  const [a, aaaa] = await Promise.all([lookup(mailHost, 'A'), lookup(mailHost, 'AAAA')]);
  return a === null && aaaa === null ? null : [...(a ?? []), ...(aaaa ?? [])];
}

async function checkMx({ lookup, mailDomain, mailHost }: DnsDeps): Promise<Check> {
  const name = 'dns mx';
  const hosts = await lookup(mailDomain, 'MX');
  if (hosts === null) return unanswered(name, `the MX of ${mailDomain}`);
  if (hosts.includes(mailHost)) return ok(name, `${mailDomain} has the mail server ${mailHost}`);
  if (hosts.length === 0) return fail(name, `${mailDomain} has no MX record`, `Set it to ${mailHost}: ${PRINT}`);
  return fail(name, `the MX of ${mailDomain} is ${listed(hosts)}`, `Set it to ${mailHost}, or set MAIL_HOST`);
}

function checkHost({ mailHost }: DnsDeps, addresses: string[] | null): Check {
  const name = 'dns host';
  if (addresses === null) return unanswered(name, mailHost);
  if (addresses.length > 0) return ok(name, `${mailHost} is ${listed(addresses)}`);
  return fail(name, `${mailHost} has no address`, 'Set an A record, and an AAAA record if the host has IPv6');
}

async function checkSpf(deps: DnsDeps, addresses: readonly string[]): Promise<Check> {
  const { lookup, probe, mailDomain, mailHost, delivery, relayHost } = deps;
  const name = 'dns spf';
  const records = ofKind(await lookup(mailDomain, 'TXT'), /^v=spf1(?: |$)/i);
  if (records === null) return unanswered(name, `the SPF of ${mailDomain}`);
  if (records.length === 0) return fail(name, `${mailDomain} has no SPF record`, `Set the TXT record: ${PRINT}`);
  if (records.length > 1)
    return fail(name, `${mailDomain} has ${records.length} SPF records, which counts as none`, 'Keep one of them');
  if (delivery !== 'direct')
    return ok(name, `${mailDomain} says ${records[0]}${relayHost === null ? '' : `; it must allow ${relayHost}`}`);
  for (const ip of addresses) {
    const result = await probe.spf({ ip, helo: mailHost, sender: `postmaster@${mailDomain}` });
    if (result !== 'pass')
      return fail(name, `SPF of mail from ${ip} is ${result}: ${records[0]}`, 'Allow it: v=spf1 mx -all does');
  }
  return ok(name, 'passes for this host');
}

async function checkDkim({ lookup, mailDomain, dkimSelector, dkimKey }: DnsDeps): Promise<Check> {
  const name = 'dns dkim';
  const at = `${dkimSelector}._domainkey.${mailDomain}`;
  if (dkimKey === null)
    return fail(name, 'there is no DKIM key yet', 'Run signet dns: it makes one and prints the record');
  const records = ofKind(await lookup(at, 'TXT'), /(?:^|;)\s*p=/);
  if (records === null) return unanswered(name, at);
  const keyOf = (text: string): string => /(?:^|;)\s*p=([^;]*)/.exec(text)?.[1]?.replace(/\s/g, '') ?? '';
  const wanted = keyOf(dkimRecord(dkimKey));
  if (records.some((text) => keyOf(text) === wanted)) return ok(name, `${at} has the key of this service`);
  if (records.length === 0) return fail(name, `${at} has no key`, `Set the TXT record: ${PRINT}`);
  const state = records.some((text) => keyOf(text) === '') ? 'an empty key, which revokes it' : 'another key';
  return fail(name, `${at} has ${state}`, `Replace the TXT record: ${PRINT}`);
}

async function checkDmarc({ lookup, mailDomain }: DnsDeps): Promise<Check> {
  const name = 'dns dmarc';
  const at = `_dmarc.${mailDomain}`;
  const texts = await lookup(at, 'TXT');
  const records = ofKind(texts, /^v=DMARC1\s*(?:;|$)/);
  if (records === null) return unanswered(name, at);
  if (records.length > 1) return fail(name, `${at} has ${records.length} records`, 'Keep one of them');
  const [record] = records;
  if (record === undefined)
    return fail(name, `${at} ${texts?.length ? 'is no DMARC record' : 'does not exist'}`, `Set it: ${PRINT}`);
  if (!/;\s*p=(?:none|quarantine|reject)\s*(?:;|$)/i.test(record))
    return fail(name, `${at} names no policy: ${record}`, 'Add p=none, p=quarantine or p=reject');
  return ok(name, record);
}

async function checkMtaSts({ lookup, probe, mailDomain, mailHost, mtaSts, hasTls }: DnsDeps): Promise<Check> {
  const name = 'mta-sts';
  if (mtaSts === null || !hasTls) return warn(name, 'no policy is served', 'Set SMTP_TLS_CERT and SMTP_TLS_KEY');
  const at = `_mta-sts.${mailDomain}`;
  const records = ofKind(await lookup(at, 'TXT'), /^v=STSv1\s*;/);
  if (records === null) return unanswered(name, at);
  const id = policyId(policyText(mtaSts, mailHost));
  if (records.length !== 1)
    return fail(name, `${at} has ${records.length} records of the policy`, `Set one TXT record: ${PRINT}`);
  if (!records[0]?.includes(`id=${id}`))
    return fail(name, `${at} names another policy than ${id}`, `Replace the TXT record: ${PRINT}`);
  const policy = await probe.policy(mailDomain);
  const url = `https://mta-sts.${mailDomain}/.well-known/mta-sts.txt`;
  if (policy.fault !== null)
    return fail(
      name,
      `${url}: ${policy.fault}`,
      'Point mta-sts. to the proxy of this service, with a valid certificate',
    );
  if (!policy.mx.includes(mailHost) || policy.mode !== mtaSts)
    return fail(name, `${url} says ${policy.mode} for ${listed(policy.mx)}`, 'Serve the policy of this service there');
  return ok(name, `${policy.mode}, for ${mailHost}`);
}

async function checkTlsReports({ lookup, mailDomain }: DnsDeps): Promise<Check> {
  const name = 'dns tls-rpt';
  const at = `_smtp._tls.${mailDomain}`;
  const records = ofKind(await lookup(at, 'TXT'), /^v=TLSRPTv1\s*;/);
  if (records === null) return unanswered(name, at);
  return records.length === 1
    ? ok(name, `${records[0]}`)
    : warn(name, `${at} has ${records.length} records`, `Nobody reports failures of TLS to you. ${PRINT}`);
}

async function checkPrograms({ lookup, mailDomain, mailHost, imapsPort, submissionsPort }: DnsDeps): Promise<Check[]> {
  const doors = [
    ['imaps', imapsPort],
    ['submissions', submissionsPort],
  ] as const;
  const open = doors.filter(([, port]) => port !== null);
  return Promise.all(
    open.map(async ([door, port]) => {
      const name = `dns ${door}`;
      const at = `_${door}._tcp.${mailDomain}`;
      const records = await lookup(at, 'SRV');
      if (records === null) return unanswered(name, at);
      if (records.includes(`${port} ${mailHost}`)) return ok(name, `${at} leads to ${mailHost}:${port}`);
      const found = records.length === 0 ? 'does not exist' : `leads to port ${listed(records)}`;
      return warn(name, `${at} ${found}`, `Mail programs must be told the server by hand. ${PRINT}`);
    }),
  );
}

async function checkPtr({ lookup, mailHost, delivery }: DnsDeps, addresses: readonly string[]): Promise<Check[]> {
  const name = 'dns ptr';
  if (delivery !== 'direct')
    return [ok(name, `not looked at: DELIVERY is ${delivery}, so other servers hand mail over`)];
  if (addresses.length === 0)
    return [
      warn(name, `not looked at: no address of ${mailHost} is known`, 'Mend dns host first, then run this again'),
    ];
  for (const address of addresses) {
    const names = await lookup(reverseName(address), 'PTR');
    if (names === null) return [unanswered(name, `the PTR of ${address}`)];
    if (names.includes(mailHost)) continue;
    const found = names.length > 0 ? `is ${listed(names)}` : 'does not exist';
    const remedy = `Have the provider of the host set it to ${mailHost}: receivers refuse mail without it`;
    return [fail(name, `the PTR record of ${address} ${found}`, remedy)];
  }
  return [ok(name, `${listed([...addresses])} → ${mailHost}`)];
}

/** Port 25 from outside, as far as this host can tell, and the certificate there. */
async function checkInbound(deps: DnsDeps, addresses: readonly string[]): Promise<Check[]> {
  const { probe, mailHost, hasTls } = deps;
  for (const address of addresses) {
    const { greeting, fault } = await probe.greeting(address);
    const remedy = 'Set SMTP_HOST=0.0.0.0 and SMTP_PORT=25 (or forward port 25), and open it in the firewall';
    if (greeting === null) return [fail('port 25 in', `${address}:25 does not answer: ${fault}`, remedy)];
    if (!greeting.includes(mailHost))
      return [fail('port 25 in', `another server answers on ${address}:25: ${greeting}`, remedy)];
  }
  const inbound = ok('port 25 in', `${listed([...addresses])} greet as ${mailHost}`);
  const name = 'smtp tls';
  if (!hasTls) return [inbound, warn(name, 'none: mail arrives unencrypted', 'Set SMTP_TLS_CERT and SMTP_TLS_KEY')];
  const { validTo, fault } = await probe.certificate(addresses[0] as string, mailHost);
  if (validTo === null)
    return [inbound, fail(name, `the certificate for ${mailHost}: ${fault}`, 'Renew SMTP_TLS_CERT and restart')];
  const days = Math.floor((validTo - deps.now()) / DAY_MS);
  return [
    inbound,
    days < CERT_DAYS_MIN
      ? warn(name, `the certificate ends in ${days} days`, 'Renew SMTP_TLS_CERT and restart')
      : ok(name, `the certificate is valid for ${mailHost}, ${days} days more`),
  ];
}

async function checkOutbound({ probe, postmasterMail, delivery, lookup }: DnsDeps): Promise<Check[]> {
  if (delivery !== 'direct') return [];
  const name = 'port 25 out';
  if (postmasterMail === null)
    return [warn(name, 'not tried: no server is known to try it with', 'Set POSTMASTER_MAIL, then it is asked')];
  const domain = postmasterMail.slice(postmasterMail.lastIndexOf('@') + 1);
  const [server = domain] = (await lookup(domain, 'MX')) ?? [];
  const { greeting, fault } = await probe.greeting(server);
  return [
    greeting === null
      ? fail(
          name,
          `${server}:25 does not answer: ${fault}`,
          'Ask the provider of the host to open port 25, or use a relay',
        )
      : ok(name, `${server} answers`),
  ];
}

async function checkBlocklists({ lookup, blocklists }: DnsDeps, addresses: readonly string[]): Promise<Check[]> {
  const name = 'blocklists';
  for (const list of blocklists) {
    for (const address of addresses) {
      const answer = await lookup(blocklistName(address, list), 'A');
      if (answer === null || answer.some((code) => code.startsWith('127.255.255.')))
        return [warn(name, `${list} does not answer this DNS server`, 'Ask it through a DNS server of your own')];
      if (answer.length > 0)
        return [fail(name, `${address} is on ${list} (${answer.join(', ')})`, `Ask ${list} to remove it`)];
    }
  }
  return blocklists.length === 0 ? [] : [ok(name, `none of ${listed([...blocklists])} has this host`)];
}

async function checkWeb({ probe, baseUrl }: DnsDeps): Promise<Check> {
  const fault = await probe.web(baseUrl);
  if (fault === null) return ok('https', `${baseUrl} answers`);
  return fail('https', `${baseUrl}: ${fault}`, 'Check BASE_URL, its DNS record, the proxy and the certificate');
}

const checkOpenFiles = (openFiles: number | null): Check[] =>
  openFiles === null
    ? []
    : [
        openFiles < FILES_MIN
          ? warn(
              'open files',
              `this process may open ${openFiles}`,
              `Set LimitNOFILE (ulimit -n) to ${FILES_MIN} or more`,
            )
          : ok('open files', `up to ${openFiles}`),
      ];

/** Checks everything in turn; each finding names the record or setting to change. */
export async function examineDns(deps: DnsDeps): Promise<Check[]> {
  const addresses = await addressesOf(deps);
  const known = addresses ?? [];
  const records = [
    checkMx(deps),
    checkSpf(deps, known),
    checkDkim(deps),
    checkDmarc(deps),
    checkMtaSts(deps),
    checkTlsReports(deps),
  ];
  return [
    checkHost(deps, addresses),
    ...(await Promise.all(records)),
    ...(await checkPrograms(deps)),
    ...(await checkPtr(deps, known)),
    ...(known.length > 0 ? await checkInbound(deps, known) : []),
    ...(await checkOutbound(deps)),
    ...(await checkBlocklists(deps, known)),
    await checkWeb(deps),
    ...checkOpenFiles(deps.openFiles),
  ];
}

/** The records to set, for `signet dns`. */
export const recordsFor = (
  deps: Pick<DnsDeps, 'mailDomain' | 'mailHost' | 'dkimSelector' | 'relayHost' | 'mtaSts' | 'hasTls' | 'baseUrl'> &
    Pick<DnsDeps, 'imapsPort' | 'submissionsPort'>,
  dkimKey: string,
  addresses: readonly string[],
): ZoneRecord[] =>
  zoneRecords({
    ...deps,
    dkimKey,
    addresses,
    mtaSts: deps.hasTls ? deps.mtaSts : null,
    webHost: new URL(deps.baseUrl).hostname,
  });

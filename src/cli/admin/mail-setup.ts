/** What the commands about mail and DNS do: `signet dns`, `signet doctor --dns`, `signet mail test`. */
import { readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import ipaddr from 'ipaddr.js';
import { systemClock } from '../../base/clock.ts';
import { readIfThere } from '../../base/private-file.ts';
import { randomBase62 } from '../../base/secret.ts';
import { type Config, listenerUrl } from '../../config/service-config.ts';
import { type DnsDeps, examineDns, recordsFor } from '../../features/top/admin/doctor-dns.ts';
import { createMailProbe } from '../../features/top/admin/mail-probe.ts';
import { parseMailbox } from '../../mail/address/mail-address.ts';
import { composeMail, newMessageId } from '../../mail/mime/compose.ts';
import { createDkimKeyFile } from '../../mail/smtp-out/dkim-key.ts';
import { createDnsLookup, createResolve } from '../../mail/smtp-out/dns-lookup.ts';
import { createMailTransport } from '../../mail/smtp-out/mail-transport.ts';
import { zoneText } from '../../mail/smtp-out/zone-records.ts';
import { CommandError } from '../output.ts';
import { readConfiguration } from './command-context.ts';

const dkimPath = ({ dataDir }: Config): string => join(dataDir, 'dkim.pem');

/** The key of the configuration or of the data folder; made if there is none. */
const dkimKeyOf = async (config: Config): Promise<string> => config.dkimKey ?? createDkimKeyFile(dkimPath(config))();

const relayHostOf = ({ delivery, smtpRelayUrl }: Config): string | null =>
  delivery === 'relay' && smtpRelayUrl !== null ? new URL(smtpRelayUrl).hostname : null;

/** The addresses that the DNS has for the host, else the public ones of the interfaces. */
async function addressesOf(config: Config): Promise<string[]> {
  const lookup = createDnsLookup(createResolve(config.dnsServers));
  const found = await Promise.all([lookup(config.mailHost, 'A'), lookup(config.mailHost, 'AAAA')]);
  const known = found.flatMap((list) => list ?? []);
  if (known.length > 0) return known;
  const own = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return own.map(({ address }) => address).filter((address) => ipaddr.process(address).range() === 'unicast');
}

/** The soft limit of open files. */
function openFiles(): number | null {
  try {
    const text = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return text === undefined ? null : Number(text);
  } catch {
    return null;
  }
}

async function factsOf(config: Config): Promise<DnsDeps> {
  const resolve = createResolve(config.dnsServers);
  return {
    ...config,
    relayHost: relayHostOf(config),
    dkimKey: config.dkimKey ?? (await readIfThere(dkimPath(config))),
    hasTls: config.smtpTls !== null,
    baseUrl: listenerUrl(config, config.port),
    lookup: createDnsLookup(resolve),
    probe: createMailProbe(resolve),
    openFiles: openFiles(),
    now: () => systemClock.now(),
  };
}

/** The records of the mail domain. `given`: the addresses of this host; none: what the DNS or the interfaces say. */
export async function mailRecords(given: readonly string[]) {
  const config = readConfiguration();
  const odd = given.find((address) => !ipaddr.isValid(address));
  if (odd !== undefined) throw new CommandError(2, `${odd} is not an IP address`);
  const facts = await factsOf(config);
  const addresses = given.length > 0 ? given : await addressesOf(config);
  if (addresses.length === 0)
    throw new CommandError(1, `no public address is known for ${config.mailHost}; name it with --ip ADDRESS`);
  const list = recordsFor(facts, await dkimKeyOf(config), addresses);
  return { records: list, zoneFile: zoneText(list) };
}

/** A mail from the postmaster, who gets a delivery report when the mail comes back. */
async function testMail({ mailDomain }: Config, to: string): Promise<Buffer> {
  const now = systemClock.now();
  return composeMail({
    from: { address: `postmaster@${mailDomain}`, name: 'Signet' },
    to: [to],
    subject: `Test mail from ${mailDomain}`,
    text: `This is a test mail of the service at ${mailDomain}.\n\nThe service sends mail. Look at Authentication-Results in its header: SPF, DKIM and DMARC should say "pass".\n`,
    messageId: newMessageId(randomBase62(32), mailDomain),
    date: new Date(now),
    autoSubmitted: 'auto-generated',
  });
}

/** Checks the DNS, port 25 and TLS. Changes nothing. */
export const checkDns = async () => examineDns(await factsOf(readConfiguration()));

/** One step of a test mail. */
export interface Hop {
  step: string;
  text: string;
}

/** Sends a mail and calls `onHop` with each step. */
export async function sendTestMail(
  address: string,
  onHop: (hop: Hop) => void,
): Promise<{ status: 'sent' | 'rejected' | 'deferred'; detail: string }> {
  const config = readConfiguration();
  const to = parseMailbox(address);
  if (to === null) throw new CommandError(2, `${address} is not an email address`);
  const { delivery, mailDomain, mailHost, development, dkimSelector, smtpRelayUrl } = config;
  if (delivery === 'file')
    throw new CommandError(1, 'mail does not leave this machine: set DELIVERY=direct, or SMTP_RELAY_URL');
  const resolve = createResolve(config.dnsServers);
  const transport = createMailTransport({
    relayUrl: delivery === 'relay' ? smtpRelayUrl : null,
    direct: delivery === 'direct' ? { hostname: mailHost, resolve, blockPrivate: !development, onHop } : null,
    outboxDir: join(config.dataDir, 'outbox'),
    dkim: { domainName: mailDomain, keySelector: dkimSelector, privateKey: await dkimKeyOf(config) },
  });
  const raw = await testMail(config, to);
  onHop({ step: 'queued', text: `${raw.length} bytes, signed by ${dkimSelector}._domainkey.${mailDomain}` });
  if (delivery === 'relay') onHop({ step: 'relay', text: relayHostOf(config) ?? '' });
  try {
    const envelopeFrom = `postmaster@${mailDomain}`;
    const outcome = await transport.send({ id: `test-${randomBase62(16)}`, envelopeFrom, recipients: [to], raw });
    if (outcome.status === 'sent')
      onHop({ step: 'dsn', text: `asked for; if the mail comes back, the report goes to ${envelopeFrom}` });
    return { status: outcome.status, detail: outcome.status === 'sent' ? outcome.detail : outcome.reason };
  } finally {
    transport.close();
  }
}

import { Resolver } from 'node:dns';
import { type Environment, portOrOff, readOrDefault, refuse, settingOf } from './config-variable.ts';

/** How mail leaves, and what the DNS says of this server. */
export interface DeliveryConfig {
  smtpRelayUrl: string | null;
  /** How mail to other domains leaves: by the relay, to the servers of its recipients, or into files. */
  delivery: 'relay' | 'direct' | 'file';
  /** The host name of the SMTP server. */
  mailHost: string;
  /** Null: no policy is served. */
  mtaSts: 'enforce' | 'testing' | null;
  /** Null: those of the system. */
  dnsServers: readonly string[] | null;
  /** Blocklists that the doctor asks. */
  blocklists: readonly string[];
}

/** Where mail programs connect. A port that is null has no listener. */
export interface ProgramDoors {
  imapHost: string;
  imapPort: number | null;
  /** TLS from the first byte. */
  imapsPort: number | null;
  submissionHost: string;
  submissionPort: number | null;
  submissionsPort: number | null;
}

export function isDomainName(text: string): boolean {
  const valid = text.split('.').every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label));
  return valid && text.length <= 190;
}

/** The parts of a list, which commas separate. */
export const listIn = (text: string | null): string[] =>
  (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

function dnsServers(env: Environment): string[] | null {
  const servers = listIn(settingOf(env, 'DNS_SERVERS'));
  for (const server of servers) {
    try {
      new Resolver().setServers([server]);
    } catch {
      refuse('DNS_SERVERS', server, 'a list of addresses such as 127.0.0.1,[::1]:5353');
    }
  }
  return servers.length > 0 ? servers : null;
}

function delivery(env: Environment, smtpRelayUrl: string | null): DeliveryConfig['delivery'] {
  const how = settingOf(env, 'DELIVERY') ?? (smtpRelayUrl === null ? 'file' : 'relay');
  if (how !== 'relay' && how !== 'direct' && how !== 'file')
    return refuse('DELIVERY', how, '"relay", "direct" or "file"');
  return how === 'relay' && smtpRelayUrl === null
    ? refuse('DELIVERY', how, '"direct" or "file", unless SMTP_RELAY_URL is set')
    : how;
}

function mtaSts(env: Environment): DeliveryConfig['mtaSts'] {
  const mode = readOrDefault(env, 'MTA_STS');
  if (mode === 'off') return null;
  return mode === 'enforce' || mode === 'testing' ? mode : refuse('MTA_STS', mode, '"enforce", "testing" or "off"');
}

/** Reads how mail leaves. `domain` is the mail domain. @throws ConfigError for the first invalid variable */
export function deliveryConfig(
  env: Environment,
  { domain, smtpRelayUrl }: { domain: string; smtpRelayUrl: string | null },
): DeliveryConfig {
  const mailHost = settingOf(env, 'MAIL_HOST')?.toLowerCase() ?? domain;
  if (!isDomainName(mailHost)) refuse('MAIL_HOST', mailHost, 'a host name such as mx.example.com');
  const blocklists = listIn(settingOf(env, 'DNSBL')).map((name) => name.toLowerCase());
  const odd = blocklists.find((name) => !isDomainName(name));
  if (odd !== undefined) refuse('DNSBL', odd, 'a list of names such as zen.spamhaus.org');
  return {
    smtpRelayUrl,
    delivery: delivery(env, smtpRelayUrl),
    mailHost,
    mtaSts: mtaSts(env),
    dnsServers: dnsServers(env),
    blocklists,
  };
}

/** Reads where mail programs connect. @throws ConfigError for a door of TLS without a certificate */
export function programDoors(env: Environment, hasCertificate: boolean): ProgramDoors {
  const overTls = (name: 'IMAPS_PORT' | 'SUBMISSIONS_PORT'): number | null => {
    const port = portOrOff(env, name);
    return port === null || hasCertificate
      ? port
      : refuse(name, String(port), '"off" or unset, unless SMTP_TLS_CERT and SMTP_TLS_KEY are set');
  };
  return {
    imapHost: readOrDefault(env, 'IMAP_HOST'),
    imapPort: portOrOff(env, 'IMAP_PORT'),
    imapsPort: overTls('IMAPS_PORT'),
    submissionHost: readOrDefault(env, 'SUBMISSION_HOST'),
    submissionPort: portOrOff(env, 'SUBMISSION_PORT'),
    submissionsPort: overTls('SUBMISSIONS_PORT'),
  };
}

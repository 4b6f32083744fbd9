import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import type { Limits } from '../api/limits.ts';
import { isLoopbackHost } from '../base/loopback-host.ts';
import { domainOf, isLocalPart, parseMailbox } from '../mail/address/mail-address.ts';
import { ConfigError, type Environment, port, portOrOff, readOrDefault, refuse, settingOf } from './config-variable.ts';
import { VARIABLES, type VariableName } from './environment.ts';
import { dkimKey, masterKey, signingKey, smtpTls, type TlsConfig } from './key-config.ts';
import { mergeLimits } from './limit-overrides.ts';
import {
  type DeliveryConfig,
  deliveryConfig,
  isDomainName,
  listIn,
  type ProgramDoors,
  programDoors,
} from './mail-config.ts';

/** The settings from the environment, read once and frozen. */
export interface Config extends DeliveryConfig, ProgramDoors {
  host: string;
  port: number;
  /** No trailing slash; null until the listener knows its port. */
  baseUrl: string | null;
  /** True: webhooks may go to private addresses, and payments need no facilitator. Never on a public address. */
  development: boolean;
  mailDomain: string;
  /** Local parts that no agent may claim, besides those of mail/address/reserved-names.ts. */
  reservedAddresses: readonly string[];
  /** Where mail to postmaster@ and abuse@ is forwarded. Null: it is kept in the data folder. */
  postmasterMail: string | null;
  dataDir: string;
  databaseUrl: string | null;
  /** Processes that share the listeners. More than 1 on PostgreSQL only. */
  workers: number;
  smtpHost: string;
  /** Null: no listener. */
  smtpPort: number | null;
  /** With it the service offers STARTTLS. */
  smtpTls: TlsConfig | null;
  /** PEM text. Null: the service makes a key in the data folder before it sends the first mail. */
  dkimKey: string | null;
  dkimSelector: string;
  /** 32 bytes. Null: the key file of the data folder. */
  masterKey: Buffer | null;
  /** The master key before a rotation. */
  masterKeyPrevious: Buffer | null;
  trustProxy: false | number | string[];
  x402PayTo: string;
  /** Null: payments cannot be settled. */
  x402FacilitatorUrl: string | null;
  /** A node of Base. */
  x402RpcUrl: string;
  /** Who may create an account: everyone, holders of an invite, or the administrator alone. */
  signUp: 'open' | 'invite' | 'closed';
  /** The port of the administration API on 127.0.0.1. Null: off. */
  adminPort: number | null;
  /** The file that audit entries are also written to. Null: nowhere. */
  auditExport: 'stdout' | { path: string } | null;
  /** False: the service issues no tokens. */
  signing: boolean;
  /** An Ed25519 private key as a JWK. Null: the service makes a key in the data folder at its first start. */
  signingKey: string | null;
  /** False: requests for trust profiles get a 503. */
  trust: boolean;
  /** Bytes below which nothing more is stored; 0: never. */
  diskFreeMinBytes: number;
  limits: Limits;
  logLevel: string;
}

/** The payee for development. This well-known address has no known key, so no real payment can be taken by mistake. */
const DEVELOPMENT_PAYEE = VARIABLES.X402_PAY_TO.fallback;
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

function url(env: Environment, name: VariableName, protocols: readonly string[]): string | null {
  const text = settingOf(env, name);
  if (text === null) return null;
  if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol)) {
    // The value can contain a password, so it is not repeated.
    const shown = text.replace(/(\/\/)?[^/]*@/, '$1…@');
    refuse(name, shown, `a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`);
  }
  return text;
}

function trustProxy(env: Environment): false | number | string[] {
  const text = readOrDefault(env, 'TRUST_PROXY');
  if (text === 'off') return false;
  if (/^\d{1,2}$/.test(text)) return Number(text) === 0 ? false : Number(text);
  const ranges = text.split(',').map((range) => range.trim());
  const valid = ranges.every((range) => (range.includes('/') ? ipaddr.isValidCIDR(range) : ipaddr.isValid(range)));
  return valid
    ? ranges
    : refuse('TRUST_PROXY', text, '"off", a number of proxies, or a list of IP ranges such as 10.0.0.0/8');
}

function limits(env: Environment): Limits {
  const text = settingOf(env, 'LIMITS');
  if (text === null) return mergeLimits({});
  let overrides: unknown;
  try {
    overrides = JSON.parse(text);
  } catch {
    return refuse('LIMITS', text, 'JSON, such as {"free": {"requests_per_day": 1000}}');
  }
  try {
    return mergeLimits(overrides);
  } catch (err) {
    throw new ConfigError(`LIMITS: ${(err as Error).message}`);
  }
}

function onOff(env: Environment, name: 'SIGNING' | 'TRUST'): boolean {
  const text = readOrDefault(env, name);
  return text === 'on' || (text === 'off' ? false : refuse(name, text, '"on" or "off"'));
}

const UNITS = { '': 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3 };

function diskFreeMin(env: Environment): number {
  const text = readOrDefault(env, 'DISK_FREE_MIN');
  const [, digits, unit] = /^(\d{1,12})([KMG]?)$/.exec(text) ?? [];
  if (digits === undefined) return refuse('DISK_FREE_MIN', text, 'a number of bytes, such as 536870912, 512M or 2G');
  return Number(digits) * UNITS[unit as keyof typeof UNITS];
}

function signUp(env: Environment): Config['signUp'] {
  const text = readOrDefault(env, 'SIGNUP');
  return text === 'open' || text === 'invite' || text === 'closed'
    ? text
    : refuse('SIGNUP', text, '"open", "invite" or "closed"');
}

function auditExport(env: Environment): Config['auditExport'] {
  const text = settingOf(env, 'AUDIT_EXPORT');
  if (text === null || text === 'stdout') return text;
  const path = /^file:(.+)$/s.exec(text)?.[1];
  return path === undefined ? refuse('AUDIT_EXPORT', text, '"stdout" or "file:PATH"') : { path: resolve(path) };
}

function workers(env: Environment): number {
  const text = readOrDefault(env, 'WORKERS');
  if (!/^\d{1,2}$/.test(text) || Number(text) < 1 || Number(text) > 64)
    refuse('WORKERS', text, 'a number from 1 to 64');
  if (Number(text) > 1 && settingOf(env, 'DATABASE_URL') === null)
    refuse('WORKERS', text, '1 or unset, because one process serves SQLite; several share a PostgreSQL (DATABASE_URL)');
  return Number(text);
}

function dkimSelector(env: Environment): string {
  const text = readOrDefault(env, 'DKIM_SELECTOR');
  const valid = text.split('.').every((label) => /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/.test(label));
  return valid && text.length <= 190 ? text : refuse('DKIM_SELECTOR', text, 'a DNS name such as signet or k2.mail');
}

function mailDomain(env: Environment): string {
  const text = readOrDefault(env, 'MAIL_DOMAIN').toLowerCase();
  return isDomainName(text) ? text : refuse('MAIL_DOMAIN', text, 'a domain name such as agents.example.com');
}

/** Reads names, or addresses at the mail domain. @returns the local parts in lower case */
function reservedAddresses(env: Environment, domain: string): string[] {
  return listIn(settingOf(env, 'RESERVED_ADDRESSES')).map((given) => {
    const name = given.toLowerCase();
    const localPart = domainOf(name) === domain ? name.slice(0, -domain.length - 1) : name;
    return isLocalPart(localPart)
      ? localPart
      : refuse('RESERVED_ADDRESSES', name, 'a list of names such as ceo,press, separated by commas');
  });
}

function postmasterMail(env: Environment, domain: string): string | null {
  const text = settingOf(env, 'POSTMASTER_MAIL')?.trim();
  if (!text) return null;
  const address = parseMailbox(text);
  // Mail to an address of this service would come back here.
  return address !== null && domainOf(address) !== domain
    ? address
    : refuse('POSTMASTER_MAIL', text, `an email address outside ${domain}, such as ops@example.com`);
}

/**
 * Development mode is implied only if no other machine can reach the service: behind a wildcard HOST, others can, even
 * with a loopback BASE_URL.
 */
function development(env: Environment, host: string, baseUrl: string | null): boolean {
  const text = settingOf(env, 'DEVELOPMENT');
  if (text !== null && text !== 'on' && text !== 'off') refuse('DEVELOPMENT', text, '"on" or "off"');
  const isLocal = isLoopbackHost(new URL(listenerUrl({ host, baseUrl }, 0)).hostname);
  if (text === 'on' && !isLocal)
    refuse('DEVELOPMENT', text, '"off" or unset, because BASE_URL is not a loopback address');
  return text === null ? isLocal && isLoopbackHost(host) : text === 'on';
}

function payments(env: Environment): Pick<Config, 'x402PayTo' | 'x402FacilitatorUrl' | 'x402RpcUrl'> {
  const facilitator = url(env, 'X402_FACILITATOR_URL', ['http:', 'https:']);
  const payTo = readOrDefault(env, 'X402_PAY_TO');
  if (!/^0x[0-9a-fA-F]{40}$/.test(payTo)) refuse('X402_PAY_TO', payTo, 'an EVM address: 0x and 40 hex digits');
  if (facilitator !== null && new URL(facilitator).username !== '')
    refuse('X402_FACILITATOR_URL', 'a URL with a user in it', 'a URL without user and password');
  // Real payments to the development payee would be lost.
  if (facilitator !== null && payTo === DEVELOPMENT_PAYEE)
    refuse('X402_PAY_TO', env.X402_PAY_TO ?? '', 'your own EVM address, since X402_FACILITATOR_URL settles payments');
  const rpc = url({ X402_RPC_URL: readOrDefault(env, 'X402_RPC_URL') }, 'X402_RPC_URL', ['http:', 'https:']) as string;
  return { x402PayTo: payTo, x402FacilitatorUrl: facilitator, x402RpcUrl: rpc };
}

/**
 * Reads and checks the environment.
 * @throws ConfigError for the first invalid variable
 */
export function readConfig(env: Environment): Config {
  const logLevel = readOrDefault(env, 'LOG_LEVEL');
  if (!LOG_LEVELS.includes(logLevel)) refuse('LOG_LEVEL', logLevel, `one of ${LOG_LEVELS.join(', ')}`);
  const host = readOrDefault(env, 'HOST');
  const baseUrl = url(env, 'BASE_URL', ['http:', 'https:'])?.replace(/\/+$/, '') ?? null;
  const domain = mailDomain(env);
  const tls = smtpTls(env);
  return Object.freeze({
    host,
    port: port(env, 'PORT'),
    baseUrl,
    development: development(env, host, baseUrl),
    mailDomain: domain,
    reservedAddresses: Object.freeze(reservedAddresses(env, domain)),
    postmasterMail: postmasterMail(env, domain),
    dataDir: resolve(readOrDefault(env, 'DATA_DIR')),
    databaseUrl: url(env, 'DATABASE_URL', ['postgres:', 'postgresql:']),
    workers: workers(env),
    smtpHost: readOrDefault(env, 'SMTP_HOST'),
    smtpPort: portOrOff(env, 'SMTP_PORT'),
    smtpTls: tls,
    ...programDoors(env, tls !== null),
    ...deliveryConfig(env, { domain, smtpRelayUrl: url(env, 'SMTP_RELAY_URL', ['smtp:', 'smtps:']) }),
    dkimKey: dkimKey(env),
    dkimSelector: dkimSelector(env),
    masterKey: masterKey(env, 'MASTER_KEY'),
    masterKeyPrevious: masterKey(env, 'MASTER_KEY_PREVIOUS'),
    trustProxy: trustProxy(env),
    ...payments(env),
    signUp: signUp(env),
    adminPort: settingOf(env, 'ADMIN_PORT') === null ? null : port(env, 'ADMIN_PORT'),
    auditExport: auditExport(env),
    signing: onOff(env, 'SIGNING'),
    signingKey: signingKey(env),
    trust: onOff(env, 'TRUST'),
    diskFreeMinBytes: diskFreeMin(env),
    limits: limits(env),
    logLevel,
  });
}

/** The base URL of a listener on `port`. A wildcard host cannot be part of a link. */
export function listenerUrl({ host, baseUrl }: Pick<Config, 'host' | 'baseUrl'>, port: number): string {
  const isWildcard = host === '0.0.0.0' || host === '::';
  const name = isWildcard ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return baseUrl ?? `http://${name}:${port}`;
}

/** The configuration of this process. The only place that reads its environment. */
export const processConfig = (): Config => readConfig(process.env);

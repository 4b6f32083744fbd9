import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import ipaddr from 'ipaddr.js';
import { VARIABLES, type VariableName } from './kernel/environment.ts';
import { type Limits, mergeLimits } from './kernel/limits.ts';
import { isLoopbackHost } from './kernel/loopback-host.ts';
import { domainOf, isLocalPart, parseMailbox } from './kernel/mail-address.ts';
import { parseMasterKey } from './kernel/sealing.ts';

/** The settings from the environment, read once and frozen. */
export interface Config {
  host: string;
  port: number;
  /** No trailing slash; null until the listener knows its port. */
  baseUrl: string | null;
  /** True: webhooks may go to private addresses, and payments need no facilitator. Never on a public address. */
  development: boolean;
  mailDomain: string;
  /** Local parts that no agent may claim, besides those of kernel/reserved-names.ts. */
  reservedAddresses: readonly string[];
  /** Where mail to postmaster@ and abuse@ is forwarded. Null: it is kept in the data folder. */
  postmasterMail: string | null;
  dataDir: string;
  databaseUrl: string | null;
  smtpHost: string;
  /** Null: no listener. */
  smtpPort: number | null;
  /** PEM texts. With them the service offers STARTTLS. */
  smtpTls: { cert: string; key: string } | null;
  smtpRelayUrl: string | null;
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
  /** Who may create an account: everyone, holders of an invite, or the administrator alone. */
  signUp: 'open' | 'invite' | 'closed';
  /** False: the service issues no tokens. */
  signing: boolean;
  /** An Ed25519 private key as a JWK. Null: the service makes a key in the data folder at its first start. */
  signingKey: string | null;
  /** False: requests for trust profiles get a 503. */
  trust: boolean;
  limits: Limits;
  logLevel: string;
}

/** The payee for development. This well-known address has no known key, so no real payment can be taken by mistake. */
const DEVELOPMENT_PAYEE = VARIABLES.X402_PAY_TO.fallback;
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables with a default. */
type DefaultedName = {
  [N in VariableName]: (typeof VARIABLES)[N]['fallback'] extends string ? N : never;
}[VariableName];

/** The value of a variable, or its default. An empty variable counts as unset. */
const readOrDefault = (env: Environment, name: DefaultedName): string => env[name] || VARIABLES[name].fallback;
/** The value of a variable without a default. */
const settingOf = (env: Environment, name: VariableName): string | null => env[name] || null;

/** The message names the variable, its value and the values it accepts. */
export class ConfigError extends Error {}

const refuse = (name: VariableName, got: string, wants: string): never => {
  throw new ConfigError(`${name} is ${JSON.stringify(got)}; it must be ${wants}`);
};

function port(env: Environment, name: 'PORT' | 'SMTP_PORT'): number {
  const text = readOrDefault(env, name);
  const value = Number(text);
  return /^\d{1,5}$/.test(text) && value <= 65_535 ? value : refuse(name, text, 'a port from 0 to 65535');
}

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

function signUp(env: Environment): Config['signUp'] {
  const text = readOrDefault(env, 'SIGNUP');
  return text === 'open' || text === 'invite' || text === 'closed'
    ? text
    : refuse('SIGNUP', text, '"open", "invite" or "closed"');
}

function smtpPort(env: Environment): number | null {
  return env.SMTP_PORT === 'off' ? null : port(env, 'SMTP_PORT');
}

function pemFile(env: Environment, name: VariableName): string {
  const path = env[name] as string;
  try {
    const text = readFileSync(path, 'utf8');
    return text.includes('-----BEGIN ') ? text : refuse(name, path, 'the path of a PEM file');
  } catch (err) {
    if (err instanceof ConfigError) throw err;
    return refuse(name, path, `the path of a PEM file that can be read (${(err as NodeJS.ErrnoException).code})`);
  }
}

function smtpTls(env: Environment): Config['smtpTls'] {
  const names = ['SMTP_TLS_CERT', 'SMTP_TLS_KEY'] as const;
  const missing = names.filter((name) => !env[name]);
  if (missing.length === 2) return null;
  if (missing[0]) refuse(missing[0], '', 'the path of a PEM file: set the certificate and the key together');
  const [cert, key] = [pemFile(env, names[0]), pemFile(env, names[1])];
  try {
    createSecureContext({ cert, key });
  } catch (err) {
    refuse(
      'SMTP_TLS_KEY',
      env.SMTP_TLS_KEY as string,
      `the key of the certificate in SMTP_TLS_CERT (${(err as Error).message})`,
    );
  }
  return { cert, key };
}

function dkimKey(env: Environment): string | null {
  const path = settingOf(env, 'DKIM_KEY');
  if (!path) return null;
  const text = pemFile(env, 'DKIM_KEY');
  let key: KeyObject | null = null;
  try {
    key = createPrivateKey(text);
  } catch {
    // Refused below: the library's message could contain a part of the key.
  }
  // RFC 8301 3.2: verifiers ignore shorter ones.
  const bits = key?.asymmetricKeyType === 'rsa' ? (key.asymmetricKeyDetails?.modulusLength ?? 0) : 0;
  return bits >= 1024
    ? text
    : refuse('DKIM_KEY', path, 'the path of an RSA private key in PEM, preferably of 2048 bits');
}

/** The variable is the key itself, not a path. The error message never repeats it. */
function signingKey(env: Environment): string | null {
  const text = settingOf(env, 'SIGNING_KEY');
  if (!text) return null;
  const wants = 'an Ed25519 private key as a JWK: {"kty":"OKP","crv":"Ed25519","d":"…","x":"…"}';
  try {
    const key = createPrivateKey({ key: JSON.parse(text), format: 'jwk' });
    // The public half is read from the JWK, so it must match the private one.
    const { x } = key.export({ format: 'jwk' });
    if (key.asymmetricKeyType === 'ed25519' && x === JSON.parse(text).x) return text;
  } catch {
    // Refused below: the parser's message could contain a part of the key.
  }
  return refuse('SIGNING_KEY', '…', wants);
}

/** The key itself or the file that holds it. The error message never repeats a key. */
function masterKey(env: Environment, name: 'MASTER_KEY' | 'MASTER_KEY_PREVIOUS'): Buffer | null {
  const setting = settingOf(env, name);
  if (setting === null) return null;
  const isFile = setting.startsWith('file:');
  const shown = isFile ? setting : '…';
  const wants = '32 bytes in base64 (openssl rand -base64 32), or file: and the path of a file that holds them';
  try {
    const key = parseMasterKey(isFile ? readFileSync(setting.slice('file:'.length), 'utf8') : setting);
    if (key) return key;
  } catch (err) {
    return refuse(name, shown, `${wants} (${(err as NodeJS.ErrnoException).code})`);
  }
  return refuse(name, shown, wants);
}

function dkimSelector(env: Environment): string {
  const text = readOrDefault(env, 'DKIM_SELECTOR');
  const valid = text.split('.').every((label) => /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/.test(label));
  return valid && text.length <= 190 ? text : refuse('DKIM_SELECTOR', text, 'a DNS name such as signet or k2.mail');
}

function mailDomain(env: Environment): string {
  const text = readOrDefault(env, 'MAIL_DOMAIN').toLowerCase();
  const labels = text.split('.');
  const valid = labels.every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label));
  return valid && text.length <= 190 ? text : refuse('MAIL_DOMAIN', text, 'a domain name such as agents.example.com');
}

/** Reads names, or addresses at the mail domain. @returns the local parts in lower case */
function reservedAddresses(env: Environment, domain: string): string[] {
  const names = (settingOf(env, 'RESERVED_ADDRESSES') ?? '').split(',').map((name) => name.trim().toLowerCase());
  return names
    .filter((name) => name !== '')
    .map((name) => {
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

function payments(env: Environment): Pick<Config, 'x402PayTo' | 'x402FacilitatorUrl'> {
  const facilitator = url(env, 'X402_FACILITATOR_URL', ['http:', 'https:']);
  const payTo = readOrDefault(env, 'X402_PAY_TO');
  if (!/^0x[0-9a-fA-F]{40}$/.test(payTo)) refuse('X402_PAY_TO', payTo, 'an EVM address: 0x and 40 hex digits');
  if (facilitator !== null && new URL(facilitator).username !== '')
    refuse('X402_FACILITATOR_URL', 'a URL with a user in it', 'a URL without user and password');
  // Real payments to the development payee would be lost.
  if (facilitator !== null && payTo === DEVELOPMENT_PAYEE)
    refuse('X402_PAY_TO', env.X402_PAY_TO ?? '', 'your own EVM address, since X402_FACILITATOR_URL settles payments');
  return { x402PayTo: payTo, x402FacilitatorUrl: facilitator };
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
    smtpHost: readOrDefault(env, 'SMTP_HOST'),
    smtpPort: smtpPort(env),
    smtpTls: smtpTls(env),
    smtpRelayUrl: url(env, 'SMTP_RELAY_URL', ['smtp:', 'smtps:']),
    dkimKey: dkimKey(env),
    dkimSelector: dkimSelector(env),
    masterKey: masterKey(env, 'MASTER_KEY'),
    masterKeyPrevious: masterKey(env, 'MASTER_KEY_PREVIOUS'),
    trustProxy: trustProxy(env),
    ...payments(env),
    signUp: signUp(env),
    signing: onOff(env, 'SIGNING'),
    signingKey: signingKey(env),
    trust: onOff(env, 'TRUST'),
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

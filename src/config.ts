import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { type Limits, mergeLimits } from './kernel/limits.ts';

/** Everything the environment decides, read once and frozen (contract.md, Environment). */
export interface Config {
  host: string;
  port: number;
  /** No trailing slash; null until the listener knows its port. */
  baseUrl: string | null;
  mailDomain: string;
  dataDir: string;
  databaseUrl: string | null;
  smtpHost: string;
  /** Null: no listener. */
  smtpPort: number | null;
  smtpTlsCert: string | null;
  smtpTlsKey: string | null;
  smtpRelayUrl: string | null;
  trustProxy: false | number | string[];
  x402PayTo: string;
  limits: Limits;
  logLevel: string;
}

/** A payee for development: a well-known address nobody holds the key of, so no real payment is taken by mistake. */
const DEVELOPMENT_PAYEE = '0x000000000000000000000000000000000000dEaD';
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

type Environment = Readonly<Record<string, string | undefined>>;

/** The message names the variable, what it got and what it wants. */
export class ConfigError extends Error {}

const refuse = (name: string, got: string, wants: string): never => {
  throw new ConfigError(`${name} is ${JSON.stringify(got)}; it must be ${wants}`);
};

function port(env: Environment, name: string, fallback: number): number {
  const text = env[name];
  if (text === undefined || text === '') return fallback;
  const value = Number(text);
  return /^\d{1,5}$/.test(text) && value <= 65_535 ? value : refuse(name, text, 'a port from 0 to 65535');
}

function url(env: Environment, name: string, protocols: readonly string[]): string | null {
  const text = env[name];
  if (text === undefined || text === '') return null;
  if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol)) {
    // The value may hold a password, so it is not repeated.
    const shown = text.replace(/\/\/[^@/]*@/, '//…@');
    refuse(name, shown, `a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`);
  }
  return text;
}

function trustProxy(env: Environment): false | number | string[] {
  const text = env.TRUST_PROXY ?? 'off';
  if (text === 'off' || text === '') return false;
  if (/^\d{1,2}$/.test(text)) return Number(text) === 0 ? false : Number(text);
  const ranges = text.split(',').map((range) => range.trim());
  const valid = ranges.every((range) => (range.includes('/') ? ipaddr.isValidCIDR(range) : ipaddr.isValid(range)));
  return valid
    ? ranges
    : refuse('TRUST_PROXY', text, '"off", a number of proxies, or a list of IP ranges such as 10.0.0.0/8');
}

function limits(env: Environment): Limits {
  const text = env.LIMITS;
  if (text === undefined || text === '') return mergeLimits({});
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

function smtpPort(env: Environment): number | null {
  return env.SMTP_PORT === 'off' ? null : port(env, 'SMTP_PORT', 2525);
}

function mailDomain(env: Environment): string {
  const text = (env.MAIL_DOMAIN || 'agents.localhost').toLowerCase();
  const labels = text.split('.');
  const valid = labels.every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label));
  return valid && text.length <= 190 ? text : refuse('MAIL_DOMAIN', text, 'a domain name such as agents.example.com');
}

/**
 * Reads and checks the environment.
 * @throws ConfigError for the first variable that is wrong
 */
export function readConfig(env: Environment): Config {
  const logLevel = env.LOG_LEVEL || 'info';
  if (!LOG_LEVELS.includes(logLevel)) refuse('LOG_LEVEL', logLevel, `one of ${LOG_LEVELS.join(', ')}`);
  const payTo = env.X402_PAY_TO || DEVELOPMENT_PAYEE;
  if (!/^0x[0-9a-fA-F]{40}$/.test(payTo)) refuse('X402_PAY_TO', payTo, 'an EVM address: 0x and 40 hex digits');
  if (Boolean(env.SMTP_TLS_CERT) !== Boolean(env.SMTP_TLS_KEY)) {
    const missing = env.SMTP_TLS_CERT ? 'SMTP_TLS_KEY' : 'SMTP_TLS_CERT';
    refuse(missing, '', 'the path of a PEM file: certificate and key go together');
  }
  return Object.freeze({
    host: env.HOST || '127.0.0.1',
    port: port(env, 'PORT', 8787),
    baseUrl: url(env, 'BASE_URL', ['http:', 'https:'])?.replace(/\/+$/, '') ?? null,
    mailDomain: mailDomain(env),
    dataDir: resolve(env.DATA_DIR || './data'),
    databaseUrl: url(env, 'DATABASE_URL', ['postgres:', 'postgresql:']),
    smtpHost: env.SMTP_HOST || '127.0.0.1',
    smtpPort: smtpPort(env),
    smtpTlsCert: env.SMTP_TLS_CERT || null,
    smtpTlsKey: env.SMTP_TLS_KEY || null,
    smtpRelayUrl: url(env, 'SMTP_RELAY_URL', ['smtp:', 'smtps:']),
    trustProxy: trustProxy(env),
    x402PayTo: payTo,
    limits: limits(env),
    logLevel,
  });
}

/** The process's own environment. The one place that reads it. */
export const processConfig = (): Config => readConfig(process.env);

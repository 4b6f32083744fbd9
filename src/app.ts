import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type Audit, buildAudit } from './app-audit.ts';
import {
  type Access,
  appendEvent,
  type Base,
  buildAccess,
  buildMail,
  buildPorts,
  buildWorker,
  causeOf,
  listEndpoints,
  type Mail,
} from './app-parts.ts';
import { buildPayments } from './app-payments.ts';
import { buildPush } from './app-push.ts';
import { openTokens } from './app-tokens.ts';
import { buildVault, vaultEndpoints } from './app-vault.ts';
import type { Config } from './config.ts';
import { claimDatabase, migrate, openDatabase } from './db/open.ts';
import { settingOrMake } from './db/settings.ts';
import type { SqliteOptions } from './db/sqlite.ts';
import type { ReadLog } from './features/audit/read-rules.ts';
import { purgeApprovalTokens } from './features/budgets/approval-rules.ts';
import { purgeCredentials } from './features/credentials/request-rules.ts';
import { openMailDoor } from './features/email/door-rules.ts';
import type { Intake } from './features/email/intake-rules.ts';
import { reindex } from './features/email/reindex-rules.ts';
import { purgeTickets } from './features/events/ticket-rules.ts';
import { purgeIdempotency } from './features/idempotency/idempotency-rules.ts';
import { purgeLimits } from './features/limits/quota-rules.ts';
import { purgeLogins } from './features/login/login-rules.ts';
import { purgeRecoveryLinks } from './features/vault/recovery-rules.ts';
import { createMetrics } from './http/metrics.ts';
import { createServer } from './http/server.ts';
import { systemRoutes } from './http/system-routes.ts';
import { enqueueJob } from './jobs/queue.ts';
import { startTimers } from './jobs/timers.ts';
import type { JobWorker } from './jobs/worker.ts';
import { type Clock, systemClock } from './kernel/clock.ts';
import type { Endpoint } from './kernel/endpoint.ts';
import type { Log } from './kernel/log.ts';
import { DAY_MS } from './kernel/period.ts';
import { keyedHash } from './kernel/secret.ts';
import type { Database } from './kernel/transaction.ts';
import type { DnsResolve } from './mail/dns-lookup.ts';
import { purgeEvents } from './push/event-log.ts';

/** What a test or a benchmark sets differently from the service. */
export interface AppOptions extends Pick<SqliteOptions, 'batchMax' | 'synchronous'> {
  clock?: Clock;
  /** Hold every reply against its schema. */
  checkReplies?: boolean;
  /** How long a stream's reader may take nothing before it is closed, milliseconds. */
  stalledMs?: number;
  /** How long a webhook's receiver may take, milliseconds. */
  webhookTimeoutMs?: number;
  /** Answers DNS questions, like `resolve` of `node:dns/promises`, which it is unless told. */
  resolveDns?: DnsResolve;
}

export interface App {
  /** Where the API is reached, without a trailing slash. */
  baseUrl: string;
  /** Null when the SMTP listener is off. */
  smtpPort: number | null;
  endpoints: readonly Endpoint[];
  database: Database;
  worker: JobWorker;
  intake: Intake;
  /** Reads that are yet to be put on record. */
  reads: ReadLog;
  /** Finishes what is under way, then ends. */
  stop(): Promise<void>;
}

const SMTP_STOP_MS = 7000;
/** Events are kept this long (decisions.md, Push). */
const EVENT_DAYS = 30;

/** Forgets what has expired: links, sessions, kept replies, rate windows, old counters and old events. */
async function purgeExpired(database: Database, now: number): Promise<void> {
  await database.transaction(async (tx) => {
    await purgeIdempotency(tx, now);
    await purgeLogins(tx, now);
    await purgeTickets(tx, now);
    await purgeApprovalTokens(tx, now - DAY_MS);
    await purgeRecoveryLinks(tx, now);
    await purgeCredentials(tx, now);
    await purgeLimits(tx, now);
    await purgeEvents(tx, now - EVENT_DAYS * DAY_MS);
  });
}

/** Keyed hashes of client addresses, remembered because the same few come again with every request. */
function rememberingHash(key: string): (ip: string) => string {
  const known = new LRUCache<string, string>({ max: 10_000 });
  return (ip) => {
    const hash = known.get(ip) ?? keyedHash(key, ip);
    known.set(ip, hash);
    return hash;
  };
}

async function openBase(config: Config, log: Log, options: AppOptions, baseUrl: () => string): Promise<Base> {
  const { clock = systemClock, batchMax, synchronous } = options;
  await migrate(config);
  const database = openDatabase(config, {
    ...(batchMax === undefined ? {} : { batchMax }),
    ...(synchronous === undefined ? {} : { synchronous }),
    onError: (err) => log.warn({ err: err.message }, 'database connection'),
  });
  const hashKey = await settingOrMake(database, 'hash_key', () => randomBytes(32).toString('hex'));
  const hashIp = rememberingHash(hashKey);
  const { resolveDns } = options;
  return { config, log, database, baseUrl, now: () => clock.now(), hashIp, hashKey, resolveDns };
}

/** Where a listener is reached: a wildcard host is no address to put into a link. */
function urlOf(config: Config, port: number): string {
  const isWildcard = config.host === '0.0.0.0' || config.host === '::';
  const host = isWildcard ? 'localhost' : config.host.includes(':') ? `[${config.host}]` : config.host;
  return config.baseUrl ?? `http://${host}:${port}`;
}

/** What is done by the clock, beside requests. */
function startChores(
  { database, now }: Base,
  { intake }: Pick<Mail, 'intake'>,
  { meter }: Access,
  reads: ReadLog,
  onFault: (err: unknown) => void,
) {
  return startTimers(
    [
      { everyMs: 1000, run: meter.flush },
      { everyMs: 1000, run: reads.flush },
      { everyMs: 30_000, run: () => intake.recover(false) },
      { everyMs: 600_000, run: () => purgeExpired(database, now()) },
    ],
    onFault,
  );
}

/** Builds everything once. */
async function buildService(base: Base, options: AppOptions) {
  const payments = buildPayments(base);
  const mail = buildMail(base, payments.rules);
  const access = buildAccess(base);
  const { transport } = mail;
  const vault = buildVault(base, { payments: payments.rules, transport, appendEvent, enqueueJob });
  const tokens = await openTokens(base);
  const audit = buildAudit(base, tokens.keyring);
  const worker = buildWorker(base, mail, access, payments, vault, options.webhookTimeoutMs);
  const metrics = createMetrics();
  const push = buildPush(base, access, metrics, options.stalledMs);
  return { payments, mail, access, vault, tokens, audit, worker, metrics, push };
}

/** Goes on with what a process left undone when it ended. Resolves when the part is done that a stop waits for. */
async function recoverWork(
  { database }: Base,
  { intake }: Mail,
  audit: Audit,
  isStopping: () => boolean,
  onFault: (err: unknown) => void,
): Promise<void> {
  // SQLite has one server process, so whatever is half parsed was left by one that died.
  void intake.recover(database.engine === 'sqlite').catch(onFault);
  await Promise.all([reindex(database, isStopping).catch(onFault), audit.recover(isStopping).catch(onFault)]);
}

/** Brings the database up to date, builds everything, and listens. */
export async function startApp(config: Config, log: Log, options: AppOptions = {}): Promise<App> {
  let url = '';
  let stopping = false;
  const release = claimDatabase(config);
  const base = await openBase(config, log, options, () => url);
  const { database, now } = base;
  const { payments, mail, access, vault, tokens, audit, worker, metrics, push } = await buildService(base, options);
  const onFault = (err: unknown): void =>
    log.error({ err: String(err), cause: causeOf(err) }, 'background work failed');
  const ready = async (): Promise<boolean> => !stopping && (await database.ping().catch(() => false));
  const endpoints: Endpoint[] = [
    ...systemRoutes({ metrics, baseUrl: base.baseUrl, ready, endpoints: () => endpoints }),
    ...listEndpoints(base, mail, access, payments.rules, push, tokens),
    ...vaultEndpoints(base, vault),
    ...audit.endpoints,
  ];
  const ports = buildPorts(base, access, payments, audit, options.checkReplies ?? false);
  const isVerbose = config.logLevel === 'debug' || config.logLevel === 'trace';
  const { trustProxy } = config;
  const logged = isVerbose ? { logRequest: (line: object) => log.debug({ ...line }, 'request') } : {};
  const server = createServer({ endpoints, ports, metrics, trustProxy, ...logged });

  push.listen(server.server, ports);

  url = urlOf(config, await server.listen(config.host, config.port));
  const { smtpPort } = config;
  const door = { database, addresses: mail.addresses, intake: mail.intake, bounces: mail.bounces, log, now };
  const smtp = smtpPort === null ? null : await openMailDoor(door, { ...config, smtpPort });
  worker.start();
  const recovery = recoverWork(base, mail, audit, () => stopping, onFault);
  const timers = startChores(base, mail, access, audit.reads, onFault);

  async function stop(): Promise<void> {
    stopping = true;
    push.close();
    await Promise.all([server.close(), smtp?.close(SMTP_STOP_MS)]);
    await mail.intake.stop();
    await recovery;
    await worker.stop();
    await timers.stop();
    await access.meter.flush();
    await audit.reads.flush();
    access.credentials.close();
    tokens.keyring.close();
    mail.transport.close();
    await mail.parser.close();
    await database.close();
    release();
  }
  const { intake } = mail;
  return { baseUrl: url, smtpPort: smtp?.port ?? null, endpoints, database, worker, intake, reads: audit.reads, stop };
}

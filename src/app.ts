import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { pageRoutes } from './dashboard/page-routes.ts';
import { migrate, openDatabase } from './db/open.ts';
import { settingOrMake } from './db/settings.ts';
import type { SqliteOptions } from './db/sqlite.ts';
import { accountRoutes } from './features/accounts/account-routes.ts';
import { findAccount } from './features/accounts/account-rules.ts';
import { addressRoutes } from './features/addresses/address-routes.ts';
import { createAddressRules, findAddress } from './features/addresses/address-rules.ts';
import { appendAudit } from './features/audit/audit-rules.ts';
import { attachmentRoutes } from './features/email/attachment-routes.ts';
import { createDeliveryRules } from './features/email/delivery-rules.ts';
import { createDispatch } from './features/email/dispatch-rules.ts';
import { createDraftRules } from './features/email/draft-rules.ts';
import { inboxRoutes } from './features/email/inbox-routes.ts';
import { createIntake, type Intake } from './features/email/intake-rules.ts';
import { createMailboxRules } from './features/email/mailbox-rules.ts';
import { messageRoutes } from './features/email/message-routes.ts';
import { outboxRoutes } from './features/email/outbox-routes.ts';
import { createOutboxRules } from './features/email/outbox-rules.ts';
import { eventRoutes } from './features/events/event-routes.ts';
import {
  beginIdempotent,
  findReplay,
  finishIdempotent,
  purgeIdempotency,
} from './features/idempotency/idempotency-rules.ts';
import { keyRoutes } from './features/keys/key-routes.ts';
import { createKeyRules } from './features/keys/key-rules.ts';
import { createRequestMeter } from './features/limits/meter-rules.ts';
import { purgeLimits } from './features/limits/quota-rules.ts';
import { createCredentials } from './features/login/credential-rules.ts';
import { createLoginMailer } from './features/login/login-mail-rules.ts';
import { loginRoutes } from './features/login/login-routes.ts';
import { createLoginRules, purgeLogins } from './features/login/login-rules.ts';
import { registrationRoutes } from './features/registration/registration-routes.ts';
import { createRegistrationRules } from './features/registration/registration-rules.ts';
import { usageRoutes } from './features/usage/usage-routes.ts';
import { createUsageRules } from './features/usage/usage-rules.ts';
import { createMetrics } from './http/metrics.ts';
import type { PipelinePorts } from './http/pipeline.ts';
import { createServer } from './http/server.ts';
import { systemRoutes } from './http/system-routes.ts';
import { enqueueJob } from './jobs/queue.ts';
import { startTimers } from './jobs/timers.ts';
import { createWorker, type Worker } from './jobs/worker.ts';
import { type Clock, systemClock } from './kernel/clock.ts';
import type { Endpoint } from './kernel/endpoint.ts';
import type { Log } from './kernel/log.ts';
import { DAY_MS } from './kernel/period.ts';
import { keyedHash } from './kernel/secret.ts';
import type { Database } from './kernel/transaction.ts';
import { createMimeParser } from './mail/mime.ts';
import { type SmtpListener, startSmtpListener } from './mail/smtp-in.ts';
import { createMailTransport } from './mail/smtp-out.ts';
import { appendEvent, purgeEvents } from './push/event-log.ts';

/** What a test or a benchmark sets differently from the service. */
export interface AppOptions extends Pick<SqliteOptions, 'batchMax' | 'synchronous'> {
  clock?: Clock;
  /** Hold every reply against its schema. */
  checkReplies?: boolean;
}

export interface App {
  /** Where the API is reached, without a trailing slash. */
  baseUrl: string;
  /** Null when the SMTP listener is off. */
  smtpPort: number | null;
  endpoints: readonly Endpoint[];
  database: Database;
  worker: Worker;
  intake: Intake;
  /** Finishes what is under way, then ends. */
  stop(): Promise<void>;
}

const SMTP_STOP_MS = 8000;
/** Events are kept this long (decisions.md, Push). */
const EVENT_DAYS = 30;

/** What everything is built from. */
interface Base {
  config: Config;
  log: Log;
  database: Database;
  now(): number;
  /** Known once the listener is. */
  baseUrl(): string;
  hashIp(ip: string): string;
}

const causeOf = (err: unknown): string | undefined =>
  err instanceof Error && err.cause !== undefined ? String(err.cause) : undefined;

/** Mail in both directions. */
function buildMail({ config, log, database, now }: Base) {
  const { limits, mailDomain, x402PayTo: payTo } = config;
  const parser = createMimeParser();
  const transport = createMailTransport({ relayUrl: config.smtpRelayUrl, outboxDir: join(config.dataDir, 'outbox') });
  const addresses = createAddressRules(limits, mailDomain);
  const delivery = createDeliveryRules(appendEvent);
  const intake = createIntake({
    database,
    delivery,
    now,
    parse: (raw) => parser.parse(raw),
    onFault: (err, contentId) =>
      log.error({ err: String(err), cause: causeOf(err), contentId }, 'mail not taken in yet; it will be tried again'),
  });
  const { provider } = transport;
  const outbox = createOutboxRules({ limits, mailDomain, payTo, provider, delivery, appendEvent, enqueueJob });
  const drafts = createDraftRules({ limits, mailDomain });
  const mailboxes = createMailboxRules(database, addresses, intake);
  return { parser, transport, addresses, intake, drafts, outbox, mailboxes };
}

/** Who may call, and how often. */
function buildAccess({ config, database }: Base) {
  const { limits } = config;
  const credentials = createCredentials(database);
  return {
    credentials,
    meter: createRequestMeter(database),
    keys: createKeyRules(limits, appendEvent, credentials.forget),
    login: createLoginRules(limits, enqueueJob),
  };
}

type Mail = ReturnType<typeof buildMail>;
type Access = ReturnType<typeof buildAccess>;

/** The endpoint table: what is not in here does not exist. */
function listEndpoints(base: Base, mail: Mail, access: Access): Endpoint[] {
  const { config, database, hashIp, baseUrl } = base;
  const { limits } = config;
  const { mailboxes, drafts, outbox } = mail;
  const registration = createRegistrationRules(limits, access.keys, mail.addresses);
  return [
    ...keyRoutes({ rules: access.keys, database, limits, hashIp }),
    ...registrationRoutes({ rules: registration, hashIp }),
    ...loginRoutes(access.login),
    ...accountRoutes(database),
    ...usageRoutes(createUsageRules(limits, access.meter, database)),
    ...addressRoutes(mail.addresses, database),
    ...messageRoutes({ mailboxes, database }),
    ...attachmentRoutes({ mailboxes, database }),
    ...outboxRoutes({ mailboxes, drafts, outbox, database, baseUrl }),
    ...inboxRoutes({ mailboxes, drafts, outbox, database, baseUrl }),
    ...eventRoutes(database),
    ...pageRoutes(),
  ];
}

function buildWorker({ config, log, database, now, baseUrl }: Base, { transport }: Mail, { login }: Access): Worker {
  const { limits, mailDomain } = config;
  const onSent = (fact: { id: string; provider: string; providerId: string }): void => log.info(fact, 'mail sent');
  return createWorker({
    database,
    now,
    onFault: (err, job) => log.error({ err: String(err), cause: causeOf(err), ...job }, 'job failed'),
    handlers: {
      'mail.login': createLoginMailer({ database, login, transport, limits, mailDomain, baseUrl, onSent }),
      'mail.outbound': createDispatch({ database, transport, appendEvent, onSent }),
    },
  });
}

function buildPorts(
  { config, log, database, now, hashIp }: Base,
  access: Access,
  checkReplies: boolean,
): PipelinePorts {
  const { credentials, meter } = access;
  return {
    database,
    appendAudit,
    idempotency: { find: findReplay, begin: beginIdempotent, finish: finishIdempotent },
    authenticate: credentials.authenticate,
    meter: (principal, at) => meter.take(principal.quotaAccountId, config.limits[principal.tier].requests_per_day, at),
    now,
    hashIp,
    checkReplies,
    onFault: (err, request) => log.error({ err: String(err), cause: causeOf(err), ...request }, 'request failed'),
  };
}

/** Forgets what has expired: links, sessions, kept replies, rate windows, old counters and old events. */
async function purgeExpired(database: Database, now: number): Promise<void> {
  await database.transaction(async (tx) => {
    await purgeIdempotency(tx, now);
    await purgeLogins(tx, now);
    await purgeLimits(tx, now);
    await purgeEvents(tx, now - EVENT_DAYS * DAY_MS);
  });
}

/** The door for mail from other servers: only for addresses that exist and may receive, never a relay. */
function listenForMail({ config, database, log, now }: Base, intake: Intake): Promise<SmtpListener> {
  const { smtpTlsCert, smtpTlsKey } = config;
  return startSmtpListener({
    host: config.smtpHost,
    port: config.smtpPort as number,
    hostname: config.mailDomain,
    tls: smtpTlsCert && smtpTlsKey ? { cert: readFileSync(smtpTlsCert), key: readFileSync(smtpTlsKey) } : undefined,
    logger: { ...log, info: log.debug },
    now: () => new Date(now()),
    checkRecipient: async ({ local, domain }) => {
      const address = domain === config.mailDomain ? await findAddress(database, `${local}@${domain}`) : null;
      const account = address && (await findAccount(database, address.accountId));
      return account?.status === 'active' ? { ok: true } : { ok: false, code: 550, text: '5.1.1 No such mailbox here' };
    },
    accept: async ({ envelopeFrom, recipients, raw }) => {
      const auth = { method: 'smtp', spf: null, dkim: null, dmarc: null, verified_from: false } as const;
      const inboxes = await intake.accept({ envelopeFrom, recipients, raw, auth });
      return inboxes > 0
        ? { ok: true, text: '2.0.0 Accepted' }
        : { ok: false, code: 554, text: '5.1.1 No such mailbox here' };
    },
  });
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
  return { config, log, database, baseUrl, now: () => clock.now(), hashIp: (ip) => keyedHash(hashKey, ip) };
}

/** Where a listener is reached: a wildcard host is no address to put into a link. */
function urlOf(config: Config, port: number): string {
  const isWildcard = config.host === '0.0.0.0' || config.host === '::';
  const host = isWildcard ? 'localhost' : config.host.includes(':') ? `[${config.host}]` : config.host;
  return config.baseUrl ?? `http://${host}:${port}`;
}

/** Brings the database up to date, builds everything once, and listens. */
export async function startApp(config: Config, log: Log, options: AppOptions = {}): Promise<App> {
  let url = '';
  let stopping = false;
  const base = await openBase(config, log, options, () => url);
  const { database, now } = base;
  const mail = buildMail(base);
  const access = buildAccess(base);
  const worker = buildWorker(base, mail, access);
  const metrics = createMetrics();
  const ready = async (): Promise<boolean> => !stopping && (await database.ping().catch(() => false));
  const endpoints: Endpoint[] = [
    ...systemRoutes({ metrics, baseUrl: base.baseUrl, ready, endpoints: () => endpoints }),
    ...listEndpoints(base, mail, access),
  ];
  const ports = buildPorts(base, access, options.checkReplies ?? false);
  const isVerbose = config.logLevel === 'debug' || config.logLevel === 'trace';
  const { trustProxy } = config;
  const logged = isVerbose ? { logRequest: (line: object) => log.debug({ ...line }, 'request') } : {};
  const server = createServer({ endpoints, ports, metrics, trustProxy, ...logged });

  await server.listen({ host: config.host, port: config.port });
  url = urlOf(config, (server.server.address() as AddressInfo).port);
  const smtp = config.smtpPort === null ? null : await listenForMail(base, mail.intake);
  worker.start();
  // SQLite has one server process, so whatever is half parsed was left by one that died.
  await mail.intake.recover(database.engine === 'sqlite');
  const onFault = (err: unknown): void => log.error({ err: String(err), cause: causeOf(err) }, 'maintenance failed');
  const timers = startTimers(
    [
      { everyMs: 1000, run: access.meter.flush },
      { everyMs: 30_000, run: () => mail.intake.recover(false) },
      { everyMs: 600_000, run: () => purgeExpired(database, now()) },
    ],
    onFault,
  );

  async function stop(): Promise<void> {
    stopping = true;
    await Promise.all([server.close(), smtp?.close(SMTP_STOP_MS)]);
    await mail.intake.idle();
    await worker.stop();
    await timers.stop();
    await access.meter.flush();
    access.credentials.close();
    mail.transport.close();
    await mail.parser.close();
    await database.close();
  }
  return { baseUrl: url, smtpPort: smtp?.port ?? null, endpoints, database, worker, intake: mail.intake, stop };
}

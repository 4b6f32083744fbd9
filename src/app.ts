import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { migrate, openDatabase } from './db/open.ts';
import { settingOrMake } from './db/settings.ts';
import { accountRoutes } from './features/accounts/account-routes.ts';
import { findAccount } from './features/accounts/account-rules.ts';
import { addressRoutes } from './features/addresses/address-routes.ts';
import { createAddressRules, findAddress } from './features/addresses/address-rules.ts';
import { appendAudit } from './features/audit/audit-rules.ts';
import { createDeliveryRules } from './features/email/delivery-rules.ts';
import { createDispatch } from './features/email/dispatch-rules.ts';
import { createIntake, type Intake } from './features/email/intake-rules.ts';
import { messageRoutes } from './features/email/message-routes.ts';
import { outboxRoutes } from './features/email/outbox-routes.ts';
import { createOutboxRules } from './features/email/outbox-rules.ts';
import { eventRoutes } from './features/events/event-routes.ts';
import { beginIdempotent, findReplay, finishIdempotent } from './features/idempotency/idempotency-rules.ts';
import { inboxRoutes } from './features/inbox/inbox-routes.ts';
import { keyRoutes } from './features/keys/key-routes.ts';
import { createKeyRules } from './features/keys/key-rules.ts';
import { createRequestMeter } from './features/limits/meter-rules.ts';
import { createCredentials } from './features/login/credential-rules.ts';
import { createLoginMailer } from './features/login/login-mail.ts';
import { loginRoutes } from './features/login/login-routes.ts';
import { createLoginRules } from './features/login/login-rules.ts';
import { registrationRoutes } from './features/registration/registration-routes.ts';
import { createRegistrationRules } from './features/registration/registration-rules.ts';
import { usageRoutes } from './features/usage/usage-routes.ts';
import { createMetrics } from './http/metrics.ts';
import type { PipelinePorts } from './http/pipeline.ts';
import { createServer } from './http/server.ts';
import { systemRoutes } from './http/system-routes.ts';
import { enqueueJob } from './jobs/queue.ts';
import { createWorker, type Worker } from './jobs/worker.ts';
import type { Clock } from './kernel/clock.ts';
import { systemClock } from './kernel/clock.ts';
import type { Endpoint } from './kernel/endpoint.ts';
import { keyedHash } from './kernel/secret.ts';
import type { Database } from './kernel/transaction.ts';
import type { Log } from './log.ts';
import { createMimeParser } from './mail/mime.ts';
import { type SmtpListener, startSmtpListener } from './mail/smtp-in.ts';
import { createMailTransport } from './mail/smtp-out.ts';
import { startMaintenance } from './maintenance.ts';
import { appendEvent } from './push/event-log.ts';

export interface AppOptions {
  clock?: Clock;
  /** Hold every reply against its schema (tests). */
  checkReplies?: boolean;
  /** Transactions per commit on SQLite; 1 for the benchmark's other side. */
  batchMax?: number;
}

export interface App {
  /** Where the API listens, without a trailing slash. */
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

const STOP_MS = 8000;

/** Brings the database up to date, builds everything once, and listens. The only function that knows all parts. */
export async function startApp(config: Config, log: Log, options: AppOptions = {}): Promise<App> {
  const clock = options.clock ?? systemClock;
  const now = (): number => clock.now();
  await migrate(config);
  const database = openDatabase(config, {
    ...(options.batchMax === undefined ? {} : { batchMax: options.batchMax }),
    onError: (err) => log.warn({ err: err.message }, 'database connection'),
  });
  const hashKey = await settingOrMake(database, 'hash_key', () => randomBytes(32).toString('hex'));
  const hashIp = (ip: string): string => keyedHash(hashKey, ip);
  const { limits, mailDomain } = config;
  let baseUrl = config.baseUrl ?? '';
  let stopping = false;

  const metrics = createMetrics();
  const meter = createRequestMeter(database);
  const credentials = createCredentials(database);
  const parser = createMimeParser();
  const transport = createMailTransport({ relayUrl: config.smtpRelayUrl, outboxDir: join(config.dataDir, 'outbox') });
  const onSent = (fact: { id: string; provider: string; providerId: string }): void => log.info(fact, 'mail sent');

  const keys = createKeyRules(limits, appendEvent, credentials.forget);
  const login = createLoginRules(limits, enqueueJob);
  const addresses = createAddressRules(limits, mailDomain);
  const registration = createRegistrationRules(limits, keys, addresses);
  const delivery = createDeliveryRules(appendEvent);
  const intake = createIntake({
    database,
    delivery,
    now,
    parse: (raw) => parser.parse(raw),
    onFault: (err, contentId) =>
      log.error({ err: String(err), contentId }, 'mail could not be taken in; it will be tried again'),
  });
  const outbox = createOutboxRules({
    limits,
    mailDomain,
    payTo: config.x402PayTo,
    provider: transport.provider,
    delivery,
    appendEvent,
    enqueueJob,
  });
  const worker = createWorker({
    database,
    now,
    onFault: (err, job) =>
      log.error({ err: String(err), cause: causeOf(err), job: job.id, kind: job.kind }, 'job failed'),
    handlers: {
      'mail.login': createLoginMailer({
        database,
        login,
        transport,
        limits,
        mailDomain,
        baseUrl: () => baseUrl,
        onSent,
      }),
      'mail.outbound': createDispatch({ database, transport, appendEvent, onSent }),
    },
  });

  const ports: PipelinePorts = {
    database,
    appendAudit,
    idempotency: { find: findReplay, begin: beginIdempotent, finish: finishIdempotent },
    authenticate: credentials.authenticate,
    meter: (principal, at) => meter.take(principal.quotaAccountId, limits[principal.tier].requests_per_day, at),
    now,
    hashIp,
    checkReplies: options.checkReplies ?? false,
    onFault: (err, request) => log.error({ err: String(err), cause: causeOf(err), ...request }, 'request failed'),
  };
  const baseOf = (): string => baseUrl;
  const endpoints: Endpoint[] = [
    ...systemRoutes({
      metrics,
      baseUrl: baseOf,
      ready: async () => !stopping && (await database.ping().catch(() => false)),
      endpoints: () => endpoints,
    }),
    ...keyRoutes({ rules: keys, database, limits, hashIp }),
    ...registrationRoutes({ rules: registration, addresses, hashIp }),
    ...loginRoutes(login),
    ...accountRoutes(database),
    ...usageRoutes({ limits, meter, database }),
    ...addressRoutes(addresses, database),
    ...messageRoutes({ addresses, intake, database }),
    ...outboxRoutes({ addresses, outbox, database, baseUrl: baseOf }),
    ...inboxRoutes({ addresses, intake, outbox, database, baseUrl: baseOf }),
    ...eventRoutes(database),
  ];
  const server = createServer({
    endpoints,
    ports,
    metrics,
    trustProxy: config.trustProxy,
    ...(config.logLevel === 'debug' || config.logLevel === 'trace'
      ? { logRequest: (line) => log.debug(line, 'request') }
      : {}),
  });

  await server.listen({ host: config.host, port: config.port });
  const { port } = server.server.address() as AddressInfo;
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  baseUrl ||= `http://${host === '0.0.0.0' || host === '[::]' ? 'localhost' : host}:${port}`;
  const smtp = config.smtpPort === null ? null : await listenForMail(config, database, intake, clock, log);
  worker.start();
  // SQLite has one server process, so whatever is half parsed was left by one that died.
  await intake.recover(database.engine === 'sqlite');
  const maintenance = startMaintenance({
    database,
    meter,
    intake,
    now,
    onFault: (err) => log.error({ err: String(err) }, 'maintenance'),
  });

  return {
    baseUrl,
    smtpPort: smtp?.port ?? null,
    endpoints,
    database,
    worker,
    intake,
    stop: async () => {
      stopping = true;
      await Promise.all([server.close(), smtp?.close(STOP_MS)]);
      await intake.idle();
      await worker.stop();
      await maintenance.stop();
      credentials.close();
      transport.close();
      await parser.close();
      await database.close();
    },
  };
}

const causeOf = (err: unknown): string | undefined =>
  err instanceof Error && err.cause !== undefined ? String(err.cause) : undefined;

/** The door for mail from other servers: only for addresses that exist and may receive, never a relay. */
function listenForMail(
  config: Config,
  database: Database,
  intake: Intake,
  clock: Clock,
  log: Log,
): Promise<SmtpListener> {
  const { smtpTlsCert, smtpTlsKey } = config;
  const tls =
    smtpTlsCert && smtpTlsKey ? { cert: readFileSync(smtpTlsCert), key: readFileSync(smtpTlsKey) } : undefined;
  return startSmtpListener({
    host: config.smtpHost,
    port: config.smtpPort as number,
    hostname: config.mailDomain,
    tls,
    logger: log,
    now: () => new Date(clock.now()),
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

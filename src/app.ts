import type { Endpoint } from './api/endpoint.ts';
import type { Principal } from './api/principal.ts';
import type { Database, Tx } from './api/transaction.ts';
import { ServedDocuments } from './apidocs/served-documents.ts';
import { docsRoutes } from './apidocs/site/docs-routes.ts';
import { systemRoutes } from './apidocs/system-routes.ts';
import { clientNetworks } from './base/client-network.ts';
import { type Clock, systemClock } from './base/clock.ts';
import { faultFields, type Log } from './base/log.ts';
import { deriveServiceKey } from './base/sealing.ts';
import { type Config, listenerUrl } from './config/service-config.ts';
import { claimDatabase, migrate, openDatabase } from './db/open.ts';
import type { SqliteOptions } from './db/sqlite.ts';
import { EventLog } from './events/event-log.ts';
import type { FeatureContext, FeatureParts, Overrides } from './feature.ts';
import { confirmKeys } from './features/identity/login/credential-recheck.ts';
import { requireLoginMethod } from './features/service/settings/operator-settings.ts';
import { buildFeatures } from './features.ts';
import type { PipelinePorts } from './http/pipeline/request-pipeline.ts';
import { securityHeaders } from './http/pipeline/security-headers.ts';
import { cachedHash } from './http/server/client-hash.ts';
import { createServer, type ReplyLine } from './http/server/http-server.ts';
import { createMetrics } from './http/server/metrics.ts';
import { DiskGuard } from './jobs/disk-guard.ts';
import { Instance } from './jobs/instances.ts';
import { JobEffects } from './jobs/job-effects.ts';
import { enqueueJob, freeJobs, waitingJobs } from './jobs/queue.ts';
import { startTimers } from './jobs/timers.ts';
import { type JobHandlers, JobWorker } from './jobs/worker.ts';
import { createResolve } from './mail/smtp-out/dns-lookup.ts';
import { openServiceSecrets, sealPlainValues } from './secrets.ts';

/** Settings that only tests and benchmarks change. */
export interface AppOptions extends Overrides, Pick<SqliteOptions, 'batchMax' | 'synchronous'> {
  clock?: Clock;
  /** Check every reply against its schema. */
  checkReplies?: boolean;
}

type Provided = ReturnType<typeof buildFeatures>['provided'];

export interface App {
  /** The base URL of the API, without a trailing slash. */
  baseUrl: string;
  /** Null if the SMTP listener is off. */
  smtpPort: number | null;
  /** Where mail programs connect. */
  programPorts: ReturnType<Provided['programPorts']>;
  endpoints: readonly Endpoint[];
  database: Database;
  worker: JobWorker;
  /** The context and everything that the features provide, for tests. */
  provided: Provided;
  /** Finishes work in progress, then stops. */
  stop(): Promise<void>;
}

const EXPIRE_EVERY_MS = 600_000;
/** A disk that fills at 500 MB a second reaches its end from the default minimum in a second; most are far slower. */
const LOOK_EVERY_MS = 1000;

/** Builds the context of all features over an open database. Starts nothing. */
export function createContext(
  { config, log, database, secrets }: Pick<FeatureContext, 'config' | 'log' | 'database' | 'secrets'>,
  { clock = systemClock, ...overrides }: AppOptions = {},
  baseUrl: () => string = () => listenerUrl(config, config.port),
): FeatureContext & { instance: Instance } {
  const hashIp = cachedHash(deriveServiceKey(secrets.serviceKey, 'client-address'));
  return {
    config,
    limits: config.limits,
    database,
    events: new EventLog(),
    jobs: { enqueue: enqueueJob, waiting: waitingJobs },
    jobEffects: new JobEffects(),
    instance: new Instance(database),
    metrics: createMetrics(),
    disk: new DiskGuard({
      folder: config.dataDir,
      freeMinBytes: config.diskFreeMinBytes,
      log,
      freeBytes: overrides.freeBytes,
    }),
    log,
    onFault: (err, message, fields) => log.error({ ...faultFields(err), ...fields }, message),
    now: () => clock.now(),
    baseUrl,
    resolveDns: overrides.resolveDns ?? createResolve(config.dnsServers),
    hashIp,
    networksOf: (ip) => clientNetworks(ip, hashIp),
    secrets,
    overrides,
  };
}

function portsOf(provided: Provided, checkReplies: boolean): PipelinePorts {
  const { database, audit, credentials, idempotency, meter, meterRules, limitHits } = provided;
  const { now, baseUrl, hashIp, receipt, onFault, disk } = provided;
  return {
    database,
    idempotency,
    now,
    baseUrl,
    hashIp,
    receipt,
    checkReplies,
    replyHeaders: securityHeaders(provided.config.baseUrl),
    appendAudits: audit.appendAudits,
    mayStore: () => !disk.isLow,
    noteRead: audit.noteRead,
    noteRefusal: audit.noteRefusal,
    noteLimit: limitHits.note,
    confirm: credentials.confirm,
    confirmKeys,
    reserveAudits: audit.reserveAudits,
    requireLoginMethod,
    authenticate: credentials.authenticate,
    meter: (principal, at, bucket) => meter.take(meterRules(principal, bucket), at),
    uncount: (principal, at, bucket) => meter.giveBack(meterRules(principal, bucket), at),
    onFault: (err, request) => onFault(err, 'request failed', request),
  };
}

/** Lists every endpoint of the service, and the documents that describe them. */
export function endpointsOf(
  parts: readonly FeatureParts[],
  context: Pick<FeatureContext, 'metrics' | 'baseUrl' | 'disk'>,
  ready: () => Promise<boolean>,
): { endpoints: readonly Endpoint[]; documents: ServedDocuments } {
  const documents = new ServedDocuments(() => endpoints, context.baseUrl);
  const system = systemRoutes(context, documents, ready);
  const endpoints = [...system, ...parts.flatMap((part) => part.endpoints ?? [])];
  return { endpoints, documents };
}

/** Logs each request where the log has them, and keeps those of known callers for their accounts. */
function replyObserver({ logLevel }: Config, log: Log, { requestLog }: Pick<Provided, 'requestLog'>) {
  const isVerbose = logLevel === 'debug' || logLevel === 'trace';
  return (line: ReplyLine, principal: Principal | null): void => {
    if (isVerbose) {
      const { at: _, ...logged } = line;
      log.debug(logged, 'request');
    }
    if (principal) requestLog.note(principal, line);
  };
}

function workerOf(parts: readonly FeatureParts[], { database, instance, now, onFault }: FeatureContext): JobWorker {
  return new JobWorker({
    database,
    instanceId: instance.id,
    mayLease: instance.holdsLeases,
    now,
    onFault: (err, job) => onFault(err, 'job failed', job),
    handlers: Object.assign({}, ...parts.map(({ jobs }) => jobs)) as JobHandlers,
    concurrency: Object.assign({}, ...parts.map(({ concurrency }) => concurrency)),
  });
}

async function open(parts: readonly FeatureParts[], { disk, onFault }: FeatureContext): Promise<void> {
  await disk.look().catch((err: unknown) => onFault(err, 'the disk cannot be watched'));
  for (const part of parts) await part.open?.();
}

/** Frees the leases of an instance that is gone. */
async function free(parts: readonly FeatureParts[], tx: Tx, instanceId: string | null): Promise<void> {
  await freeJobs(tx, instanceId);
  for (const part of parts) await part.releaseLeases?.(tx, instanceId);
}

function timersOf(parts: readonly FeatureParts[], { database, disk, now, onFault }: FeatureContext) {
  const expire = (): Promise<void> =>
    database.transaction(async (tx) => {
      for (const part of parts) await part.expire?.(tx, now());
    });
  const look = { everyMs: LOOK_EVERY_MS, run: () => disk.look() };
  const work = [...parts.flatMap(({ timers }) => timers ?? []), look, { everyMs: EXPIRE_EVERY_MS, run: expire }];
  return startTimers(work, (err) => onFault(err, 'background work failed'));
}

/** Brings the database up to date, builds everything, and listens. */
export async function startApp(config: Config, log: Log, options: AppOptions = {}): Promise<App> {
  const release = claimDatabase(config);
  await migrate(config);
  const database = openDatabase(config, {
    ...options,
    onError: (err) => log.warn({ err: err.message }, 'database connection'),
  });
  let url = listenerUrl(config, config.port);
  let stopping = false;
  const close = async (): Promise<void> => {
    await database.close();
    release();
  };
  const secrets = await openServiceSecrets(config, database, (options.clock ?? systemClock).now()).catch(
    async (err: unknown) => {
      await close();
      throw err;
    },
  );
  const context = createContext({ config, log, database, secrets }, options, () => url);
  const { parts, provided } = buildFeatures(context);
  await sealPlainValues(config, context, parts);
  const worker = workerOf(parts, context);
  const ready = async () => !stopping && (await database.ping().catch(() => false));
  const { endpoints, documents } = endpointsOf(parts, context, ready);
  const ports = portsOf(provided, options.checkReplies ?? false);
  const server = createServer({
    endpoints: [...endpoints, ...docsRoutes(documents), ...parts.flatMap(({ pages }) => pages ?? [])],
    ports,
    metrics: context.metrics,
    trustProxy: config.trustProxy,
    requestMs: context.overrides.requestMs,
    onReply: replyObserver(config, log, provided),
  });
  await open(parts, context);
  for (const part of parts) part.attach?.(server.server, ports, { dispatch: server.dispatch, endpoints });
  const fault = (err: unknown): void => context.onFault(err, 'background work failed');
  await context.instance.start({
    releaseLeases: (tx, instanceId) => free(parts, tx, instanceId),
    onLeasesReleased: () => {
      worker.wake();
      for (const part of parts) part.onLeasesReleased?.();
    },
    whenAttemptsEnd: () => worker.settled(),
    onFault: fault,
  });
  for (const part of parts) await part.listen?.();
  // Last: who gets an answer, from `GET /health` above all, finds the other listeners open.
  url = listenerUrl(config, await server.listen(config.host, config.port));
  worker.start();
  const recovery = Promise.all(parts.map((part) => part.recover?.(() => stopping).catch(fault)));
  const timers = timersOf(parts, context);

  async function stop(): Promise<void> {
    stopping = true;
    await Promise.all([...parts.map((part) => part.close?.()), server.close()]);
    await recovery;
    await worker.stop();
    await timers.stop();
    for (const part of parts.toReversed()) await part.stop?.();
    await context.instance.stop();
    await close();
  }
  return {
    baseUrl: url,
    smtpPort: provided.smtpPort(),
    programPorts: provided.programPorts(),
    endpoints,
    database,
    worker,
    provided,
    stop,
  };
}

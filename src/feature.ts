import type { Server } from 'node:http';
import type { Erasure } from './api/account/erasure.ts';
import type { ExportPart } from './api/account/export-file.ts';
import type { LockdownHook, RecentlyAdded } from './api/account/lockdown-parts.ts';
import type { NoticeHandlers } from './api/account/removal-notices.ts';
import type { SearchPart } from './api/account/search-part.ts';
import type { WaitingParts } from './api/account/waiting.ts';
import type { Endpoint } from './api/endpoint.ts';
import type { Dispatch } from './api/inner-call.ts';
import type { EnqueueJob, JobLane, WaitingJobs } from './api/job-types.ts';
import type { Limits } from './api/limits.ts';
import type { Database, Tx } from './api/transaction.ts';
import type { ClientNetworks } from './base/client-network.ts';
import type { Log } from './base/log.ts';
import type { SealedColumn, Secrets } from './base/sealing.ts';
import type { Config } from './config/service-config.ts';
import type { EventLog } from './events/event-log.ts';
import type { PipelinePorts } from './http/pipeline/request-pipeline.ts';
import type { Metrics } from './http/server/metrics.ts';
import type { DiskGuard } from './jobs/disk-guard.ts';
import type { JobEffects } from './jobs/job-effects.ts';
import type { TimedWork } from './jobs/timers.ts';
import type { JobHandlers } from './jobs/worker.ts';
import type { DnsResolve } from './mail/smtp-out/dns-lookup.ts';

/** Settings that only tests and benchmarks change. */
export interface Overrides {
  /** Milliseconds without progress after which the stream of a slow reader is closed. */
  stalledMs?: number;
  /** Milliseconds that a webhook receiver has to reply. */
  webhookTimeoutMs?: number;
  /** Whether the reply of a webhook receiver at this address is shown. The default: if the address is public. */
  showsReplyOf?: (address: string) => boolean;
  /** Milliseconds that a read of an inbox waits at most for mail that is being parsed. */
  settleMs?: number;
  /** Milliseconds that a thread may take for a mail, for a calendar in it, or for the proof of its sender. */
  readingMs?: number;
  /** Free bytes on the disk of a folder. The default asks the file system. */
  freeBytes?: (folder: string) => Promise<number>;
  /** Bytes of mail that may wait to be read, in all and for an address. */
  parsingBytesMax?: { all: number; network: number; address: number };
  /** Resolves DNS names. The default is `resolve` of `node:dns/promises`. */
  resolveDns?: DnsResolve;
  /** Milliseconds that a client may take for the headers of a request, and for all of it, and between two looks. */
  requestMs?: { headers: number; all: number; checkEvery: number };
  /** The port of other mail servers. The default is 25. */
  mailPort?: number;
}

/** What every feature gets, beside what earlier features provide. */
export interface FeatureContext {
  config: Config;
  limits: Limits;
  database: Database;
  /** The event log: the only way to append an event. */
  events: EventLog;
  jobs: { enqueue: EnqueueJob; waiting: WaitingJobs };
  /** How what jobs do gets into the audit log. */
  jobEffects: JobEffects;
  /** This process among those that share the database. */
  instance: {
    id: string;
    /** False if other instances may have taken over what this one has leased; then it must hand over nothing. */
    holdsLeases(): boolean;
  };
  metrics: Metrics;
  /** The disk that the data is on. */
  disk: DiskGuard;
  log: Log;
  /** Logs a fault of background work. */
  onFault(err: unknown, message: string, fields?: object): void;
  /** Milliseconds since the epoch. */
  now(): number;
  /** The base URL of the API, without a trailing slash. Known when the service listens. */
  baseUrl(): string;
  /** Asks the DNS servers of the configuration. */
  resolveDns: DnsResolve;
  /** Computes the keyed hash of a client's address, for storage. */
  hashIp(ip: string): string;
  /** The networks of a client's address that limits count by, hashed in the same way. */
  networksOf(ip: string): ClientNetworks;
  /** Seals the secrets that a feature stores, and the service's own key, the same on every instance. */
  secrets: Secrets;
  overrides: Overrides;
}

/** What all features contribute to some of them. Filled while the features are built, so it is read at the time of use. */
export interface Contributions {
  /** How announced removals are carried out, by what is removed. */
  noticeHandlers: NoticeHandlers;
  /** What each feature does when an account is secured, in the order of the features. */
  secureParts: LockdownHook[];
  /** What each feature names of its young factors. */
  youngParts: RecentlyAdded[];
  /** How what waits is listed, by kind. */
  waiting: WaitingParts;
  /** How a search finds things, by kind. */
  searches: SearchPart[];
  /** How an account is deleted, what the last feature holds of it first: later features refer to rows of earlier ones. */
  erasures: Erasure[];
  /** What an export of an account holds. */
  exportParts: ExportPart[];
}

/** Everything that a feature contributes. The service and the command line loop over these; there is no other list. */
export interface FeatureParts<P extends object = object> {
  endpoints?: readonly Endpoint[];
  /** Pages for browsers. The service answers them, and neither `GET /api` nor the clients list them. */
  pages?: readonly Endpoint[];
  jobs?: Partial<JobHandlers>;
  /** How many jobs of a lane run at a time, if not the worker's default. */
  concurrency?: Partial<Record<JobLane, number>>;
  timers?: readonly TimedWork[];
  /** Deletes what has expired. Called every ten minutes, all features in one transaction. */
  expire?(tx: Tx, now: number): Promise<unknown>;
  /** Frees what an instance that is gone had leased; null: what any earlier process had. */
  releaseLeases?(tx: Tx, instanceId: string | null): Promise<unknown>;
  /** Looks for work that became free. */
  onLeasesReleased?(): void;
  /** Removes its old factors at the end of their notice. */
  notices?: NoticeHandlers;
  /** Ends and takes back what a thief may have planted, in the transaction of `POST /v1/account/secure`. */
  secure?: LockdownHook;
  /** Names its factors that are young: a rotation leaves them, so its reply warns of them. */
  recentlyAdded?: RecentlyAdded;
  /** Lists what waits for someone to act, by kind. */
  waiting?: WaitingParts;
  /** Finds things by words, beside what its tables say of that. */
  searches?: readonly SearchPart[];
  /** The columns in which its tables keep sealed secrets. */
  sealed?: readonly SealedColumn[];
  /** Its tables, those first whose rows name rows of others. Exports and erasures follow from them. */
  tables?: readonly {
    exports: readonly ExportPart[];
    erases: readonly Erasure[];
    searches: readonly SearchPart[];
  }[];
  /** Deletes what its tables hold of an account beyond that, in this order, before. */
  erases?: readonly Erasure[];
  /** What it adds to the export of an account. */
  exports?: readonly ExportPart[];
  /** Prepares what requests need. Called before the service listens. */
  open?(): Promise<void>;
  /** Handles upgrades of the HTTP server, or calls its endpoints. Called before the service listens. */
  attach?(server: Server, ports: PipelinePorts, table: { dispatch: Dispatch; endpoints: readonly Endpoint[] }): void;
  /** Opens the feature's own listener. Called before the API listens. */
  listen?(): Promise<void>;
  /** Finishes work that a killed process left behind. A stop waits for it. */
  recover?(isStopping: () => boolean): Promise<unknown>;
  /** Stops accepting work and closes streams. Called first when the service stops. */
  close?(): unknown;
  /** Saves state and releases resources. Called last, in the reverse order of the features. */
  stop?(): unknown;
  /** What later features can use, by name. */
  provides?: P;
}

export interface Feature<Needs, P extends object = object> {
  name: string;
  /** Builds the feature. Pure: it reads nothing and starts no timer, thread or listener. */
  build: (needs: Needs) => FeatureParts<P>;
}

/** Declares a feature: its name, and how to build it from the context and from what earlier features provide. */
export const feature = <Needs, P extends object = Record<never, never>>(
  name: string,
  build: (needs: Needs) => FeatureParts<P>,
): Feature<Needs, P> => ({ name, build });

import type { Server } from 'node:http';
import type { Config } from './config.ts';
import type { Metrics } from './http/metrics.ts';
import type { PipelinePorts } from './http/pipeline.ts';
import type { TimedWork } from './jobs/timers.ts';
import type { JobHandlers } from './jobs/worker.ts';
import type { Endpoint } from './kernel/endpoint.ts';
import type { EnqueueJob, JobLane } from './kernel/jobs.ts';
import type { Limits } from './kernel/limits.ts';
import type { Log } from './kernel/log.ts';
import type { Database, Tx } from './kernel/transaction.ts';
import type { DnsResolve } from './mail/dns-lookup.ts';
import type { EventLog } from './push/event-log.ts';

/** What a test or a benchmark sets differently from the service. */
export interface Overrides {
  /** Milliseconds that the reader of a stream may take nothing before it is closed. */
  stalledMs?: number;
  /** Milliseconds that the receiver of a webhook may take. */
  webhookTimeoutMs?: number;
  /** Answers DNS questions, like `resolve` of `node:dns/promises`, which is the default. */
  resolveDns?: DnsResolve;
}

/** What every feature is given, beside what earlier features provide. */
export interface FeatureContext {
  config: Config;
  limits: Limits;
  database: Database;
  /** The event log: the only way to append an event. */
  events: EventLog;
  jobs: { enqueue: EnqueueJob };
  metrics: Metrics;
  log: Log;
  /** Logs a fault of background work. */
  onFault(err: unknown, message: string, fields?: object): void;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Where the API is reached, without a trailing slash. Known once the service listens. */
  baseUrl(): string;
  /** Keyed hash of a client's address, for what is stored. */
  hashIp(ip: string): string;
  /** The service's own secret, the same on every instance. */
  hashKey: string;
  overrides: Overrides;
}

/** All that a feature brings. The service and the command line loop over these; no other list names a part of one. */
export interface FeatureParts<P extends object = object> {
  endpoints?: readonly Endpoint[];
  jobs?: Partial<JobHandlers>;
  /** Jobs of a lane that run at a time, where the worker's default does not fit. */
  concurrency?: Partial<Record<JobLane, number>>;
  timers?: readonly TimedWork[];
  /** Deletes what has expired. Called every ten minutes, all features in one transaction. */
  expire?(tx: Tx, now: number): Promise<unknown>;
  /** Readies what requests need. Called before the service listens. */
  open?(): Promise<void>;
  /** Takes the HTTP server's upgrades. Called before the service listens. */
  attach?(server: Server, ports: PipelinePorts): void;
  /** Opens a listener of its own. Called when the API listens. */
  listen?(): Promise<void>;
  /** Finishes what a process left undone when it died. A stop waits for it. */
  recover?(isStopping: () => boolean): Promise<unknown>;
  /** Takes nothing more and ends what never ends by itself. Called first when the service stops. */
  close?(): unknown;
  /** Writes down and lets go of the rest. Called last, in the reverse order of the features. */
  stop?(): unknown;
  /** What later features may take, by name. */
  provides?: P;
}

export interface Feature<Needs, P extends object = object> {
  name: string;
  /** Wires the feature. Pure: it starts no timer, thread or listener and reads nothing. */
  build: (needs: Needs) => FeatureParts<P>;
}

/** Declares a feature: its name, and how it is built of the context and what it needs of earlier features. */
export const feature = <Needs, P extends object = Record<never, never>>(
  name: string,
  build: (needs: Needs) => FeatureParts<P>,
): Feature<Needs, P> => ({ name, build });

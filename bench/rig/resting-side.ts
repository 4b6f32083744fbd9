import { readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Service, startService } from '../../test/process/service.ts';
import { type Measured, runLoad, statusOf } from './load.ts';
import { PATH, type Release } from './releases.ts';
import { ACCOUNTS, type CallName, fill, LIMITS, mixed, type Next } from './user-calls.ts';

/** After SIGCONT a service closes what was closed meanwhile, and its timers are due. */
const AWAKE_MS = 200;

/** Where a side keeps its data. */
export interface Place {
  folder: string;
  /** Null: SQLite. */
  databaseUrl: string | null;
}

export type Load = { requests: number } | { seconds: number };

/** One service that is compared. It rests, stopped by a signal, whenever it is not measured. */
export class RestingSide {
  readonly name: string;
  readonly #release: Release;
  readonly #place: Place;
  #service: Service | null = null;
  #calls = new Map<CallName, Next>();
  #mixed: Next | null = null;
  /** What each call answers: a status, or why there is no such call. */
  readonly answers = new Map<CallName, string>();

  constructor(name: string, release: Release, place: Place) {
    this.name = name;
    this.#release = release;
    this.#place = place;
  }

  get #running(): Service {
    if (this.#service === null) throw new Error(`${this.name} does not run`);
    return this.#service;
  }

  async start(): Promise<void> {
    const { folder, databaseUrl } = this.#place;
    const env = {
      PATH,
      LIMITS,
      DATA_DIR: join(folder, 'data'),
      // New for each run: what an earlier one compiled would be there for theirs alone.
      NODE_COMPILE_CACHE: join(folder, 'compiled'),
      ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
    };
    this.#service = await startService(env, ['sh', join(this.#release.folder, 'bin/signet'), 'serve']);
    this.#requireAsMeant(this.#service.pid);
    this.#signal('SIGSTOP');
  }

  /** @throws Error if `bin/signet` chose another Node, or not the build, so that another thing would be measured. */
  #requireAsMeant(pid: number): void {
    const node = readlinkSync(`/proc/${pid}/exe`);
    if (node !== realpathSync(process.execPath)) throw new Error(`${this.name} runs on ${node}`);
    const isBuilt = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('/dist/service/main.js');
    if (isBuilt !== (this.#release.ran === 'built')) throw new Error(`${this.name} is not ${this.#release.ran}`);
  }

  async stop(): Promise<void> {
    const service = this.#service;
    this.#service = null;
    service?.signal('SIGCONT');
    await service?.kill('SIGTERM');
  }

  /** Fills the data, and learns what each call answers. */
  async fill(names: readonly CallName[]): Promise<void> {
    await this.#wake();
    const { api, httpPort } = this.#running;
    for (const [name, next] of await fill(api, names)) {
      if (typeof next === 'string') {
        this.answers.set(name, next);
        continue;
      }
      this.#calls.set(name, next);
      this.answers.set(name, await statusOf(httpPort, next(0)));
    }
    this.#signal('SIGSTOP');
  }

  /** The calls that `loadOfAll` sends in turn. */
  mix(names: readonly CallName[]): void {
    this.#mixed = mixed(names.map((name) => this.#calls.get(name) as Next));
  }

  /** Sends a call on all connections. A reply with another status than the first one ends the run. */
  async load(name: CallName, length: Load): Promise<Measured> {
    await this.#wake();
    const status = this.answers.get(name) as string;
    const measured = await this.#run({ ...length, status, next: this.#calls.get(name) as Next });
    this.#signal('SIGSTOP');
    return measured;
  }

  /** Starts a fresh process on the same data, and measures its first calls. */
  async first(requests: number): Promise<Measured> {
    await this.start();
    this.#signal('SIGCONT');
    const measured = await this.#run({ requests, next: this.#mixed as Next });
    await this.stop();
    return measured;
  }

  #run(load: Load & { next: Next; status?: string }): Promise<Measured> {
    const { httpPort: port, pid } = this.#running;
    return runLoad({ port, pids: [pid], connections: ACCOUNTS, ...load });
  }

  async #wake(): Promise<void> {
    this.#signal('SIGCONT');
    await sleep(AWAKE_MS);
  }

  /** Instances on PostgreSQL stay awake: one that holds a lock or a lease would hold the others. */
  #signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    if (this.#place.databaseUrl === null) this.#running.signal(name);
  }
}

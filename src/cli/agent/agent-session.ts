import { createHash } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { SignetClient } from '../../client/signet-client.ts';
import { SignetError } from '../../client/signet-error.ts';
import { randomSeed, readSeed, writeSeed } from '../../client/vault-seed.ts';
import type { VersionStore } from '../../client/vault-versions.ts';
import type { AgentEnvironment } from './agent-environment.ts';
import { AgentCommandError, EXIT } from './agent-failure.ts';

/** The service and key of `signet login` or `signet register`. */
export interface Login {
  url: string;
  key: string;
  /** Null for a key that may not read its account. Undefined: the service was not asked yet. */
  accountId?: string | null;
  /** Of a key that a person gave this command line by consent: `logout` ends it. */
  granted?: { scopes: string[]; expiresAt: string };
}

/** A login with the name of its profile. */
export interface NamedLogin extends Login {
  profile: string;
}

const DEFAULT_PROFILE = 'default';
/** It becomes a part of a path. */
const PROFILE = /^[a-z0-9][a-z0-9._-]{0,63}$/i;

const fileOf = (profile: string): string => (profile === DEFAULT_PROFILE ? 'login.json' : `login-${profile}.json`);

function requireProfile(name: string): string {
  if (PROFILE.test(name)) return name;
  throw new AgentCommandError(EXIT.usage, 'the name of a profile is 1 to 64 letters, digits, dots, hyphens and _');
}

const LOCAL_URL = 'http://127.0.0.1:8787';

const isSameService = (one: string, other: string): boolean =>
  new SignetClient({ baseUrl: one }).baseUrl === new SignetClient({ baseUrl: other }).baseUrl;

/** A change of a file takes a millisecond, so after two seconds its lock was left behind. */
const LOCK_WAIT_MS = 5;
const LOCK_TRIES = 400;

/** @returns false if the file is there already */
function makeFile(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
    return true;
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw err;
  }
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw err;
  }
}

/** @returns null for a key that may not read its account */
export async function accountIdOf(client: SignetClient): Promise<string | null> {
  try {
    return (await client.getAccount()).id;
  } catch (err) {
    if (err instanceof SignetError && err.code === 'insufficient_scope') return null;
    throw err;
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs work between whose reply and file no signal falls, because only the reply has the key. The first signal waits for it; a
 * second one ends the command.
 */
export async function uninterrupted<T>(work: () => Promise<T>): Promise<T> {
  let held: NodeJS.Signals | undefined;
  const hold = (signal: NodeJS.Signals): void => {
    held = signal;
  };
  for (const signal of SIGNALS) process.once(signal, hold);
  try {
    return await work();
  } finally {
    for (const signal of SIGNALS) process.off(signal, hold);
    if (held !== undefined) process.kill(process.pid, held);
  }
}

/** The key, seed and service of the agent: from the environment, or from files of mode 0600 in its folder. */
export class AgentSession {
  readonly #given: AgentEnvironment;
  readonly #chosen: () => string | undefined;

  /** @param chosen the profile that the command line names */
  constructor(env: AgentEnvironment, chosen: () => string | undefined = () => undefined) {
    this.#given = env;
    this.#chosen = chosen;
  }

  /** A profile that the command line names is used with its own key and service, whatever the environment has. */
  get #env(): AgentEnvironment {
    if (this.#chosen() === undefined) return this.#given;
    return { ...this.#given, key: undefined, url: this.login() === null ? this.#given.url : undefined };
  }

  /** @throws AgentCommandError for no name */
  get profile(): string {
    const switched = () => readIfThere(this.#path('profile'))?.trim() || undefined;
    return requireProfile(this.#chosen() ?? this.#given.profile ?? switched() ?? DEFAULT_PROFILE);
  }

  /** The program of the environment that opens pages. */
  get browser(): string | undefined {
    return this.#given.browser;
  }

  get url(): string {
    const { url, key } = this.#env;
    // The key of the environment is not for the service of the login.
    return url ?? (key === undefined ? this.login()?.url : undefined) ?? LOCAL_URL;
  }

  /** The key of the environment, which is for the service of the environment alone. @throws AgentCommandError */
  environmentKeyFor(url?: string): string | undefined {
    const { key, url: own = LOCAL_URL } = this.#given;
    if (key === undefined || isSameService(url ?? own, own)) return key;
    throw new AgentCommandError(EXIT.usage, `SIGNET_KEY is for ${own}; name the key for ${url} with --key`);
  }

  /** Whether there is a key for this service. Some calls need none. */
  hasKey(): boolean {
    return this.#findKey() !== undefined;
  }

  /** Whether commands use a key of the environment, not that of the login. */
  usesEnvironment(): boolean {
    return this.#env.key !== undefined;
  }

  login(): Login | null {
    const text = readIfThere(this.#path(fileOf(this.profile)));
    return text === null ? null : (JSON.parse(text) as Login);
  }

  /** All logins, by the names of their profiles. */
  logins(): NamedLogin[] {
    mkdirSync(this.#given.folder, { recursive: true, mode: 0o700 });
    const profiles = readdirSync(this.#given.folder).flatMap((file) => {
      const [, name] = /^login(?:-(.+))?\.json$/.exec(file) ?? [null];
      return name === null ? [] : [name ?? DEFAULT_PROFILE];
    });
    return profiles.sort().flatMap((profile) => {
      const text = readIfThere(this.#path(fileOf(profile)));
      return text === null ? [] : [{ profile, ...(JSON.parse(text) as Login) }];
    });
  }

  /** Uses a profile from now on, where no other is named. @throws AgentCommandError for one without a login */
  switchTo(name: string): void {
    const profile = requireProfile(name);
    if (readIfThere(this.#path(fileOf(profile))) === null)
      throw new AgentCommandError(
        EXIT.usage,
        `there is no login in the profile ${profile}; run signet login --profile ${profile}`,
      );
    this.#write('profile', `${profile}\n`);
  }

  /** Forgets the login of the profile. */
  forgetLogin(): void {
    rmSync(this.#path(fileOf(this.profile)), { force: true });
  }

  /** @throws when a login could not be kept */
  requireWritable(): void {
    rmSync(this.#write('probe', ''));
  }

  /** @returns the path of the file */
  saveLogin(login: Login): string {
    return this.#write(fileOf(this.profile), `${JSON.stringify(login, null, 2)}\n`);
  }

  /** A client with the key of the agent. @throws AgentCommandError without a key */
  client(): SignetClient {
    return new SignetClient({ baseUrl: this.url, key: this.#key() });
  }

  /** @throws AgentCommandError without a key */
  credential(): { url: string; key: string } {
    return { url: this.client().baseUrl, key: this.#key() };
  }

  /** A client of a service that needs no key. */
  stranger(url = this.url): SignetClient {
    return new SignetClient({ baseUrl: url });
  }

  /**
   * A client that can seal and open. `mayCreate`: makes a seed for an account that has none, and tells `made` its file.
   * @throws AgentCommandError without a seed
   */
  async sealing(mayCreate: boolean, made: (path: string) => void): Promise<SignetClient> {
    const client = this.client();
    const owner = await this.#owner(client);
    const stored = this.#env.seed ?? readIfThere(this.#path(`seed-${owner}`));
    const versions = this.#versions(owner);
    const withSeed = (seed: string): SignetClient =>
      new SignetClient({ baseUrl: this.url, key: this.#key(), seed: readSeed(seed), versions });
    if (stored !== null) return withSeed(stored);
    const { keys } = await client.listVaultKeys({ limit: 1 });
    if (keys.length > 0 || !mayCreate) {
      const path = this.#path(`seed-${owner}`);
      throw new AgentCommandError(
        EXIT.usage,
        `there is no seed for this vault: set SIGNET_SEED, or copy it to ${path}`,
      );
    }
    const path = this.#makeSeed(`seed-${owner}`);
    made(path);
    return withSeed(readFileSync(path, 'utf8'));
  }

  #key(): string {
    const key = this.#findKey();
    if (key !== undefined) return key;
    const hint = 'run signet login or signet register, or set SIGNET_KEY';
    throw new AgentCommandError(EXIT.auth, `there is no key for ${this.url}; ${hint}`);
  }

  #findKey(): string | undefined {
    const { key, url } = this.#env;
    if (key !== undefined) return key;
    const login = this.login();
    // The key of one service is never sent to another.
    const isSame = login && (url === undefined || isSameService(url, login.url));
    return isSame ? login.key : undefined;
  }

  /** Names the files of an account: its id, or a fingerprint of a key that may not read the id. */
  async #owner(client: SignetClient): Promise<string> {
    const known = this.#env.key === undefined ? this.login()?.accountId : undefined;
    const accountId = known === undefined ? await accountIdOf(client) : known;
    if (accountId === null) return `key-${createHash('sha256').update(this.#key()).digest('hex').slice(0, 16)}`;
    // It becomes a part of a path.
    if (/^acc_[a-z0-9]+$/.test(accountId)) return accountId;
    throw new AgentCommandError(EXIT.fault, `${JSON.stringify(accountId)} is no id of an account`);
  }

  /** The versions seen of each entry, so that a service cannot return an older one unnoticed. */
  #versions(owner: string): VersionStore {
    const name = `versions-${owner}.json`;
    const read = (): Record<string, number> => JSON.parse(readIfThere(this.#path(name)) ?? '{}');
    return {
      get: (entry) => read()[entry],
      set: (entry, version) => {
        this.#locked(name, () => this.#write(name, `${JSON.stringify({ ...read(), [entry]: version })}\n`));
      },
    };
  }

  /** Runs `work` while no other command changes the file: of two that note a version at a time, none is lost. */
  #locked(name: string, work: () => void): void {
    mkdirSync(this.#given.folder, { recursive: true, mode: 0o700 });
    const lock = this.#path(`${name}.lock`);
    for (let tries = 0; !makeFile(lock, ''); tries++) {
      // The process that made it is long done, or was killed.
      if (tries === LOCK_TRIES) rmSync(lock, { force: true });
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_WAIT_MS);
    }
    try {
      work();
    } finally {
      rmSync(lock, { force: true });
    }
  }

  #path(name: string): string {
    return join(this.#given.folder, name);
  }

  /** Of two commands that make the first seed, one makes it and both use it. @returns the path */
  #makeSeed(name: string): string {
    mkdirSync(this.#given.folder, { recursive: true, mode: 0o700 });
    const path = this.#path(name);
    makeFile(path, `${writeSeed(randomSeed())}\n`);
    return path;
  }

  /** Replaces a file whole, readable by its owner alone, on the disk before the former one goes. @returns its path */
  #write(name: string, text: string): string {
    mkdirSync(this.#given.folder, { recursive: true, mode: 0o700 });
    const path = this.#path(name);
    const next = `${path}.${process.pid}`;
    const file = openSync(next, 'w', 0o600);
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(next, path);
    return path;
  }
}

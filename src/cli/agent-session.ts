import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SignetClient } from '../client/signet-client.ts';
import { randomSeed, readSeed, writeSeed } from '../client/vault-seed.ts';
import type { VersionStore } from '../client/vault-versions.ts';
import type { AgentEnvironment } from './agent-environment.ts';
import { AgentCommandError, EXIT } from './agent-failure.ts';

/** The service and key of `signet login` or `signet register`. */
export interface Login {
  url: string;
  key: string;
  accountId: string;
}

const LOCAL_URL = 'http://127.0.0.1:8787';

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw err;
  }
}

/** The key, seed and service of the agent: from the environment, or from files of mode 0600 in its folder. */
export class AgentSession {
  readonly #env: AgentEnvironment;

  constructor(env: AgentEnvironment) {
    this.#env = env;
  }

  get url(): string {
    return this.#env.url ?? this.login()?.url ?? LOCAL_URL;
  }

  get environmentKey(): string | undefined {
    return this.#env.key;
  }

  /** Whether there is a key for this service. Some calls need none. */
  hasKey(): boolean {
    return this.#findKey() !== undefined;
  }

  login(): Login | null {
    const text = readIfThere(this.#path('login.json'));
    return text === null ? null : (JSON.parse(text) as Login);
  }

  /** @returns the path of the file */
  saveLogin(login: Login): string {
    return this.#write('login.json', `${JSON.stringify(login, null, 2)}\n`);
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
    const accountId = await this.#accountId(client);
    const stored = this.#env.seed ?? readIfThere(this.#path(`seed-${accountId}`));
    const versions = this.#versions(accountId);
    const withSeed = (seed: string): SignetClient =>
      new SignetClient({ baseUrl: this.url, key: this.#key(), seed: readSeed(seed), versions });
    if (stored !== null) return withSeed(stored);
    const { keys } = await client.listVaultKeys({ limit: 1 });
    if (keys.length > 0 || !mayCreate) {
      const path = this.#path(`seed-${accountId}`);
      throw new AgentCommandError(
        EXIT.usage,
        `there is no seed for this vault: set SIGNET_SEED, or copy it to ${path}`,
      );
    }
    const path = this.#makeSeed(`seed-${accountId}`);
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
    const isSame = login && (url === undefined || url.replace(/\/+$/, '') === login.url.replace(/\/+$/, ''));
    return isSame ? login.key : undefined;
  }

  async #accountId(client: SignetClient): Promise<string> {
    const login = this.login();
    if (login && this.#env.key === undefined) return login.accountId;
    return (await client.getAccount()).id;
  }

  /** The versions seen of each entry, so that a service cannot return an older one unnoticed. */
  #versions(accountId: string): VersionStore {
    const name = `versions-${accountId}.json`;
    const read = (): Record<string, number> => JSON.parse(readIfThere(this.#path(name)) ?? '{}');
    return {
      get: (entry) => read()[entry],
      set: (entry, version) => this.#write(name, `${JSON.stringify({ ...read(), [entry]: version })}\n`),
    };
  }

  #path(name: string): string {
    return join(this.#env.folder, name);
  }

  /** Of two commands that make the first seed, one makes it and both use it. @returns the path */
  #makeSeed(name: string): string {
    mkdirSync(this.#env.folder, { recursive: true, mode: 0o700 });
    const path = this.#path(name);
    try {
      writeFileSync(path, `${writeSeed(randomSeed())}\n`, { mode: 0o600, flag: 'wx' });
    } catch (err) {
      if ((err as NodeJS.ErrnoException).code !== 'EEXIST') throw err;
    }
    return path;
  }

  /** Replaces a file whole, readable by its owner alone. @returns its path */
  #write(name: string, text: string): string {
    mkdirSync(this.#env.folder, { recursive: true, mode: 0o700 });
    const path = this.#path(name);
    const next = `${path}.${process.pid}`;
    writeFileSync(next, text, { mode: 0o600 });
    renameSync(next, path);
    return path;
  }
}

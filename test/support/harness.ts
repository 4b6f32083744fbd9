import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text as readText } from 'node:stream/consumers';
import { after, before, describe } from 'node:test';
import { getCallSites, isDeepStrictEqual } from 'node:util';
import { createTransport } from 'nodemailer';
import pg from 'pg';
import type { App, AppOptions } from '../../src/app.ts';
import type { Log } from '../../src/base/log.ts';
import { DAY_MS } from '../../src/base/period.ts';
import { type Config, readConfig } from '../../src/config/service-config.ts';
import { sqlitePath } from '../../src/db/open.ts';
import { ANY_ENGINE, BOTH_ENGINES } from './full-run.ts';
import { copyMigratedFile, migratedDatabase } from './migrated.ts';
import { createDatabase, dropDatabase } from './postgres.ts';
import { readableMail } from './readable-mail.ts';
import { noteSecrets, requireNoSecret } from './secrets.ts';
import { testFolder } from './test-folder.ts';

/** The database that a suite runs on. */
export type Engine = 'sqlite' | 'postgres';

export interface TestClock {
  now(): number;
  /** Moves time forward. */
  advance(ms: number): void;
}

export interface ApiReply {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever a reply holds, and fails where it does not.
  body: any;
  /** The reply as text, to compare whole replies. */
  text: string;
}

export interface Api {
  (method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiReply>;
  get(path: string, headers?: Record<string, string>): Promise<ApiReply>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiReply>;
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiReply>;
  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiReply>;
  delete(path: string, headers?: Record<string, string>): Promise<ApiReply>;
}

export interface TestAccount {
  key: string;
  accountId: string;
  api: Api;
}

export interface TestMail {
  from?: string;
  to: string | string[];
  subject?: string;
  text?: string;
  html?: string;
  raw?: string | Buffer;
  headers?: Record<string, string>;
  attachments?: { filename: string; content: string | Buffer; contentType?: string }[];
}

export interface TestApp {
  engine: Engine;
  app: App;
  config: Config;
  baseUrl: string;
  clock: TestClock;
  /** A client of the API. Without a key its calls are anonymous. */
  api(key?: string): Api;
  createAccount(fields?: Record<string, unknown>): Promise<TestAccount>;
  /** Delivers a mail over SMTP with an ordinary client. Rejects if that client does. */
  sendSmtp(mail: TestMail): Promise<void>;
  /** Runs due jobs and returns the mails in the development outbox, oldest first. */
  outboxMails(): Promise<string[]>;
  /** Runs SQL on a separate connection. Use SQL that both engines understand, and `?` for parameters. */
  sql(text: string, ...params: unknown[]): Promise<Record<string, unknown>[]>;
  /** The warnings and errors that the service logged. */
  faults: { message: string; fields: Record<string, unknown> }[];
  /** Stops the service. Rejects if its database holds a secret that can be read. */
  stop(): Promise<void>;
}

export interface TestAppOptions extends Omit<AppOptions, 'clock'> {
  /** Limits to set. By default all limits are so high that no test meets them. */
  limits?: Record<string, unknown>;
  /** `true`: the limits of a fresh installation. */
  defaultLimits?: boolean;
  env?: Record<string, string>;
  /** The start of the test clock; by default noon on a Wednesday. */
  startAt?: number;
}

const ROOMY = {
  free: { requests_per_day: 1_000_000 },
  paid: { requests_per_day: 1_000_000 },
  signups_per_ip_per_hour: 1_000_000,
  registrations_per_ip_per_hour: 1_000_000,
  key_rotations_per_hour: 1_000_000,
  backup_activations_per_hour: 1_000_000,
  revocations_per_hour: 1_000_000,
  console_logins_per_hour: 1_000_000,
  searches_per_hour: 1_000_000,
  inspections_per_hour: 1_000_000,
  secures_per_hour: 1_000_000,
  pod_changes_per_hour: 1_000_000,
  logins_per_ip_per_hour: 1_000_000,
  confirmation_mails_per_email_per_day: 1_000_000,
  recoveries_per_ip_per_hour: 1_000_000,
  recovery_codes_per_ip_per_hour: 1_000_000,
  legacy_vault_entries_per_ip_per_hour: 1_000_000,
  credential_links_per_ip_per_hour: 1_000_000,
  passkey_logins_per_ip_per_hour: 1_000_000,
  passkey_logins_per_email_per_hour: 1_000_000,
  client_registrations_per_ip_per_hour: 1_000_000,
  client_documents_per_ip_per_hour: 1_000_000,
};

function mergeDeep(base: Record<string, unknown>, over: Record<string, unknown>): Record<string, unknown> {
  const merged = { ...base };
  for (const [name, value] of Object.entries(over)) {
    const current = merged[name];
    const isBoth = typeof value === 'object' && value !== null && typeof current === 'object' && current !== null;
    merged[name] = isBoth ? mergeDeep(current as Record<string, unknown>, value as Record<string, unknown>) : value;
  }
  return merged;
}

/** Connections stay open between calls. `fetch` takes twice the processor time. */
const KEPT = { keepAlive: true };
const HTTP = new HttpAgent(KEPT);
const HTTPS = new HttpsAgent(KEPT);

/** Sends one request. @returns the reply, with its whole body */
async function send(url: URL, options: RequestOptions, body?: string | Uint8Array): Promise<ApiReply> {
  const isTls = url.protocol === 'https:';
  const request = isTls
    ? httpsRequest(url, { agent: HTTPS, ...options })
    : httpRequest(url, { agent: HTTP, ...options });
  // Node gives the body of a DELETE no length, and the service takes it for the next request of the connection.
  if (body !== undefined) request.setHeader('content-length', Buffer.byteLength(body));
  // A service that refuses a large body ends the connection when it has answered.
  request.on('error', () => {}).end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const text = await readText(response);
  const headers = new Headers();
  for (let i = 0; i < response.rawHeaders.length; i += 2)
    headers.append(response.rawHeaders[i] as string, response.rawHeaders[i + 1] as string);
  const isJson = headers.get('content-type')?.startsWith('application/json');
  return {
    status: response.statusCode as number,
    headers,
    body: isJson && text !== '' ? JSON.parse(text) : text,
    text,
  };
}

export function createApi(baseUrl: string, key?: string): Api {
  const call = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ApiReply> => {
    const isRaw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
    const sent = isRaw ? body : JSON.stringify(body);
    const all = {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...headers,
    };
    return send(new URL(baseUrl + path), { method, headers: all }, sent);
  };
  return Object.assign(call, {
    get: (path: string, headers?: Record<string, string>) => call('GET', path, undefined, headers),
    post: (path: string, body?: unknown, headers?: Record<string, string>) => call('POST', path, body, headers),
    put: (path: string, body?: unknown, headers?: Record<string, string>) => call('PUT', path, body, headers),
    patch: (path: string, body?: unknown, headers?: Record<string, string>) => call('PATCH', path, body, headers),
    delete: (path: string, headers?: Record<string, string>) => call('DELETE', path, undefined, headers),
  });
}

/** A clock that stands still until a test moves it, so that nothing expires on a slow machine. */
function createTestClock(startAt: number): TestClock {
  let at = startAt;
  return {
    now: () => at,
    advance: (ms) => {
      at += ms;
    },
  };
}

/** Wednesday, 2026-01-14 12:00:00 UTC: far from the edges of a day, week, month and year. */
const WEDNESDAY_NOON = Date.UTC(2026, 0, 14, 12);

let databases = 0;

/** Services on one PostgreSQL have data folders of their own, and need the same key. */
const MASTER_KEY = randomBytes(32).toString('base64');

export function requirePostgresUrl(): string {
  const url = process.env.SIGNET_TEST_POSTGRES;
  if (!url) throw new Error('SIGNET_TEST_POSTGRES is not set: run the tests with npm test, which starts PostgreSQL');
  return url;
}

/**
 * Creates a database: a copy of the migrated one, or `empty`.
 * @returns its environment for the service, and a function that removes it
 */
export async function freshDatabase(
  engine: Engine,
  { empty = false } = {},
): Promise<{ env: Record<string, string>; drop(): Promise<void> }> {
  const dataDir = mkdtempSync(join(testFolder(), 'signet-test-'));
  const removeDir = (): void => rmSync(dataDir, { recursive: true, force: true });
  if (engine === 'sqlite') {
    if (!empty) copyMigratedFile(dataDir);
    return { env: { DATA_DIR: dataDir }, drop: async () => removeDir() };
  }
  const name = `signet_${process.pid}_${databases++}`;
  const url = await createDatabase(requirePostgresUrl(), name, empty ? undefined : migratedDatabase());
  return {
    env: { DATA_DIR: dataDir, DATABASE_URL: url, MASTER_KEY },
    drop: async () => {
      await dropDatabase(requirePostgresUrl(), name);
      removeDir();
    },
  };
}

/** Runs one statement on a new connection. */
export async function runSql(config: Config, text: string, params: unknown[]): Promise<Record<string, unknown>[]> {
  if (config.databaseUrl === null) {
    const db = new DatabaseSync(sqlitePath(config.dataDir));
    try {
      db.exec('PRAGMA busy_timeout = 5000; PRAGMA synchronous = OFF');
      return db.prepare(text).all(...(params as string[])) as Record<string, unknown>[];
    } finally {
      db.close();
    }
  }
  const client = new pg.Client({ connectionString: config.databaseUrl });
  await client.connect();
  try {
    let n = 0;
    const result = await client.query(
      text.replace(/\?/g, () => `$${++n}`),
      params,
    );
    return result.rows ?? [];
  } finally {
    await client.end();
  }
}

/** No test depends on the network. By default no name resolves. */
const noDns = async (): Promise<never> => {
  throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
};

/** Starts the whole service on free ports over an empty database. */
export async function startTestApp(engine: Engine, options: TestAppOptions = {}): Promise<TestApp> {
  const { limits = {}, defaultLimits = false, env = {}, startAt = WEDNESDAY_NOON, ...appOptions } = options;
  const database = await freshDatabase(engine);
  const clock = createTestClock(startAt);
  const merged = defaultLimits ? limits : mergeDeep(ROOMY, limits);
  const config = readConfig({
    PORT: '0',
    SMTP_PORT: '0',
    IMAP_PORT: '0',
    SUBMISSION_PORT: '0',
    LIMITS: JSON.stringify(merged),
    LOG_LEVEL: 'silent',
    ...database.env,
    ...env,
  });
  const faults: TestApp['faults'] = [];
  const keep = (fields: Record<string, unknown>, message: string): void => void faults.push({ fields, message });
  const log: Log = { debug: () => {}, info: () => {}, warn: keep, error: keep };
  // Loaded here: tests that start a process of their own need the rest of this file alone.
  const { startApp } = await import('../../src/app.ts');
  const app = await startApp(config, log, {
    // No test of one process cuts the power: what waits for the disk is tested with services of their own.
    clock,
    checkReplies: true,
    resolveDns: noDns,
    synchronous: 'OFF',
    // The first mail of a service starts a thread. On a busy machine that takes seconds, and so does what it reads.
    settleMs: 120_000,
    readingMs: 120_000,
    ...appOptions,
  });
  const shown = noteSecrets(app.endpoints);
  const api = (key?: string): Api => createApi(app.baseUrl, key);
  const outboxDir = join(config.dataDir, 'outbox');

  return {
    engine,
    app,
    config,
    baseUrl: app.baseUrl,
    clock,
    api,
    faults,
    createAccount: async (fields = {}) => {
      const reply = await api().post('/v1/auth/keys', fields);
      if (reply.status !== 201) throw new Error(`no account: ${reply.status} ${reply.text}`);
      const key = reply.body.api_key as string;
      return { key, accountId: reply.body.account_id as string, api: api(key) };
    },
    sendSmtp: async ({ raw, from = 'ada@example.com', to, ...mail }) => {
      const transport = createTransport({
        host: config.smtpHost,
        port: app.smtpPort as number,
        secure: false,
        ignoreTLS: true,
      });
      const envelope = { from, to };
      await transport
        .sendMail(raw === undefined ? { from, to, ...mail } : { envelope, raw })
        .finally(() => transport.close());
    },
    outboxMails: async () => {
      await app.worker.runDue();
      // The folder is made with the first mail.
      if (!existsSync(outboxDir)) return [];
      const files = readdirSync(outboxDir, { withFileTypes: true }).filter((file) => file.name.endsWith('.eml'));
      return files.map((file) => readFileSync(join(outboxDir, file.name), 'utf8'));
    },
    sql: (text, ...params) => runSql(config, text, params),
    stop: async () => {
      try {
        await requireNoSecret(config, shown);
      } finally {
        await app.stop();
        await database.drop();
      }
    },
  };
}

export interface Suite {
  /** The running service. Set before the first test of the suite. */
  readonly t: TestApp;
}

/** The services that suites share, with the number of suites that still need each. */
const shared = new Map<string, { needs: number; running?: Promise<TestApp> }>();

async function stopShared(key: string): Promise<void> {
  const running = shared.get(key)?.running;
  shared.delete(key);
  await (await running)?.stop();
}

// Suites that a pattern leaves out never say that they are done.
after(async () => {
  for (const key of [...shared.keys()]) await stopShared(key);
});

/** Options with a function in them. */
const functional: object[] = [];

function numberOf(options: object): number {
  if (!functional.includes(options)) functional.push(options);
  return functional.indexOf(options);
}

/**
 * Declares tests that run on a service: `onEngines('any', 'POST /v1/auth/keys', {}, (suite) => { it('…', async () => {
 * suite.t.api() … }) })`. Suites of one file with equal options share a service on each engine, started before the first
 * of them, so each test makes its own accounts.
 * @param which `both`: on SQLite and on PostgreSQL, for what depends on SQL, races, locks, migrations or transactions.
 * `any`: on SQLite, and on PostgreSQL only in `npm run test:all`, for what is decided before or after the database.
 * @param options with a function in them, only suites with the same object share the service; with `isolated: true`, none
 */
export function onEngines(
  which: 'both' | 'any',
  name: string,
  options: TestAppOptions & { isolated?: true },
  declare: (suite: Suite) => void,
): void {
  const file = getCallSites(2)[1]?.scriptName;
  const { isolated, ...appOptions } = options;
  const isPlain = isDeepStrictEqual(JSON.parse(JSON.stringify(appOptions)), appOptions);
  for (const engine of which === 'both' ? BOTH_ENGINES : ANY_ENGINE) {
    const own = isolated ? [shared.size, name] : [isPlain ? appOptions : numberOf(options)];
    const key = JSON.stringify([file, engine, ...own]);
    const entry = shared.get(key) ?? { needs: 0 };
    shared.set(key, entry);
    entry.needs++;
    describe(`${name} [${engine}]`, () => {
      let running: TestApp | undefined;
      before(async () => {
        // The options themselves: what one of them computes is of the start, not of the loaded file.
        entry.running ??= startTestApp(engine, options);
        running = await entry.running;
      });
      after(async () => {
        if (--entry.needs === 0) await stopShared(key);
      });
      declare({
        get t() {
          if (!running) throw new Error('the service has not started');
          return running;
        },
      });
    });
  }
}

/** Moves a test clock to the next UTC day. */
export const nextDay = (clock: TestClock): void => clock.advance(DAY_MS - (clock.now() % DAY_MS));

/** The link token in a mail of the development outbox. */
export function tokenIn(mail: string): string {
  const text = readableMail(mail);
  const token = /#token=([0-9A-Za-z]{32})/.exec(text)?.[1];
  if (!token) throw new Error(`the mail has no link: ${text}`);
  return token;
}

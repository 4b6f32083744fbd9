import { hash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { ApiError } from '../kernel/errors.ts';
import type { Database, Statement, Tx } from '../kernel/transaction.ts';
import { runAfterCommit } from './after-commit.ts';
import { postgresLibrary } from './postgres-library.ts';
import { PostgresListener } from './postgres-listener.ts';
import { bind, createCompiler } from './statement.ts';

export interface PostgresOptions {
  connectionsMax?: number;
  /** Called with errors on idle connections, which the pool replaces. */
  onError?: (err: Error) => void;
}

/** serialization_failure, deadlock_detected: the transaction did nothing and may run again. */
const RETRYABLE = new Set(['40001', '40P01']);
const RETRIES_MAX = 10;

const sqlStateOf = (err: unknown): string | undefined => {
  const cause = err instanceof ApiError ? err.cause : err;
  return typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : undefined;
};

/** bigint (20) and numeric (1700) arrive as text by default; all of ours are below 2^53. */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === 20 || oid === 1700 ? Number : postgresLibrary().types.getTypeParser(oid, format as 'text'),
} as pg.CustomTypesConfig;

export const postgresConfig = (url: string): pg.PoolConfig => ({
  connectionString: url,
  types,
  application_name: 'signet',
  // Statements that are not waited for one by one share a round trip; they run in the order they were given in.
  pipeline: true,
  // No request waits longer for a row; the client gets 503 and nothing was changed.
  lock_timeout: 10_000,
});

type Queryable = Pick<pg.ClientBase, 'query'>;

function createExecutor() {
  const compile = createCompiler('postgres');
  const names = new Map<string, string>();
  return async <P, R>(client: Queryable, statement: Statement<P, R>, params: P): Promise<pg.QueryResult> => {
    const compiled = compile(statement as Statement<never, unknown>);
    let name = names.get(compiled.text);
    if (name === undefined) {
      // A named statement is parsed and planned once per connection; unnamed ones cost twice as much.
      name = hash('sha256', compiled.text, 'hex').slice(0, 32);
      names.set(compiled.text, name);
    }
    const values = bind(compiled, params);
    try {
      return await client.query({ name, text: compiled.text, values });
    } catch (err) {
      throw new ApiError('storage_unavailable', { cause: err });
    }
  };
}

type Execute = ReturnType<typeof createExecutor>;

/** A transaction on one client; the caller commits and then runs what `afterCommit` gathered. */
function createTx(client: Queryable, execute: Execute, listener: PostgresListener, afterCommit: (() => void)[]): Tx {
  return {
    all: async (statement, params) => (await execute(client, statement, params)).rows,
    first: async (statement, params) => (await execute(client, statement, params)).rows[0],
    run: async (statement, params) => (await execute(client, statement, params)).rowCount ?? 0,
    afterCommit: (callback) => void afterCommit.push(callback),
    signal: (topic) => void afterCommit.push(() => listener.signal(topic)),
  };
}

interface Connections {
  pool: pg.Pool;
  execute: Execute;
  listener: PostgresListener;
  onError: (err: Error) => void;
}

/** One try at a transaction. A client whose rollback fails is not given back to the pool. */
async function attempt<T>({ pool, execute, listener, onError }: Connections, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((err) => {
    throw new ApiError('storage_unavailable', { cause: err });
  });
  const afterCommit: (() => void)[] = [];
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const value = await work(createTx(client, execute, listener, afterCommit));
    // An aborted transaction answers COMMIT with ROLLBACK, and without an error.
    const { command } = await client.query('COMMIT');
    if (command !== 'COMMIT') throw new ApiError('storage_unavailable', { cause: `COMMIT answered ${command}` });
    runAfterCommit(afterCommit, onError);
    return value;
  } catch (err) {
    await client.query('ROLLBACK').catch((failure: Error) => {
      broken = failure;
    });
    throw err instanceof ApiError || sqlStateOf(err) === undefined
      ? err
      : new ApiError('storage_unavailable', { cause: err });
  } finally {
    client.release(broken);
  }
}

/** PostgreSQL as the service's database: any number of stateless instances over one server. */
export function openPostgres(url: string, options: PostgresOptions = {}): Database {
  const onError = options.onError ?? (() => {});
  const pool = new (postgresLibrary().Pool)({
    ...postgresConfig(url),
    max: options.connectionsMax ?? 16,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 10_000,
  });
  pool.on('error', onError);
  // A checked-out client that loses its server emits too, and without a listener that ends the process.
  pool.on('connect', (client) => void client.on('error', onError));
  const execute = createExecutor();
  const listener = new PostgresListener({ url, instance: randomUUID(), pool, onError });

  async function transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    for (let retries = 0; ; retries++) {
      try {
        return await attempt({ pool, execute, listener, onError }, work);
      } catch (err) {
        if (retries >= RETRIES_MAX || !RETRYABLE.has(sqlStateOf(err) ?? '')) throw err;
        await sleep(Math.random() * 5 * (retries + 1));
      }
    }
  }

  return {
    engine: 'postgres',
    all: async (statement, params) => (await execute(pool, statement, params)).rows,
    first: async (statement, params) => (await execute(pool, statement, params)).rows[0],
    transaction,
    signal: (topic) => listener.signal(topic),
    onSignal: (topic, callback) => listener.on(topic, callback),
    catchUp: () => {},
    ping: async () => (await pool.query('SELECT 1')).rowCount === 1,
    close: async () => {
      await listener.close();
      await pool.end();
    },
  };
}

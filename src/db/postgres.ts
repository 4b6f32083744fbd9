import { hash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { ApiError, Refusal } from '../api/errors.ts';
import { type Database, pipeline, type Statement, type Tx, Unconfirmed } from '../api/transaction.ts';
import { runAfterCommit } from './after-commit.ts';
import { Appends, type AppendsWriter } from './logs/appends.ts';
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
  if (err instanceof Refusal) return undefined;
  const cause = err instanceof ApiError ? err.cause : err;
  return typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : undefined;
};

/**
 * Whether the server says that it did not commit. Faults of the socket have a `code` too, but no severity. The end of a
 * connection (FATAL, class 08, 57P0x, 25P03, 25P04) can come between the commit and its answer, and a pooler reports it so.
 */
function isRefusedCommit(err: unknown): boolean {
  if (typeof err !== 'object' || err === null || !('severity' in err)) return false;
  if (err.severity === 'FATAL' || err.severity === 'PANIC') return false;
  // The severity can be in another language.
  return !/^(?:08|57P0|25P0[34])/.test(sqlStateOf(err) ?? '');
}

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

/**
 * Every statement has an index (src/db/query-plan.test.ts). The planner reads a small table whole instead, and a connection
 * keeps a plan that it made then while the table grows: charges walked four tables. Compiling plans never pays.
 */
const PLANNING = 'SET enable_seqscan = off; SET jit = off';

/**
 * An instance that stands still keeps the locks of its open transactions, and who waits for them gets 503 after `lock_timeout`.
 * PostgreSQL ends such a transaction after this time, so who waits for one of them goes on. Between two statements there is
 * only our own code: milliseconds. SET, not a parameter at the start: a pooler refuses those that it does not know, and
 * migrations need no bound.
 */
const IDLE_BOUND = 'SET idle_in_transaction_session_timeout = 5000';

type Queryable = Pick<pg.ClientBase, 'query'>;

interface Query {
  name: string;
  text: string;
  values: unknown[];
}

function createExecutor() {
  const compile = createCompiler('postgres');
  const names = new Map<string, string>();
  const textOf = (statement: Statement<never, unknown>): string => compile(statement).text;
  const prepare = <P, R>(statement: Statement<P, R>, params: P): Query => {
    const compiled = compile(statement as Statement<never, unknown>);
    let name = names.get(compiled.text);
    if (name === undefined) {
      // A named statement is parsed and planned once per connection; unnamed ones cost twice as much.
      name = hash('sha256', compiled.text, 'hex').slice(0, 32);
      names.set(compiled.text, name);
    }
    return { name, text: compiled.text, values: bind(compiled, params) };
  };
  const ask = async (client: Queryable, query: Query): Promise<pg.QueryResult> => {
    try {
      return await client.query(query);
    } catch (err) {
      throw new ApiError('storage_unavailable', { cause: err });
    }
  };
  const execute = async <P, R>(client: Queryable, statement: Statement<P, R>, params: P): Promise<pg.QueryResult> =>
    ask(client, prepare(statement, params));
  return Object.assign(execute, { textOf, prepare, ask });
}

type Execute = ReturnType<typeof createExecutor>;

/** For the statements of logs. */
const writerOf = (client: Queryable, execute: Execute): AppendsWriter => ({
  engine: 'postgres',
  all: async (statement, params) => (await execute(client, statement, params)).rows,
  first: async (statement, params) => (await execute(client, statement, params)).rows[0],
  run: async (statement, params) => (await execute(client, statement, params)).rowCount ?? 0,
  runAll: (changes) => {
    // All are made before the first is asked.
    const queries = changes.map(({ statement, params }) => execute.prepare(statement, params as never));
    return pipeline(queries.map((query) => execute.ask(client, query)));
  },
});

/** A transaction on one client; the caller writes what it appended, commits, and then runs what `afterCommit` gathered. */
function createTx(
  client: Queryable,
  { execute, listener }: Pick<Connections, 'execute' | 'listener'>,
  appends: Appends,
  afterCommit: (() => void)[],
): Tx {
  /** Runs a statement after what it may look for is written, in the same round trip. */
  const call = async <P, R>(statement: Statement<P, R>, params: P): Promise<pg.QueryResult> => {
    const settled = appends.flushFor(statement as Statement<never, unknown>);
    const outcome = execute(client, statement, params);
    return settled === null ? outcome : (await pipeline([settled, outcome]))[1];
  };
  return {
    all: async (statement, params) => (await call(statement, params)).rows,
    first: async (statement, params) => (await call(statement, params)).rows[0],
    run: async (statement, params) => (await call(statement, params)).rowCount ?? 0,
    append: (log, accountId, next) => appends.append(log, accountId, next),
    tryLockLogs: (log, accountIds) => appends.reserve(log, accountIds),
    lockLogs: (log, accountIds) => appends.hold(log, accountIds),
    afterCommit: (callback) => void afterCommit.push(callback),
    signal: (topic) => void afterCommit.push(() => listener.signal(topic)),
  };
}

interface TransactionOptions {
  lockWaitMs?: number;
}

interface Connections {
  pool: pg.Pool;
  execute: Execute;
  listener: PostgresListener;
  onError: (err: Error) => void;
}

/** Writes what was appended and commits, in one round trip. */
async function commit(client: Queryable, appends: Appends): Promise<void> {
  // If this throws, no COMMIT follows.
  const written = appends.flush();
  const ended = client.query('COMMIT').catch((err: unknown) => {
    // Without a word of the server the transaction may have been stored.
    throw isRefusedCommit(err) ? new ApiError('storage_unavailable', { cause: err }) : new Unconfirmed(err);
  });
  // The answer to COMMIT counts first. An aborted transaction answers it with ROLLBACK, and without an error.
  const [{ command }] = await pipeline([ended, written]);
  if (command !== 'COMMIT') throw new ApiError('storage_unavailable', { cause: `COMMIT answered ${command}` });
}

/** One try at a transaction. A client whose rollback fails is not given back to the pool. */
async function attempt<T>(
  connections: Connections,
  work: (tx: Tx) => Promise<T>,
  { lockWaitMs }: TransactionOptions,
): Promise<T> {
  const { pool, execute, onError } = connections;
  const client = await pool.connect().catch((err) => {
    throw new ApiError('storage_unavailable', { cause: err });
  });
  const afterCommit: (() => void)[] = [];
  let broken: Error | undefined;
  try {
    const begin = lockWaitMs === undefined ? 'BEGIN' : `BEGIN; SET LOCAL lock_timeout = ${lockWaitMs}`;
    await client.query(begin).catch((err: unknown) => {
      throw new ApiError('storage_unavailable', { cause: err });
    });
    const appends = new Appends(writerOf(client, execute), execute.textOf);
    const value = await work(createTx(client, connections, appends, afterCommit));
    await commit(client, appends);
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
  pool.on('connect', (client) => {
    // A checked-out client that loses its server emits too, and without a listener that ends the process.
    client.on('error', onError);
    client.query(`${PLANNING}; ${IDLE_BOUND}`).catch((err: Error) => {
      onError(err);
      // Without its bounds it is of no use. The pool makes another.
      void client.end();
    });
  });
  const execute = createExecutor();
  const listener = new PostgresListener({ url, instance: randomUUID(), pool, onError });

  async function transaction<T>(work: (tx: Tx) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    for (let retries = 0; ; retries++) {
      try {
        return await attempt({ pool, execute, listener, onError }, work, options);
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
    pollForeignWrites: () => {},
    checkpointWal: () => {},
    ping: async () => (await pool.query('SELECT 1')).rowCount === 1,
    close: async () => {
      await listener.close();
      await pool.end();
    },
  };
}

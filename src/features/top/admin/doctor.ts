import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../../api/transaction.ts';
import { iso } from '../../../base/clock.ts';
import { openDatabase, sqlitePath } from '../../../db/open.ts';
import { SqliteConnection } from '../../../db/sqlite.ts';
import { nextJobAt } from '../../../jobs/queue.ts';
import { ReservedNames } from '../../../mail/address/reserved-names.ts';
import { claimedReserved } from '../../account/addresses/claimed-reserved-names.ts';
import { hasUnparsed } from '../../mail/mailboxes/content/mail-content.ts';
import { countRoleMails } from '../../mail/outbox/postmaster-quota.ts';
import { type Check, fail, listed, ok, warn } from './doctor-check.ts';
import { checkDataDir, checkDisk, checkFiles, checkKeptMail } from './doctor-folder.ts';
import { checkMasterKey, type KeyReport } from './doctor-key.ts';
import { readServerSettings } from './operator-store.ts';
import { greetingOf, healthRelease, portState } from './probe-client.ts';
import { compareSchema } from './service-operator.ts';

interface DoctorDeps {
  host: string;
  port: number;
  smtpHost: string;
  /** Null without a listener. */
  smtpPort: number | null;
  imapHost: string;
  imapPort: number | null;
  imapsPort: number | null;
  submissionHost: string;
  submissionPort: number | null;
  submissionsPort: number | null;
  smtpRelayUrl: string | null;
  delivery: 'relay' | 'direct' | 'file';
  dataDir: string;
  /** Null for SQLite. */
  databaseUrl: string | null;
  mailDomain: string;
  reservedAddresses: readonly string[];
  version: string;
  /** The migrations of this version. */
  migrations: readonly string[];
  /** Where mail to postmaster@ and abuse@ is forwarded. Null: it is kept. */
  postmasterMail: string | null;
  /** How the master keys fit the database. */
  examineSecrets(database: Database): Promise<KeyReport>;
  now(): number;
}

/** A due job starts within a second. The job of a dead worker is free again after two minutes. */
const OVERDUE_MS = 300_000;
const SKEW_MS = 5000;
/** This version was released later. */
const EARLIEST = Date.UTC(2026, 0, 1);

function messageOf(err: unknown): string {
  if (err instanceof AggregateError && err.errors.length > 0) return messageOf(err.errors[0]);
  if (!(err instanceof Error)) return String(err);
  return err.cause === undefined ? err.message : messageOf(err.cause);
}

/** Names the addresses that their owners keep although the names are reserved by now. */
async function checkReserved({ mailDomain, reservedAddresses }: DoctorDeps, database: Database): Promise<Check> {
  const name = 'reserved names';
  const claimed = await claimedReserved(database, mailDomain, new ReservedNames(reservedAddresses));
  if (claimed.length === 0) return ok(name, 'no agent has one');
  return warn(
    name,
    `agents have ${listed(claimed.map(({ address, accountId }) => `${address} (${accountId})`))}`,
    'They keep the addresses. If you do not trust such an account: signet account suspend ID',
  );
}

/** The SQLite file. Null for PostgreSQL. */
const fileOf = ({ databaseUrl, dataDir }: DoctorDeps): string | null =>
  databaseUrl === null ? sqlitePath(dataDir) : null;

function checkClock(deps: DoctorDeps): Check[] {
  const path = fileOf(deps);
  const at = deps.now();
  const remedy = 'Set the clock with NTP: links, sessions and limits depend on it';
  if (at < EARLIEST) return [fail('clock', `the clock says ${iso(at)}`, remedy)];
  const written = path !== null && existsSync(path) ? statSync(path).mtimeMs : 0;
  if (written > at + SKEW_MS)
    return [warn('clock', `the database was written at ${iso(written)}, but the clock says ${iso(at)}`, remedy)];
  return [ok('clock', iso(at))];
}

/** Checks durability settings and the integrity of the file. */
function checkSqliteFile(path: string): Check[] {
  const { db } = new SqliteConnection(path, { readOnly: true });
  try {
    const synchronous = Number(db.prepare('PRAGMA synchronous').get()?.synchronous);
    const journal = String(db.prepare('PRAGMA journal_mode').get()?.journal_mode);
    const finding = String(db.prepare('PRAGMA quick_check(1)').get()?.quick_check);
    return [
      synchronous >= 2 && journal === 'wal'
        ? ok('durability', 'synchronous=FULL, journal_mode=wal')
        : fail('durability', `synchronous=${synchronous}, journal_mode=${journal}`, 'Report this: the code sets both'),
      finding === 'ok'
        ? ok('integrity', 'the file is sound')
        : fail('integrity', finding, 'Stop the service, keep the files, and restore the last backup'),
    ];
  } finally {
    db.close();
  }
}

async function checkServer(database: Database, now: number): Promise<Check[]> {
  const server = await readServerSettings(database);
  if (!server) return [];
  const settings = `fsync=${server.fsync}, synchronous_commit=${server.synchronousCommit}`;
  const isDurable = server.fsync === 'on' && server.synchronousCommit !== 'off';
  const skew = server.now - now;
  return [
    isDurable
      ? ok('durability', settings)
      : warn('durability', settings, 'A crash may lose acknowledged writes: set both to on in the server'),
    Math.abs(skew) > SKEW_MS
      ? warn('server clock', `the database server's clock differs by ${skew} ms`, 'Set both clocks with NTP')
      : ok('server clock', `differs by ${Math.abs(skew)} ms`),
  ];
}

async function checkBacklog(deps: DoctorDeps, database: Database): Promise<Check[]> {
  const at = deps.now();
  const next = await nextJobAt(database);
  const late = next === null ? 0 : at - next;
  const remedy = 'Is the service running? Check its log';
  const checks = [
    late > OVERDUE_MS
      ? warn('jobs', `the oldest job is ${Math.round(late / 60_000)} minutes overdue`, remedy)
      : ok('jobs', next === null ? 'none waiting' : 'none overdue'),
  ];
  const isStale = await hasUnparsed(database, at - OVERDUE_MS);
  checks.push(
    isStale
      ? warn('incoming mail', 'mail accepted minutes ago is not in its inbox yet', remedy)
      : ok('incoming mail', 'none left unread by the parser'),
  );
  return checks;
}

async function checkDatabase(deps: DoctorDeps): Promise<Check[]> {
  const path = fileOf(deps);
  const name = 'database';
  if (path !== null && !existsSync(path))
    return [
      warn(name, `${path} does not exist yet`, 'signet serve or signet migrate creates it'),
      checkKeptMail(deps, 0),
    ];
  const where = path ?? 'the PostgreSQL server';
  let database: Database | undefined;
  try {
    database = openDatabase(deps);
    await database.ping();
    const { missing, unknown } = await compareSchema(database, deps.migrations);
    if (missing.length > 0)
      return [fail(name, `the schema lacks ${missing.join(', ')}`, 'Run signet migrate, or start signet serve')];
    const schema =
      unknown.length > 0
        ? warn(name, `the schema has ${unknown.join(', ')}, which this version does not know`, 'Run the newer version')
        : ok(name, `${where} answers; the schema is up to date (${deps.migrations.at(-1)})`);
    const stored = path === null ? await checkServer(database, deps.now()) : checkSqliteFile(path);
    const keys = checkMasterKey(await deps.examineSecrets(database));
    const mail = [await checkReserved(deps, database), checkKeptMail(deps, await countRoleMails(database))];
    return [schema, ...stored, ...keys, ...(await checkBacklog(deps, database)), ...mail];
  } catch (err) {
    const remedy = path === null ? 'Check DATABASE_URL. Is the server running?' : 'Check DATA_DIR';
    return [fail(name, `${where} does not answer: ${messageOf(err)}`, remedy)];
  } finally {
    await database?.close().catch(() => {});
  }
}

async function checkApi({ host, port, version }: DoctorDeps): Promise<{ checks: Check[]; isRunning: boolean }> {
  const name = 'api port';
  if (port === 0) return { checks: [ok(name, 'any free port (PORT=0)')], isRunning: false };
  const running = await healthRelease(host, port);
  if (running !== null) {
    const message = `signet ${running} answers on ${host}:${port}`;
    const same = running === version;
    return {
      isRunning: true,
      checks: [same ? ok(name, message) : warn(name, `${message}, but this is ${version}`, 'Restart the service')],
    };
  }
  return { checks: [listenCheck(name, host, port, 'PORT', await portState(host, port))], isRunning: false };
}

function listenCheck(name: string, host: string, port: number, variable: string, state: string): Check {
  const place = `${host}:${port}`;
  if (state === 'free') return ok(name, `${place} is free`);
  if (state === 'taken')
    return fail(name, `another program listens on ${place}`, `Stop it, or set ${variable} to another port`);
  if (state === 'forbidden')
    return fail(name, `this user may not listen on ${place}`, `Set ${variable} to 1024 or above, or grant the right`);
  return fail(name, `no program can listen on ${place}`, 'The host must be an address of this machine');
}

async function checkSmtp({ smtpHost: host, smtpPort: port }: DoctorDeps, isRunning: boolean): Promise<Check[]> {
  const name = 'smtp port';
  if (port === null) return [ok(name, 'off: the service receives no mail (SMTP_PORT=off)')];
  if (port === 0) return [ok(name, 'any free port (SMTP_PORT=0)')];
  const state = await portState(host, port);
  const place = `${host}:${port}`;
  if (state === 'free' && isRunning)
    return [fail(name, `the service runs, and nothing listens on ${place}`, 'Restart it with the right SMTP_PORT')];
  if (state !== 'taken' || !isRunning) return [listenCheck(name, host, port, 'SMTP_PORT', state)];
  const greeting = await greetingOf(host, port).catch(() => '');
  return greeting.startsWith('220')
    ? [ok(name, `${place} greets`)]
    : [
        fail(
          name,
          `another program listens on ${place} and does not speak SMTP`,
          'Stop that program, or set SMTP_PORT to another port',
        ),
      ];
}

/** The doors of mail programs. A door of TLS greets only after a handshake, so there a listener is all that is looked for. */
async function checkPrograms(deps: DoctorDeps, isRunning: boolean): Promise<Check[]> {
  const { imapHost, imapPort, imapsPort, submissionHost, submissionPort, submissionsPort } = deps;
  const doors = [
    ['imap port', 'IMAP_PORT', imapHost, imapPort, '* OK'],
    ['imaps port', 'IMAPS_PORT', imapHost, imapsPort, ''],
    ['submission port', 'SUBMISSION_PORT', submissionHost, submissionPort, '220'],
    ['submissions port', 'SUBMISSIONS_PORT', submissionHost, submissionsPort, ''],
  ] as const;
  const checks: Check[] = [];
  for (const [name, variable, host, port, greeting] of doors) {
    const state = port === null ? 'off' : port === 0 ? 'any' : await portState(host, port);
    const place = `${host}:${port}`;
    if (port === null) checks.push(ok(name, `off (${variable}=off)`));
    else if (state === 'any') checks.push(ok(name, `any free port (${variable}=0)`));
    else if (isRunning && state === 'free')
      checks.push(
        fail(name, `the service runs, and nothing listens on ${place}`, `Restart it with the right ${variable}`),
      );
    else if (state !== 'taken' || !isRunning) checks.push(listenCheck(name, host, port, variable, state));
    else {
      const heard = greeting === '' ? '' : await greetingOf(host, port).catch(() => '');
      checks.push(
        heard.startsWith(greeting)
          ? ok(name, `${place} answers`)
          : fail(name, `another program listens on ${place}`, `Stop it, or set ${variable} to another port`),
      );
    }
  }
  return checks;
}

/** Connects to the relay without sending anything. */
async function checkRelay({ smtpRelayUrl, delivery, dataDir }: DoctorDeps): Promise<Check[]> {
  const name = 'mail relay';
  if (delivery === 'direct') return [ok(name, 'none: mail goes to the servers of its recipients')];
  if (smtpRelayUrl === null)
    return [
      warn(
        name,
        `none: mail for others is kept in ${join(dataDir, 'outbox')}`,
        'Set SMTP_RELAY_URL to send it, or DELIVERY=direct',
      ),
    ];
  const { hostname, port, protocol } = new URL(smtpRelayUrl);
  const isTls = protocol === 'smtps:';
  const number = port === '' ? (isTls ? 465 : 587) : Number(port);
  const place = `${hostname}:${number}`;
  try {
    const greeting = await greetingOf(hostname.replace(/^\[|\]$/g, ''), number);
    // With smtps the client sends first.
    if (isTls || greeting.startsWith('220')) return [ok(name, `${place} answers`)];
    return [warn(name, `${place} answers without an SMTP greeting`, 'Check host and port of SMTP_RELAY_URL')];
  } catch (err) {
    return [fail(name, `${place} does not answer: ${messageOf(err)}`, 'Check SMTP_RELAY_URL and the network')];
  }
}

/** Checks everything that the service depends on. Changes nothing. */
export async function examine(deps: DoctorDeps): Promise<Check[]> {
  const checks = [ok('config', 'the environment is valid')];
  for (const check of [checkDataDir, checkFiles, checkDisk, checkClock]) checks.push(...check(deps));
  checks.push(...(await checkDatabase(deps)));
  const api = await checkApi(deps);
  checks.push(
    ...api.checks,
    ...(await checkSmtp(deps, api.isRunning)),
    ...(await checkPrograms(deps, api.isRunning)),
    ...(await checkRelay(deps)),
  );
  return checks;
}

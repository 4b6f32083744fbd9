/**
 * The work tree beside another version of the service, in turns: `npm run bench -- versus REF`.
 *
 * docs/performance.md tells what is measured and what the verdicts mean.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createDatabase, type Postgres, startPostgres } from '../test/support/postgres.ts';
import { type Compared, compare, inTurns, remember, type Turns } from './rig/compared.ts';
import { httpRequest, runLoad } from './rig/load.ts';
import { startPeer } from './rig/peer-process.ts';
import { commitOf, ourReleases, type Release, releaseOf } from './rig/releases.ts';
import { RestingSide } from './rig/resting-side.ts';
import { median } from './rig/result.ts';
import { ACCOUNTS, CALLS, type CallName } from './rig/user-calls.ts';
import { newDataDir } from './rig/with-service.ts';

const FIRST = 'first';
const FIRST_CALLS = 2000;
/** A window takes longer than it must, because a side may grow faster. */
const SPARE = 1.2;
const BARE_ROUNDS = 5;

interface Settings extends Turns {
  calls: CallName[];
  /** Whether the first calls of a fresh process are measured. */
  first: boolean;
  ways: Release['ran'][];
  engine: 'sqlite' | 'postgres';
  /** Requests of each call before the first window. */
  warmUp: number;
  /** The least length of a window. */
  seconds: number;
}

/** What cannot be done, in words. */
export class Unusable extends Error {}

/** Those of a list that a variable of the environment names, by default all. */
function chosen<T extends string>(variable: string, all: readonly T[]): T[] {
  const names = process.env[variable]?.split(',') ?? all;
  const unknown = names.filter((name) => !(all as readonly string[]).includes(name));
  if (unknown.length > 0) throw new Unusable(`${variable} has ${unknown.join(', ')}; there are ${all.join(', ')}`);
  return all.filter((name) => names.includes(name));
}

function numberOf(variable: string, byDefault: number): number {
  const value = Number(process.env[variable] ?? byDefault);
  if (!(value > 0)) throw new Unusable(`${variable} must be a positive number`);
  return value;
}

const ALL = { warmUp: 20_000, seconds: 1, most: 40, within: 3 } as const;
const LEAST = 8;

function settingsOf(): Settings {
  const names = chosen('CALLS', [...(Object.keys(CALLS) as CallName[]), FIRST] as const);
  const ways = chosen('OURS', ['built', 'sources'] as const);
  const [engine = 'sqlite', ...more] = process.env.ENGINE ? chosen('ENGINE', ['sqlite', 'postgres'] as const) : [];
  if (more.length > 0) throw new Unusable('ENGINE is one of sqlite, postgres');
  const most = numberOf('PAIRS', ALL.most);
  return {
    calls: names.filter((name) => name !== FIRST),
    first: names.includes(FIRST),
    ways: ways.map((way) => (way === 'built' ? 'built' : 'from sources')),
    engine,
    warmUp: numberOf('WARM_UP', ALL.warmUp),
    seconds: numberOf('SECONDS', ALL.seconds),
    within: numberOf('WITHIN', ALL.within),
    most,
    least: Math.min(most, LEAST),
  };
}

/** A run with less than the rules ask for shows that the rig works, and counts for nothing. */
const isTry = ({ warmUp, seconds, least }: Settings): boolean =>
  warmUp < ALL.warmUp || seconds < ALL.seconds || least < LEAST;

type Say = (line: string) => void;

interface Run {
  sides: readonly RestingSide[];
  settings: Settings;
  say: Say;
}

/** Why a call has no ratio, or null. */
function unasked(sides: readonly RestingSide[], name: CallName): string | null {
  // The first side is theirs once more.
  const asked = sides.slice(1).map((side) => ({ name: side.name, answer: side.answers.get(name) as string }));
  const refusing = asked.find(({ answer }) => !answer.startsWith('2'));
  if (refusing) return `${refusing.name}: ${refusing.answer.slice(0, 100)}`;
  const answers = new Set(asked.map(({ answer }) => answer));
  return answers.size === 1 ? null : `statuses differ: ${[...answers].join(', ')}`;
}

const none = (call: string, verdict: string): Compared => ({
  call,
  ours: null,
  theirsMicros: null,
  oursMicros: null,
  ratio: null,
  same: null,
  verdict,
});

/** Every call on every side, so that V8 has seen all of them before the first window. */
async function warmUp({ sides, settings, say }: Run, names: readonly CallName[]): Promise<void> {
  for (const name of names) {
    for (const side of sides) await side.load(name, { requests: settings.warmUp });
    say(`${name}: ${settings.warmUp} requests on each side to warm up`);
  }
}

function told(rows: Compared[], say: Say): Compared[] {
  for (const { call, ours, ratio, verdict } of rows)
    say(`${call}, ours ${ours}: ${ratio?.ratio.toFixed(3)} x, ${verdict}`);
  return rows;
}

async function measureCall({ sides, settings, say }: Run, name: CallName): Promise<Compared[]> {
  const { title } = CALLS[name];
  let fastest = 0;
  for (const side of sides) {
    const { perSecond } = await side.load(name, { requests: Math.ceil(settings.warmUp / 4) });
    fastest = Math.max(fastest, perSecond);
  }
  const requests = Math.ceil((fastest * settings.seconds * SPARE) / ACCOUNTS) * ACCOUNTS;
  const micros = await inTurns(sides, async (side) => (await side.load(name, { requests })).cpuMicros, settings);
  return told(compare(title, micros, settings.ways, settings.within), say);
}

/** The first calls of fresh processes on the data that the others left. */
async function measureFirst({ sides, settings, say }: Run, names: readonly CallName[]): Promise<Compared[]> {
  const title = `first ${FIRST_CALLS.toLocaleString('en')} calls, kinds in turn: ${names.length}`;
  for (const side of sides) {
    await side.stop();
    side.mix(names);
    // The next ones find the caches that this one leaves.
    await side.first(FIRST_CALLS);
  }
  const micros = await inTurns(sides, async (side) => (await side.first(FIRST_CALLS)).cpuMicros, settings);
  return told(compare(title, micros, settings.ways, settings.within), say);
}

/** What any reply takes: the least of every call. */
async function measureBare(seconds: number): Promise<Compared> {
  const peer = await startPeer('bare-server.ts', { port: 0, headers: { 'content-length': '2' }, body: '{}' });
  try {
    const request = httpRequest('GET', '/', null);
    const load = { port: peer.port, connections: ACCOUNTS, seconds, next: () => request, pids: [peer.pid] };
    const micros: number[] = [];
    for (let round = 0; round < BARE_ROUNDS; round++) micros.push((await runLoad(load)).cpuMicros);
    // The first round warms it up.
    return { ...none('bare node:http, any reply', '-'), oursMicros: median(micros.slice(1)) };
  } finally {
    await peer.stop();
  }
}

async function measureAll(run: Run): Promise<Compared[]> {
  const { sides, settings, say } = run;
  for (const side of sides) {
    await side.start();
    await side.fill(settings.calls);
    say(`${side.name} is filled`);
  }
  const rows = [await measureBare(settings.seconds)];
  const reasons = new Map(settings.calls.map((name) => [name, unasked(sides, name)]));
  const names = settings.calls.filter((name) => reasons.get(name) === null);
  await warmUp(run, names);
  for (const name of settings.calls) {
    const reason = reasons.get(name);
    rows.push(...(reason ? [none(CALLS[name].title, reason)] : await measureCall(run, name)));
  }
  if (settings.first && names.length > 0) rows.push(...(await measureFirst(run, names)));
  return rows;
}

/** Runs `work` with sides on empty data: theirs once more, theirs, and ours in each way. */
async function withSides<T>(
  releases: readonly [name: string, release: Release][],
  engine: Settings['engine'],
  work: (sides: RestingSide[]) => Promise<T>,
): Promise<T> {
  const folder = newDataDir();
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  // Also after a signal: the data of a run is large.
  process.once('exit', remove);
  const postgres: Postgres | null = engine === 'postgres' ? await startPostgres({ durable: true }) : null;
  const sides: RestingSide[] = [];
  try {
    for (const [at, [name, release]] of releases.entries()) {
      const databaseUrl = postgres && (await createDatabase(postgres.url, `side_${at}`));
      sides.push(new RestingSide(name, release, { folder: join(folder, `${at}`), databaseUrl }));
    }
    return await work(sides);
  } finally {
    for (const side of sides) await side.stop();
    await postgres?.stop();
    remove();
  }
}

/** What a comparison shows. */
export interface Report {
  /** The versions, and how each ran. */
  about: string;
  rows: Compared[];
  /** Whether it may be kept: all calls, by all rules. */
  isWhole: boolean;
}

/** Compares the work tree with another version. @throws Unusable if there is no such version, or a setting is wrong */
export async function versus(ref: string | undefined, say: Say): Promise<Report> {
  if (ref === undefined) throw new Unusable('name a commit to compare with: npm run bench -- versus REF');
  const settings = settingsOf();
  const commit = commitOf(ref);
  if (commit === null) throw new Unusable(`this repository has no commit ${ref}; git fetch may bring it`);
  const theirs = releaseOf(commit, say);
  const ours = ourReleases(settings.ways);
  const short = commit.slice(0, 8);
  const about = `Theirs ${short}, ${theirs.ran}; ours ${ours.name}, ${settings.ways.join(' and ')}; ${settings.engine}; Node ${process.version} for all`;
  say(about);
  say(`all run on ${process.execPath}`);
  const releases: [string, Release][] = [
    ['theirs beside itself', theirs],
    ['theirs', theirs],
    ...ours.releases.map((release): [string, Release] => [`ours ${release.ran}`, release]),
  ];
  const rows = await withSides(releases, settings.engine, (sides) => measureAll({ sides, settings, say }));
  if (isTry(settings)) return { about: `A try, which counts for nothing. ${about}`, rows, isWhole: false };
  const of = [commit, ours.id, settings.engine, settings.within, process.version].join(' ');
  const day = new Date().toISOString().slice(0, 10);
  const isWhole = settings.first && settings.calls.length === Object.keys(CALLS).length && settings.ways.length === 2;
  return { about, rows: remember({ of, day, rows }), isWhole };
}

import { rmSync } from 'node:fs';
import type { Endpoint } from '../src/api/endpoint.ts';
import { send } from '../test/contract/contract-client.ts';
import { type Sample, sampleOf, wireOf } from '../test/contract/sample-requests.ts';
import { type Engine, startTestApp, type TestApp } from '../test/support/harness.ts';
import { NAMED_HOST } from '../test/support/passkeys.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { fillTables } from './rig/fill-tables.ts';
import { type Bench, milliseconds, type Row } from './rig/result.ts';
import { noteStatements, type StatementTimes } from './rig/statement-times.ts';

/** Copies of each row: more than a page, so that both sides answer with full pages. */
const FEW = 250;
/** A million when asked for by name: filling takes minutes. `SCALE=200000 npm run bench -- scale` for a quick look. */
const MANY = Number(process.env.SCALE ?? (process.argv.includes('scale') ? 1_000_000 : 100_000));
const REPEATS = 40;
/** Shown by themselves from here on. */
const SHOWN = 1.25;
/** How often a read above it is measured again. */
const AGAIN = 8;
/** What each list is asked for: less than there is on either side. */
const PAGE = 20;

interface Read {
  name: string;
  endpoint: Endpoint;
  sample: Sample;
}

/** Every endpoint that only reads, and ends. */
const readsOf = ({ app }: TestApp): Endpoint[] =>
  app.endpoints.filter(
    ({ method, effect, replies, path }) =>
      method === 'GET' &&
      effect === 'none' &&
      path.startsWith('/v1/') &&
      !(101 in replies) &&
      !/stream|wait|socket/.test(path),
  );

/** The sample of a list, asked for a page that is full on both sides. */
function fullPage(endpoint: Endpoint, sample: Sample): Sample {
  if (!endpoint.query?.properties.limit || /[?&]limit=/.test(sample.path)) return sample;
  return { ...sample, path: `${sample.path}${sample.path.includes('?') ? '&' : '?'}limit=${PAGE}` };
}

/** Calls every other endpoint once, so that most tables have rows, and makes a request for each that reads. */
async function prepare(t: TestApp): Promise<Read[]> {
  const reading = new Set(readsOf(t));
  for (const endpoint of t.app.endpoints.filter((one) => !reading.has(one) && one.path.startsWith('/v1/')))
    await send(t.baseUrl, wireOf(endpoint, await sampleOf(endpoint, t)));
  const reads: Read[] = [];
  for (const endpoint of reading)
    reads.push({
      name: `${endpoint.method} ${endpoint.path}`,
      endpoint,
      sample: fullPage(endpoint, await sampleOf(endpoint, t)),
    });
  await t.app.worker.runDue();
  return reads;
}

/** What a read took, and the statements that it gave to the database. */
interface Taken {
  ms: number;
  statements: StatementTimes;
}

/** The service closes connections that idle, as they do while the tables are filled in the same process. */
const sendAgain = (t: TestApp, read: Read) =>
  send(t.baseUrl, wireOf(read.endpoint, read.sample)).catch(() => send(t.baseUrl, wireOf(read.endpoint, read.sample)));

/** The shortest of many: other programs only make a request longer. Null if the request is refused. */
async function shortest(t: TestApp, read: Read): Promise<Taken | null> {
  const taken: Taken = { ms: Number.POSITIVE_INFINITY, statements: new Map() };
  let status = 0;
  await noteStatements(taken.statements, async () => {
    for (let n = 0; n < REPEATS && status < 400; n++) {
      const began = performance.now();
      ({ status } = await sendAgain(t, read));
      taken.ms = Math.min(taken.ms, performance.now() - began);
    }
  });
  return status < 400 ? taken : null;
}

async function measureAll(t: TestApp, reads: readonly Read[]): Promise<Map<Read, Taken>> {
  const taken = new Map<Read, Taken>();
  for (const read of reads) {
    // The first answers compile, and PostgreSQL decides on a plan.
    await shortest(t, read);
    const best = await shortest(t, read);
    // What asks no table answers from memory, as the list of recent requests does.
    if (best && best.statements.size > 0) taken.set(read, best);
  }
  return taken;
}

interface Growth {
  read: Read;
  few: Taken;
  many: Taken;
  ratio: number;
}

/** Measures the ones that grew again: what grows stays above, what was disturbed does not. */
async function growthOf(t: TestApp, before: ReadonlyMap<Read, Taken>): Promise<Growth[]> {
  const after = await measureAll(t, [...before.keys()]);
  const grown: Growth[] = [];
  for (const [read, few] of before) {
    let many = after.get(read);
    for (let again = 0; many && many.ms / few.ms > SHOWN && again < AGAIN; again++) {
      const next = await shortest(t, read);
      if (next && next.ms < many.ms) many = next;
    }
    if (many) grown.push({ read, few, many, ratio: many.ms / few.ms });
  }
  return grown.sort((a, b) => b.ratio - a.ratio);
}

/** The statement that takes longer by most. */
function worstStatement({ few, many }: Growth): string {
  const added = [...many.statements].map(([text, ms]) => ({ text, ms, before: few.statements.get(text) ?? ms }));
  const worst = added.sort((a, b) => b.ms - b.before - (a.ms - a.before))[0];
  if (!worst || worst.ms - worst.before < 0.02) return '';
  return `; ${milliseconds(worst.before)} to ${milliseconds(worst.ms)} of it: ${worst.text}`;
}

const TABLE = /\b(?:from|join|into|update) "?(\w+)"?/gi;

/** The tables that reads look at. The others need no rows. */
const tablesOf = (taken: Iterable<Taken>): Set<string> =>
  new Set(
    [...taken].flatMap(({ statements }) =>
      [...statements.keys()].flatMap((text) => [...text.matchAll(TABLE)].map(([, name]) => name as string)),
    ),
  );

const smallOf = (filled: ReadonlyMap<string, string>): string =>
  [...filled].flatMap(([name, rows]) => (Number.parseInt(rows, 10) < MANY / 2 ? `${name} ${rows}` : [])).join(', ');

async function compare(engine: Engine, say: (line: string) => void): Promise<Row[]> {
  const t = await startTestApp(engine, { ...NAMED_HOST, checkReplies: false });
  try {
    const reads = await prepare(t);
    await fillTables(t.config, { from: 1, copies: FEW });
    const few = await measureAll(t, reads);
    const began = performance.now();
    const filled = await fillTables(t.config, { from: FEW + 1, rows: MANY, only: tablesOf(few.values()) });
    say(`${engine}: ${filled.size} tables filled in ${((performance.now() - began) / 1000).toFixed(0)} s`);
    const grown = await growthOf(t, few);
    for (const growth of grown.filter((one, n) => n < 3 || one.ratio > SHOWN)) {
      const { read, ratio, few: before, many } = growth;
      const times = `${milliseconds(before.ms)} with few rows, ${milliseconds(many.ms)} with many`;
      say(`${engine}: ${read.name}: ${ratio.toFixed(2)} x, ${times}${worstStatement(growth)}`);
    }
    say(`${engine}: ${grown.length} of ${reads.length} reads compared; these tables stayed small: ${smallOf(filled)}`);
    return rowsOf(engine, grown);
  } finally {
    await t.app.stop();
    rmSync(t.config.dataDir, { recursive: true, force: true });
  }
}

function rowsOf(engine: Engine, grown: readonly Growth[]): Row[] {
  const above = grown.filter(({ ratio }) => ratio > SHOWN);
  const [worst] = grown;
  if (!worst) throw new Error(`${engine}: no read was compared`);
  return [
    {
      what: `${engine}: the read that grows most, with many rows in each table / ${FEW} of each`,
      ours: `${worst.read.name}, ${milliseconds(worst.many.ms)} at ${MANY.toLocaleString('en')} rows`,
      peer: milliseconds(worst.few.ms),
      ratio: worst.ratio,
      aim: `<= ${SHOWN} x`,
    },
    {
      what: `${engine}: reads above ${SHOWN} x`,
      ours: `${above.length} of ${grown.length}`,
      peer: null,
      ratio: null,
      aim: '0',
    },
  ];
}

export const bench: Bench = {
  question: `What does every read of the API cost with ${MANY} rows in each table, against ${FEW} of each kind?`,
  run: async (say) => {
    const postgres = await startPostgres();
    process.env.SIGNET_TEST_POSTGRES = postgres.url;
    try {
      const wanted = (['sqlite', 'postgres'] as const).filter((engine) => (process.env.SCALE_ON ?? engine) === engine);
      const rows: Row[] = [];
      for (const engine of wanted) rows.push(...(await compare(engine, say)));
      return rows;
    } finally {
      await postgres.stop();
    }
  },
};

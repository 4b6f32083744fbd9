import { rmSync } from 'node:fs';
import type { Endpoint } from '../src/kernel/endpoint.ts';
import { send } from '../test/contract/contract-client.ts';
import { type Sample, sampleOf, wireOf } from '../test/contract/sample-requests.ts';
import { type Engine, startTestApp, type TestApp } from '../test/support/harness.ts';
import { NAMED_HOST } from '../test/support/passkeys.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { fillTables } from './rig/fill-tables.ts';
import { type Bench, milliseconds, type Row } from './rig/result.ts';

/** Copies of each row: more than a page, so that both sides answer with full pages. */
const FEW = 250;
/** `SCALE=200000 npm run bench -- scale` for a quick look. */
const MANY = Number(process.env.SCALE ?? 1_000_000);
const REPEATS = 25;
/** Shown by themselves from here on. */
const SHOWN = 1.25;

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

/** Calls every other endpoint once, so that most tables have rows, and makes a request for each that reads. */
async function prepare(t: TestApp): Promise<Read[]> {
  const reading = new Set(readsOf(t));
  for (const endpoint of t.app.endpoints.filter((one) => !reading.has(one) && one.path.startsWith('/v1/')))
    await send(t.baseUrl, wireOf(endpoint, await sampleOf(endpoint, t)));
  const reads: Read[] = [];
  for (const endpoint of reading)
    reads.push({ name: `${endpoint.method} ${endpoint.path}`, endpoint, sample: await sampleOf(endpoint, t) });
  await t.app.worker.runDue();
  return reads;
}

/** The shortest of many: other programs only make a request longer. */
async function shortest(t: TestApp, { endpoint, sample }: Read): Promise<{ ms: number; status: number }> {
  let ms = Number.POSITIVE_INFINITY;
  let status = 0;
  for (let n = 0; n < REPEATS; n++) {
    const began = performance.now();
    ({ status } = await send(t.baseUrl, wireOf(endpoint, sample)));
    ms = Math.min(ms, performance.now() - began);
  }
  return { ms, status };
}

async function measureAll(t: TestApp, reads: readonly Read[]): Promise<Map<string, number>> {
  const times = new Map<string, number>();
  for (const read of reads) {
    const { ms, status } = await shortest(t, read);
    if (status < 400) times.set(read.name, ms);
  }
  return times;
}

const smallOf = (filled: ReadonlyMap<string, string>): string =>
  [...filled].flatMap(([name, rows]) => (Number.parseInt(rows, 10) < MANY / 2 ? `${name} ${rows}` : [])).join(', ');

async function compare(engine: Engine, say: (line: string) => void): Promise<Row> {
  const t = await startTestApp(engine, { ...NAMED_HOST, checkReplies: false });
  try {
    const reads = await prepare(t);
    await fillTables(t.config, { from: 1, copies: FEW });
    await measureAll(t, reads);
    const few = await measureAll(t, reads);
    const filled = await fillTables(t.config, { from: FEW + 1, rows: MANY });
    const many = await measureAll(t, reads);
    const ratios = [...few].flatMap(([name, ms]) => {
      const large = many.get(name);
      return large === undefined ? [] : [{ name, ms, large, ratio: large / ms }];
    });
    ratios.sort((a, b) => b.ratio - a.ratio);
    for (const { name, ms, large, ratio } of ratios.filter((one, n) => n < 3 || one.ratio > SHOWN))
      say(
        `${engine}: ${name}: ${ratio.toFixed(2)} x, ${milliseconds(ms)} with few rows, ${milliseconds(large)} with many`,
      );
    say(
      `${engine}: ${ratios.length} of ${reads.length} reads compared; of ${filled.size} tables these stayed small: ${smallOf(filled)}`,
    );
    const worst = ratios[0];
    return {
      what: `${engine}: the slowest of ${ratios.length} reads at ${MANY} rows in each table / at ${FEW} of each`,
      ours: worst ? `${worst.name}, ${milliseconds(worst.large)}` : '-',
      peer: worst ? milliseconds(worst.ms) : null,
      ratio: worst?.ratio ?? null,
      aim: `<= ${SHOWN} x`,
    };
  } finally {
    await t.app.stop();
    rmSync(t.config.dataDir, { recursive: true, force: true });
  }
}

export const bench: Bench = {
  question: `What does every read of the API cost with ${MANY} rows in each table, against ${FEW} of each kind?`,
  run: async (say) => {
    const postgres = await startPostgres();
    process.env.SIGNET_TEST_POSTGRES = postgres.url;
    try {
      return [await compare('sqlite', say), await compare('postgres', say)];
    } finally {
      await postgres.stop();
    }
  },
};

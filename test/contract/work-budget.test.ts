import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../support/harness.ts';
import { NAMED_HOST } from '../support/passkeys.ts';
import { settle } from './contract-snapshot.ts';
import { nameOf, requireSuccess, sampleOf, sendSample } from './sample-requests.ts';
import { measured, type Work } from './work-meter.ts';

/**
 * What each endpoint costs where it does not depend on the machine: statements, waits for the database, rows written and
 * bytes of a JSON reply under `/v1`. SQLite shows it; PostgreSQL runs the same statements. A change that costs or saves one shows
 * here, and its commit says why. This writes the table anew:
 *
 *     SIGNET_WORK_BUDGET=write npm test -- work-budget
 */
const FILE = new URL('./work-budget.tsv', import.meta.url);

const COLUMNS = ['statements', 'waits', 'written', 'bytes'] as const;

/** The bytes of a reply, with every measured time as one digit. */
const bytesOf = (body: unknown): number =>
  JSON.stringify(body, (name, value) => (/(^|_)ms$/.test(name) && typeof value === 'number' ? 0 : value)).length;

/** A line for each endpoint, so that a difference names what changed. `-` stands for a reply whose size says nothing. */
const lineOf = (name: string, row: Work & { bytes: number | null }): string =>
  [name, ...COLUMNS.map((column) => row[column] ?? '-')].join('\t');

const REWRITE = 'If that is meant: SIGNET_WORK_BUDGET=write npm test -- work-budget; the commit says why.';

const NONE = COLUMNS.map(() => 'none');

/** What differs between two tables, for people: `GET /v1/usage: statements was 6, is 7`. */
function differencesOf(before: readonly string[], after: readonly string[]): string[] {
  const byName = (lines: readonly string[]) =>
    new Map(lines.map((line) => line.split('\t')).map(([name, ...counts]) => [name as string, counts]));
  const [was, is] = [byName(before), byName(after)];
  const found = [...new Set([...was.keys(), ...is.keys()])].flatMap((name) => {
    const [old, now] = [was.get(name) ?? NONE, is.get(name) ?? NONE];
    return COLUMNS.flatMap((column, i) =>
      old[i] === now[i] ? [] : [`  ${name}: ${column} was ${old[i]}, is ${now[i]}`],
    );
  });
  return found.length === 0 && before.join() !== after.join() ? ['  the order of the calls'] : found;
}

describe('the work of every endpoint', () => {
  let t: TestApp;
  before(async () => {
    t = await startTestApp('sqlite', NAMED_HOST);
  });
  after(() => t.stop());

  it('names each difference with the call, the count, what it was and what it is', () => {
    const before = ['endpoint\tstatements\twaits\twritten\tbytes', 'GET /a\t1\t1\t0\t-', 'GET /b\t2\t2\t0\t9'];
    assert.deepEqual(differencesOf(before, before), []);
    assert.deepEqual(differencesOf(before, [before[0] as string, 'GET /b\t3\t2\t0\t9', 'GET /c\t1\t1\t1\t-']), [
      ...COLUMNS.map((column, i) => `  GET /a: ${column} was ${['1', '1', '0', '-'][i]}, is none`),
      '  GET /b: statements was 2, is 3',
      ...COLUMNS.map((column, i) => `  GET /c: ${column} was none, is ${['1', '1', '1', '-'][i]}`),
    ]);
  });

  it('is what the committed table says', async (test) => {
    const rows = new Map<string, Work & { bytes: number | null }>();
    for (const endpoint of t.app.endpoints) {
      const sample = await sampleOf(endpoint, t);
      // What the preparation left to do is done, and known, before the request is measured: else it depends on the time.
      t.app.database.pollForeignWrites();
      await settle(t);
      const { reply, work } = await measured(() => sendSample(t, endpoint, sample));
      requireSuccess(endpoint, reply);
      // Documents about the API change with every word of it.
      const isCounted = endpoint.path.startsWith('/v1/') && typeof reply.body === 'object';
      rows.set(nameOf(endpoint), { ...work, bytes: isCounted ? bytesOf(reply.body) : null });
    }
    const sum = (column: keyof Work): number => [...rows.values()].reduce((total, row) => total + row[column], 0);
    test.diagnostic(
      `${rows.size} endpoints: ${sum('statements')} statements, ${sum('waits')} waits, ${sum('written')} rows`,
    );
    const lines = [['endpoint', ...COLUMNS].join('\t'), ...[...rows].map(([name, row]) => lineOf(name, row))];
    if (process.env.SIGNET_WORK_BUDGET === 'write') writeFileSync(FILE, `${lines.join('\n')}\n`);
    const differences = differencesOf(readFileSync(FILE, 'utf8').trimEnd().split('\n'), lines);
    assert.equal(differences.length, 0, `the work of calls differs:\n${differences.join('\n')}\n${REWRITE}`);
  });
});

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../support/harness.ts';
import { NAMED_HOST } from '../support/passkeys.ts';
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

describe('the work of every endpoint', () => {
  let t: TestApp;
  before(async () => {
    t = await startTestApp('sqlite', NAMED_HOST);
  });
  after(() => t.stop());

  it('is what the committed table says', async (test) => {
    const rows = new Map<string, Work & { bytes: number | null }>();
    for (const endpoint of t.app.endpoints) {
      const sample = await sampleOf(endpoint, t);
      // What the preparation woke is done before the request is measured.
      await t.app.worker.runDue();
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
    assert.deepEqual(lines, readFileSync(FILE, 'utf8').trimEnd().split('\n'));
  });
});

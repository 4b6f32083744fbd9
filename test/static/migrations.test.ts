import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { it } from 'node:test';

/** The last migration of an upgrade for which every instance is stopped. Those after it run beside the version before. */
const LAST_WITH_A_STOP = 91;
const TAKES_AWAY = /\bdrop\s+(table|column)\b|\brename\b/i;

it('after those of this upgrade, migrations only add: an older instance works on beside them', () => {
  const files = globSync(new URL('../../src/db/migrations/[0-9]*.ts', import.meta.url).pathname);
  const taking = files
    .filter((path) => TAKES_AWAY.test(readFileSync(path, 'utf8')))
    .map((path) => basename(path))
    .sort();
  // It recognizes those that do.
  assert.ok(taking.includes('0022-people.ts') && taking.includes('0040-webhooks-of-accounts.ts'));
  assert.deepEqual(
    taking.filter((name) => Number.parseInt(name, 10) > LAST_WITH_A_STOP),
    [],
  );
});

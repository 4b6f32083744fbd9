import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { it } from 'node:test';

/** A wait for a time that hopes, or a loop that watches a clock. Both depend on the machine's speed. */
const WAIT =
  /\bsleep\(|\bsetTimeout\b.*node:timers\/promises|\bwaitForTimeout\(|\bprocess\.uptime\(\)|setTimeout\((?:resolve|done)\b|\b(?:for|while) \(.*\b(?:(?:performance|Date)\.now|monotonicMs)\(\)/;

/** Milliseconds or memory that a test asserts. They belong in `npm run bench` or a long profile. */
const MEASURED =
  /\bassert\.ok\(.*(?:performance\.now\(\)|monotonicMs\(\)|\b(?:took|longest|elapsed)Ms\b|\brss\b|memoryUsage).* <=? /;

/** At the end of a line that must name a time: a peer that is slow on purpose, or a time-out of the service itself. */
const MEANT = '// the time itself is tested';

const refused = (line: string): boolean => (WAIT.test(line) || MEASURED.test(line)) && !line.endsWith(MEANT);

it('a test waits for what happened: no sleep and no clock poll outside `eventually`, nothing measured in time or memory', () => {
  const files = globSync(['src/**/*.test.ts', 'test/**/*.ts'], {
    exclude: ['test/long/**', 'test/static/waits.test.ts', 'test/support/eventually.ts'],
  });
  assert.ok(files.length > 300);
  const found = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, at) => (refused(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
  );
  assert.deepEqual(found, []);
  for (const wrong of [
    'await sleep(50);',
    "import { setTimeout as wait } from 'node:timers/promises';",
    'await page.waitForTimeout(100);',
    'for (const end = performance.now() + 5; performance.now() < end; ) look();',
    'await new Promise((resolve) => setTimeout(resolve, 10));',
    'assert.ok(tookMs < 50);',
    'assert.ok(later.rss - base.rss < 200e6);',
  ])
    assert.ok(refused(wrong), wrong);
  assert.ok(!refused(`await sleep(50); ${MEANT}`));
});

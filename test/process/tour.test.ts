import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { it } from 'node:test';
import { lasting, runTour } from './tour.ts';

/** A machine without one of these skips the tour with a message. CI has them all. */
const missing = ['bash', 'curl', 'openssl'].filter((tool) => spawnSync(tool, ['--version']).error);
const skip =
  missing.length > 0 ? `SKIPPED: there is no ${missing.join(', ')}, so nothing is shown about the README` : false;

it('the tour of the README: every command works and prints the documented output', { skip }, async () => {
  const { markdown, steps, outputs } = await runTour();
  for (const [n, { commands, output }] of steps.entries()) {
    if (!output) continue;
    const came = outputs[n] as string;
    assert.notEqual(came, '', `nothing came of what the tour shows output for:\n${commands}`);
    const shown = lasting(markdown.slice(output.start, output.end));
    assert.equal(lasting(came), shown, `npm run tour:update writes what came of:\n${commands}`);
  }
});

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { it } from 'node:test';
import { onEngines, startTestApp, type TestApp } from '../support/harness.ts';
import { NAMED_HOST } from '../support/passkeys.ts';
import { departures, linesOf, record } from './recorded-replies.ts';
import { nameOf, requireSuccess, sampleOf, sendSample } from './sample-requests.ts';

/**
 * The reply of every endpoint to its sample, as recorded: status, headers, fields and their order, and each value that is the same
 * on every service. A commit that changes a recording says why. This writes them anew:
 *
 *     SIGNET_REPLIES=write npm test -- replies
 */
const FILE = new URL('./replies.txt', import.meta.url);
const HEAD = '== ';

async function repliesOf(t: TestApp): Promise<Map<string, string[]>> {
  const replies = new Map<string, string[]>();
  for (const endpoint of t.app.endpoints) {
    const sample = await sampleOf(endpoint, t);
    // What the preparation woke is done before the request.
    await t.app.worker.runDue();
    await t.app.provided.audit.flush();
    const reply = await sendSample(t, endpoint, sample);
    requireSuccess(endpoint, reply);
    replies.set(nameOf(endpoint), linesOf(reply));
  }
  return replies;
}

/** Two more services show what differs between services. */
async function write(replies: Map<string, string[]>): Promise<void> {
  const all = [replies];
  while (all.length < 3) {
    const other = await startTestApp('sqlite', NAMED_HOST);
    all.push(await repliesOf(other));
    await other.stop();
  }
  const sections = [...replies.keys()].map((name) => [
    HEAD + name,
    ...record(all.map((one) => one.get(name) as string[])),
  ]);
  writeFileSync(FILE, `${sections.flat().join('\n')}\n`);
}

const readRecordings = (): Map<string, string[]> =>
  new Map(
    readFileSync(FILE, 'utf8')
      .slice(HEAD.length, -1)
      .split(`\n${HEAD}`)
      .map((section) => section.split('\n'))
      .map(([name, ...lines]) => [name as string, lines]),
  );

onEngines('any', 'the replies to the samples', NAMED_HOST, (suite) => {
  it('are as recorded, line by line', async () => {
    const replies = await repliesOf(suite.t);
    if (process.env.SIGNET_REPLIES === 'write') await write(replies);
    const recordings = readRecordings();
    assert.deepEqual([...replies.keys()].sort(), [...recordings.keys()].sort());
    const faults = [...replies].flatMap(([name, lines]) => {
      const found = departures(recordings.get(name) as string[], lines);
      return found.length > 0 ? [HEAD + name, ...found] : [];
    });
    assert.equal(faults.join('\n'), '', 'write them anew with SIGNET_REPLIES=write npm test -- replies');
  });
});

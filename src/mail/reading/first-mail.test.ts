import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { it } from 'node:test';

/** In a new process: what is compiled once must not be there yet. */
const SCRIPT = `
import { setImmediate as nextTurn } from 'node:timers/promises';
const { MimeParser } = await import(${JSON.stringify(new URL('mime-parser.ts', import.meta.url).href)});
const parser = new MimeParser();
// Of this thread: what others do on the machine does not count.
const busyMs = () => { const { user, system } = process.threadCpuUsage(); return (user + system) / 1000; };
let turns = 0, longestMs = 0, isOver = false;
const watch = async () => {
  for (let last = busyMs(); !isOver; turns += 1) {
    await nextTurn();
    const now = busyMs();
    longestMs = Math.max(longestMs, now - last);
    last = now;
  }
};
const watching = watch();
const read = async (text, html = null) => {
  [turns, longestMs] = [0, 0];
  const mail = { subject: 'Hello', text, html, from: null, replyTo: [], to: [], attachments: [] };
  const { findings } = await parser.readWritten(mail, { network: 'n', addresses: [] });
  await nextTurn();
  return { turns, longestMs, code: findings.code?.code };
};
const found = [];
for (const text of ['Your code is 482917.', 'Ваш код подтверждения: 482917', 'Ihr Bestätigungscode: 482917', 'Your code is 482917.'])
  found.push(await read(text));
isOver = true;
await watching;
await parser.close();
process.stdout.write(JSON.stringify(found));
`;

it('the first short mails of a process are read in turns, not at once', () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', SCRIPT], { encoding: 'utf8' });
  assert.notEqual(stdout, '', stderr);
  const found = JSON.parse(stdout) as { turns: number; longestMs: number; code: string }[];
  for (const { turns, longestMs, code } of found) {
    console.log(`a short mail is read in ${turns} turns, the longest ${longestMs.toFixed(1)} ms`);
    assert.equal(code, '482917');
  }
  const [ascii, other, third] = found.map(({ turns }) => turns) as [number, number, number];
  // Each table of words has a turn for either kind of string.
  assert.ok(ascii >= 20 && other >= 40, 'each expression is compiled in a turn of its own');
  assert.ok(third < 20, 'and once only');
});

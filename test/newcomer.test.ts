import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { itInAll } from './support/full-run.ts';
import { onEngines, type TestApp, tokenIn } from './support/harness.ts';
import { keepMailing } from './support/keep-mailing.ts';

/**
 * Someone who knows only the base URL: fetches /llms.txt and the skill, and runs every command in them, in order. The
 * test plays the rest of the world: it sends the mail that is waited for, and confirms as the operator.
 */

/** The commands of a page, by block. */
const blocksOf = (markdown: string): string[] =>
  [...markdown.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, commands = '']) => commands);

/** One bash for all blocks. curl fails for every 4xx and 5xx, so a refused call ends it. */
function openShell(cwd: string) {
  writeFileSync(join(cwd, '.curlrc'), 'fail-with-body\nno-progress-meter\nshow-error\n');
  const { PATH } = process.env;
  const shell = spawn('bash', ['--noprofile', '--norc'], { cwd, env: { PATH, CURL_HOME: cwd, HOME: cwd } });
  let output = '';
  let wake = (): void => {};
  const note = (text: string): void => {
    output += text;
    wake();
  };
  shell.stdout.setEncoding('utf8').on('data', note);
  let isOpen = true;
  shell.on('close', () => {
    isOpen = false;
    wake();
  });
  shell.stdin.write('set -euo pipefail\nexec 2>&1\n');
  return {
    /** @returns the output. @throws Error if a command failed */
    run: async (commands: string): Promise<string> => {
      const mark = `done-${Math.random()}`;
      output = '';
      shell.stdin.write(`${commands}\nprintf '%s' '${mark}'\n`);
      while (isOpen && !output.endsWith(mark))
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      if (!isOpen) throw new Error(`a command failed:\n${commands}\n${output}`);
      return output.slice(0, -mark.length);
    },
    close: () => void shell.stdin.end(),
  };
}

const confirmed = new Set<string>();

/** Confirms every address that was asked, once each. */
async function confirmAll(t: TestApp): Promise<void> {
  for (const mail of await t.outboxMails()) {
    if (!mail.includes('/confirm#token') || confirmed.has(mail)) continue;
    confirmed.add(mail);
    const done = await t.api().post('/v1/people/confirm', { token: tokenIn(mail), decision: 'confirm' });
    assert.equal(done.status, 200, done.text);
  }
}

async function runPage(t: TestApp, path: string): Promise<string> {
  const { text } = await t.api().get(path);
  const dir = mkdtempSync(join(tmpdir(), 'signet-newcomer-'));
  const shell = openShell(dir);
  let output = '';
  try {
    for (const commands of blocksOf(text)) {
      const me = /"addresses":\["([^"]+)"/.exec(output)?.[1];
      const stop = me !== undefined && commands.includes('wait=60') ? keepMailing(t, me) : async () => {};
      output += await shell.run(commands).finally(stop);
      await confirmAll(t);
    }
  } finally {
    shell.close();
    rmSync(dir, { recursive: true, force: true });
  }
  return output;
}

/** Ahead of the clock of this machine, which says where the commands wait from. */
const AHEAD = { startAt: Date.now() + 3_600_000, limits: { free: { emails_per_hour: 1000, emails_per_day: 1000 } } };

onEngines('any', 'a newcomer', AHEAD, (suite) => {
  it('does every everyday job with the commands of /llms.txt alone, and no call is refused', async () => {
    const output = await runPage(suite.t, '/llms.txt');
    for (const said of [
      /"addresses":\["my-agent/,
      /"status":"sent"/,
      /"body":"Are you there\?/,
      /"code":"482913"/,
      /"stored":true/,
      /s3cret/,
      /"amount_usdc_display":"3\.00"/,
      /"approval_id":"apr_/,
      /"status":"pending"/,
      /"user_code":"/,
      /"authorization_pending"/,
      /"token":"ey/,
      /"event_id":"evt_/,
      /"topic":"api\.latency"/,
      /"type":"email\.received"/,
      /"action":"charge\.made"/,
    ])
      assert.match(output, said);
  });

  // It shows the same commands.
  itInAll('does them with the skill too', async () => {
    assert.match(await runPage(suite.t, '/skill.md'), /"action":"charge\.made"/);
  });
});

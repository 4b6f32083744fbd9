/**
 * Runs the shell commands of the pages in `docs/`, block by block, each page in one bash against a service of its own, and
 * then the programs of the page. A call may be refused only where the page shows the refusal, and a reply has the fields that
 * the page shows below it: all of them, unless the page leaves some out by three dots.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createTestDns } from '../support/dns.ts';
import { programsOf } from '../support/doc-programs.ts';
import { openShell, type Shell } from '../support/doc-shell.ts';
import { IS_FULL_RUN } from '../support/full-run.ts';
import { startTestApp, type TestApp, type TestAppOptions, tokenIn } from '../support/harness.ts';
import { mcpClient } from '../support/mcp.ts';
import { followLink, loginLinks, twoAgents } from '../support/operators.ts';
import { PROGRAMS } from './docs-programs.ts';
import { requireShownReplies } from './docs-replies.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const missing = ['bash', 'curl', 'jq', 'openssl'].filter((tool) => spawnSync(tool, ['--version']).error);
const skip = missing.length > 0 ? `SKIPPED: there is no ${missing.join(', ')}` : false;

/** Pages whose commands another test runs. */
const ELSEWHERE: Record<string, string> = {
  'backup.md': 'test/process/restore.test.ts',
  'cli.md': 'test/process/agent-cli.test.ts',
  'client.md': 'test/process/client-package.test.ts',
  'delegation.md': 'test/process/delegation-page.test.ts',
  'frameworks.md': 'test/process/frameworks.test.ts',
  'go-live.md': 'test/process/go-live.test.ts',
  'oauth.md': 'test/process/oauth-page.test.ts',
  'python.md': 'test/process/python-client.test.ts',
  'quickstart-python.md': 'test/process/python-client.test.ts',
  'quickstart-terminal.md': 'test/process/agent-cli.test.ts',
};

/** Pages whose programs another test runs, or why there is none to run. */
const PROGRAMS_ELSEWHERE: Record<string, string> = {
  'client.md': 'test/process/client-package.test.ts',
  'frameworks.md': 'test/process/frameworks.test.ts',
  'passkeys.md': 'test/process/passkeys.test.ts',
  'payments.md': 'src/features/service/payments/chain.test.ts',
  'python.md': 'test/process/python-client.test.ts',
  'quickstart-python.md': 'test/process/python-client.test.ts',
};

/** How many programs a page has. A new one belongs in the test that runs those of its page, and then here. */
const PROGRAM_COUNTS: Record<string, number> = {
  'architecture.md': 1,
  'audit.md': 2,
  'client.md': 11,
  'credentials.md': 2,
  'events.md': 1,
  'findings.md': 1,
  'frameworks.md': 4,
  'mail-programs.md': 3,
  'passkeys.md': 2,
  'payments.md': 1,
  'python.md': 1,
  'quickstart-python.md': 1,
  'tokens.md': 1,
  'webhooks.md': 3,
};

/** It shows the shape of a file of this repository, with three dots where its content is. */
const SKETCHED = 'architecture.md';

/** Blocks that no test runs: the page, the start of the block, and why. */
const NOT_RUN: [page: string, start: string, why: string][] = [
  ['errors-and-limits.md', 'LIMITS=', 'starts another service on fixed ports'],
  ['operator.md', 'curl -s http://127.0.0.1:8788/admin', 'reads the folder of a service that runs on fixed ports'],
  ['operator.md', 'signet audit verify', 'names an account of the page; audit-verify.test.ts runs the command'],
  ['payments.md', 'npm install', 'needs the network'],
  ['performance.md', 'npm run bench', 'measures for twelve minutes'],
  ['performance.md', 'SIGNET_WORK_BUDGET=', 'changes a file of the repository'],
  ['vault.md', "python3 -c '", 'needs the package cryptography of Python'],
];

/** Blocks below which the page shows what its commands give at another time. */
const OTHER_REPLY: [page: string, start: string, why: string][] = [
  ['credentials.md', 'DEVICE=', 'the operator has approved; here the request waits'],
  ['mail.md', 'THREAD=', 'the newest conversation is another one here'],
];

interface Block {
  commands: string;
  /** A pattern for each refusal that the page shows, such as `409` or `4..`. */
  refusals: string[];
  /** What the page shows below the commands. */
  shown: string;
}

/** The shell blocks of a page, with the refusals that a comment in the block or the output below it shows. */
function blocksOf(page: string): Block[] {
  const fences = page.matchAll(/^```sh\n([\s\S]*?)^```\n(?:\n?```(?:json|http|text)\n([\s\S]*?)^```$)?/gm);
  return [...fences].map(([, commands = '', output = '']) => {
    const said = [...commands.matchAll(/# ([45]\d\d)\b/g), ...output.matchAll(/^HTTP\/1\.1 ([45]\d\d)\b/gm)];
    const refusals = said.map(([, status = '']) => status);
    return { commands, shown: output, refusals: /^\{\s*"error":/.test(output) ? ['4..'] : refusals };
  });
}

interface World {
  t: TestApp;
  shell: Shell;
  cwd: string;
}

const dns = createTestDns();

/** What has to be there before a block: the page says so, or somebody else does it. */
const BEFORE: [page: string, start: string, prepare: (world: World) => Promise<void>][] = [
  [
    'events.md',
    'curl -s "$SIGNET/v1/events?type=email.received&wait=60',
    async ({ t, shell }) => t.sendSmtp({ to: await shell.run('printf %s "$ADDRESS"') }),
  ],
  [
    'stacks.md',
    'STACK=',
    async ({ cwd }) => {
      const { records } = JSON.parse(readFileSync(join(cwd, 'stack.json'), 'utf8'));
      for (const { type, name, value } of records) dns.set(type, name, value);
    },
  ],
  [
    'quickstart-operator.md',
    'curl -s -X PUT "$SIGNET/v1/budget"',
    async ({ t, shell }) => {
      const asked = (await t.outboxMails()).findLast((mail) => mail.includes('/confirm#token'));
      await t.api().post('/v1/people/confirm', { token: tokenIn(asked ?? ''), decision: 'confirm' });
      const [link] = await loginLinks(t, 'boss@example.com');
      await shell.run(`SESSION=${await followLink(t, link as string)}`);
    },
  ],
  [
    'errors-and-limits.md',
    'curl -s -i -X POST "$SIGNET/v1/email/send"',
    async ({ t, shell }) => {
      const api = t.api(await shell.run('printf %s "$KEY"'));
      const mail = { from: 'research', to: 'research@agents.localhost', subject: 'One', text: 'please' };
      for (let sent = 0; sent < 10; sent++) assert.equal((await api.post('/v1/email/send', mail)).status, 201);
    },
  ],
  [
    'errors-and-limits.md',
    'curl -s -i -X POST "$SIGNET/v1/auth/keys"\n',
    async ({ t }) => {
      for (let made = 1; made < 5; made++) await t.createAccount();
    },
  ],
];

/** What the last commands of a quickstart give: its first result. */
const FIRST_RESULTS: Record<string, RegExp> = {
  'quickstart-agent.md': /^482913$/m,
  'quickstart-mcp.md': /my-model\S*@agents\.localhost/,
  'quickstart-operator.md': /"status":"(approved|completed)"/,
};

const OPTIONS: Record<string, TestAppOptions> = {
  'errors-and-limits.md': { defaultLimits: true },
  'stacks.md': { resolveDns: dns.resolve },
};

const isAt =
  (page: string, { commands }: Block) =>
  ([of, start]: readonly [string, string, unknown]): boolean =>
    of === page && commands.startsWith(start);

/** @returns what its commands printed */
async function runBlock(page: string, block: Block, world: World): Promise<string> {
  const { t, shell } = world;
  await BEFORE.find(isAt(page, block))?.[2](world);
  // The page waits a second for a mail. Here it is written before the next command.
  let output = '';
  for (const commands of block.commands.split(/^sleep \d.*$/m)) {
    output += await shell.run(commands.replace(/--max-time 10\b/, '--max-time 0.5'));
    await t.outboxMails();
  }
  // What is made in the same millisecond has no order.
  t.clock.advance(1000);
  const refused = shell.statuses().filter((status) => status >= '400');
  const isShown = refused.length === block.refusals.length && block.refusals.every((p, i) => refused[i]?.match(p));
  assert.ok(
    isShown,
    `${page} shows ${block.refusals.join() || 'no refusal'}, got ${refused.join()}:\n${block.commands}`,
  );
  if (OTHER_REPLY.some(isAt(page, block))) return output;
  try {
    requireShownReplies(block.shown, output);
    return output;
  } catch (err) {
    throw new Error(`${page}: ${(err as Error).message}\n${block.commands}`, { cause: err });
  }
}

/** Connects as a host does, with the address and the headers of the file. */
async function connectHost(file: string): Promise<void> {
  const { url, headers } = JSON.parse(readFileSync(file, 'utf8')).mcpServers.signet;
  const { origin, pathname: path } = new URL(url);
  const host = mcpClient({ baseUrl: origin }, headers.Authorization.replace('Bearer ', ''), { path });
  assert.ok((await host.names()).includes('whoami'));
}

/** Noon of a Wednesday, far from the edges of a day, and later than the times in the pages that lie in the past. */
const AFTER_THE_EXAMPLES = Date.UTC(2026, 5, 3, 12);

async function runPage(page: string): Promise<void> {
  const t = await startTestApp('sqlite', { startAt: AFTER_THE_EXAMPLES, ...OPTIONS[page] });
  const cwd = mkdtempSync(join(tmpdir(), 'signet-page-'));
  const { imap, submission } = t.app.programPorts;
  const env = {
    SIGNET: t.baseUrl,
    SMTP: `smtp://127.0.0.1:${t.app.smtpPort}`,
    IMAP: `imap://127.0.0.1:${imap}`,
    SUBMISSION: `smtp://127.0.0.1:${submission}`,
    DATA_DIR: t.config.dataDir,
  };
  const session = page === 'operators.md' ? { SESSION: (await twoAgents(t)).token } : {};
  const shell = openShell(cwd, { ...env, ...session });
  try {
    let last = '';
    for (const block of blocksOf(readFileSync(join(root, 'docs', page), 'utf8')))
      if (!NOT_RUN.some(isAt(page, block))) last = await runBlock(page, block, { t, shell, cwd });
    assert.match(last, FIRST_RESULTS[page] ?? /(?:)/);
    if (page === 'quickstart-mcp.md') await connectHost(join(cwd, 'mcp.json'));
    if (IS_FULL_RUN) await PROGRAMS[page]?.({ t, cwd, variable: (name) => shell.run(`printf %s "$${name}"`) });
  } finally {
    shell.close();
    rmSync(cwd, { recursive: true, force: true });
    await t.stop();
  }
}

const pages = readdirSync(join(root, 'docs')).filter((page) => page.endsWith('.md'));
const blocks = new Map(pages.map((page) => [page, blocksOf(readFileSync(join(root, 'docs', page), 'utf8'))]));
const isRun = (page: string): boolean =>
  !(page in ELSEWHERE) && (blocks.get(page) ?? []).some((block) => !NOT_RUN.some(isAt(page, block)));

describe('the commands of the docs', { concurrency: 3 }, () => {
  it('are all run, but for those of a list', () => {
    for (const [page, test] of Object.entries(ELSEWHERE))
      assert.ok(
        blocks.has(page) && readFileSync(join(root, test), 'utf8').includes(`docs/${page}`),
        `${test}: ${page}`,
      );
    for (const [page, start] of [...NOT_RUN, ...OTHER_REPLY, ...BEFORE])
      assert.ok(
        blocks.get(page)?.some((block) => block.commands.startsWith(start)),
        `${page} has no block that starts with ${start}`,
      );
    assert.ok(pages.filter(isRun).length > 15);
  });

  it('are programs that a test runs, too', () => {
    const programs = (page: string): number =>
      ['js', 'ts', 'typescript', 'python'].flatMap((language) => programsOf(`docs/${page}`, language)).length;
    const known = [...Object.keys(PROGRAMS), ...Object.keys(PROGRAMS_ELSEWHERE), SKETCHED].sort();
    const counts = pages.map((page): [string, number] => [page, programs(page)]).filter(([, count]) => count > 0);
    assert.deepEqual(Object.fromEntries(counts), PROGRAM_COUNTS);
    assert.deepEqual(Object.keys(PROGRAM_COUNTS).sort(), known);
    for (const page of Object.keys(PROGRAMS)) assert.ok(isRun(page), page);
    for (const [page, test] of Object.entries(PROGRAMS_ELSEWHERE))
      assert.ok(readFileSync(join(root, test), 'utf8').includes(`docs/${page}`), `${test}: ${page}`);
  });

  for (const page of pages.filter(isRun)) it(`docs/${page}`, { skip }, () => runPage(page));
});

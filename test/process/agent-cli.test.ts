import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { newId } from '../../src/base/ids.ts';
import { agentProgram } from '../../src/cli/agent/agent-cli.ts';
import { type Leaf, leavesOf } from '../../src/cli/command-tree.ts';
import { readConfig } from '../../src/config/service-config.ts';
import { eventually } from '../support/eventually.ts';
import { itInAll } from '../support/full-run.ts';
import { runSql } from '../support/harness.ts';
import { COMMAND_JOBS, CommandLineAgent, startReceiver } from './command-jobs.ts';
import { type Env, hosted, type Run, root, signet, signetAlone, succeeds } from './command-line.ts';
import { commandSamples } from './command-samples.ts';
import { JOB_NAMES } from './job-names.ts';
import { ROOMY_LIMITS, type Service, startService } from './service.ts';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** What the agents' commands do against a running service, with nothing but the command line. */
describe('signet for agents', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signet-agent-'));
  let service: Service;
  let env: Env;
  before(async () => {
    service = await startService({ DATA_DIR: join(folder, 'data'), LIMITS: ROOMY_LIMITS });
    env = { XDG_CONFIG_HOME: join(folder, 'config'), SIGNET_URL: service.baseUrl };
  });
  after(async () => {
    await service?.kill('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  });

  const keyOfLogin = (): string => JSON.parse(readFileSync(join(folder, 'config/signet/login.json'), 'utf8')).key;
  const json = async (...args: string[]) => (await succeeds(env, ...args, '--json')).json();
  const fails = async (code: number, said: RegExp, ...args: string[]): Promise<Run> => {
    const run = await signet(env, ...args);
    assert.equal(run.code, code, `${args.join(' ')}: ${run.stdout}${run.stderr}`);
    assert.match(run.stderr, said);
    return run;
  };

  it('registers and keeps the key in a file of its owner', async () => {
    await fails(3, /signet login or signet register/, 'whoami');
    const account = await json('register', '--name', 'ada');
    assert.equal(account.email, 'ada@agents.localhost');
    assert.equal(statSync(join(folder, 'config/signet/login.json')).mode & 0o777, 0o600);
    assert.equal((await json('whoami')).id, account.account_id);
    await fails(2, /--replace/, 'register', '--name', 'other');
    // A key on a terminal or in a log is soon elsewhere.
    assert.equal(account.api_key, undefined);
    assert.equal((await json('login', '--key', keyOfLogin())).account_id, account.account_id);
  });

  it('registers nothing when it could not keep the key', async () => {
    const broken = { ...env, XDG_CONFIG_HOME: join(folder, 'config/signet/login.json') };
    assert.equal((await signet(broken, 'register', '--name', 'writer')).code, 1);
    const good = { ...env, XDG_CONFIG_HOME: join(folder, 'writer') };
    assert.match((await succeeds(good, 'register', '--name', 'writer')).stdout, /^writer@agents\.localhost\n/);
  });

  it('sends the key of the environment to its own service alone', async () => {
    const keyed: Env = { ...env, SIGNET_KEY: keyOfLogin(), XDG_CONFIG_HOME: join(folder, 'keyed') };
    const other = await signet(keyed, 'login', '--url', 'http://127.0.0.1:1');
    assert.equal(other.code, 2, other.stderr);
    assert.equal((await signet(keyed, 'login', '--url', `${service.baseUrl}/`)).code, 0);
    // Without SIGNET_URL it is for the local service, not for that of the login.
    const { SIGNET_URL: _, ...unnamed } = keyed;
    assert.notEqual((await signet(unnamed, 'whoami')).code, 0);
    const { SIGNET_KEY: __, ...loggedIn } = unnamed;
    assert.equal((await signet(loggedIn, 'whoami')).code, 0);
  });

  it('A10 webhook listen shows no control character of an event', async () => {
    const event = JSON.stringify({ id: 'evt_\u009b2J', type: 'email.received', created_at: '', data: {} });
    const hostile = createServer((request, response) => {
      if (request.method === 'POST') response.writeHead(204).end();
      else response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`data: ${event}\n\n`);
    });
    await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(hostile.address() as AddressInfo).port}`;
    const keyed: Env = { XDG_CONFIG_HOME: join(folder, 'hostile'), SIGNET_URL: url, SIGNET_KEY: 'signet_key_x' };
    const { code, stdout, stderr } = await hosted(keyed, ['webhook', 'listen', '--forward', url, '--limit', '1']);
    hostile.closeAllConnections();
    hostile.close();
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^ok +204 +email\.received +evt_\ufffd2J$/m);
    assert.ok(!`${stdout}${stderr}`.includes('\u009b'));
  });

  it('works with a key that may not read its account', async () => {
    const owner = { ...env, XDG_CONFIG_HOME: join(folder, 'writer') };
    const scopes = ['--scopes', 'vault:read', '--scopes', 'vault:write'];
    const { api_key: key } = (await succeeds(owner, 'call', 'createNamedKey', '--name', 'vaulter', ...scopes)).json();
    const named = { ...env, XDG_CONFIG_HOME: join(folder, 'named') };
    await succeeds(named, 'login', '--key', key);
    assert.equal((await signet(named, 'secret', 'put', 'first', 'x')).code, 0);
    assert.equal((await succeeds(named, 'secret', 'get', 'first')).stdout, 'x\n');
    assert.ok(readdirSync(join(folder, 'named/signet')).some((name) => /^seed-key-[0-9a-f]{16}$/.test(name)));
  });

  it('sends, lists, reads and answers mail', async () => {
    const to = 'ada@agents.localhost';
    await succeeds(env, 'mail', 'send', '--to', to, '--subject', 'Plan', '--text', 'See you at ten.');
    const { messages } = await json('mail', 'list', '--unread');
    assert.deepEqual([messages.length, messages[0].subject], [1, 'Plan']);
    const read = await succeeds(env, 'mail', 'read', messages[0].message_id);
    assert.match(read.stdout, /Subject: Plan\n[\s\S]*\nSee you at ten\.\n$/);
    await succeeds(env, 'mail', 'reply', messages[0].message_id, '--text', 'Yes.');
    assert.equal((await json('mail', 'list', '--search', 'Yes')).messages[0].subject, 'Re: Plan');
  });

  it('waits for a code and prints it alone', async () => {
    const start = new Date().toISOString();
    await fails(1, /no code came/, 'mail', 'wait', '--code', '--seconds', '1');
    const text = 'Your verification code is 482913.';
    await succeeds(env, 'mail', 'send', '--to', 'ada@agents.localhost', '--subject', 'Sign in', '--text', text);
    const waited = await succeeds(env, 'mail', 'wait', '--code', '--subject', 'sign', '--after', start);
    assert.equal(waited.stdout, '482913\n');
  });

  it('seals secrets on this machine, with a seed in a file of its owner', async () => {
    await succeeds(env, 'whoami');
    const first = await signet(env, 'secret', 'put', 'db-password', 'correct horse');
    assert.equal(first.code, 0, first.stderr);
    assert.match(first.stderr, /made a seed: (\S+);/);
    const seeds = readdirSync(join(folder, 'config/signet')).filter((name) => name.startsWith('seed-'));
    assert.equal(statSync(join(folder, 'config/signet', seeds[0] as string)).mode & 0o777, 0o600);
    assert.equal((await succeeds(env, 'secret', 'get', 'db-password')).stdout, 'correct horse\n');
    // Of commands that note a version at a time, none is lost.
    const stored = await Promise.all(
      ['one', 'two', 'three'].map((name) => signetAlone(env, 'secret', 'put', name, 'x')),
    );
    assert.deepEqual(
      stored.map(({ code }) => code),
      [0, 0, 0],
    );
    const [versions = ''] = readdirSync(join(folder, 'config/signet')).filter((name) => /^versions-.*json$/.test(name));
    const noted = JSON.parse(readFileSync(join(folder, 'config/signet', versions), 'utf8'));
    assert.deepEqual(noted, { 'db-password': 1, one: 1, two: 1, three: 1 });
    for (const name of ['one', 'two', 'three']) await succeeds(env, 'call', 'deleteVaultEntry', '--key', name);
    assert.deepEqual(
      (await json('secret', 'list')).keys.map(({ key }: { key: string }) => key),
      ['db-password'],
    );
    const sealed = await succeeds(env, 'call', 'getVaultEntry', '--key', 'db-password');
    assert.doesNotMatch(sealed.stdout, /correct/);
    // Elsewhere, without the seed: nothing is sealed with another one.
    const { key } = (await import(join(folder, 'config/signet/login.json'), { with: { type: 'json' } })).default;
    const elsewhere = await signet(
      { ...env, XDG_CONFIG_HOME: join(folder, 'other'), SIGNET_KEY: key },
      'secret',
      'put',
      'a',
      'b',
    );
    assert.equal(elsewhere.code, 2);
    assert.match(elsewhere.stderr, /SIGNET_SEED/);
  });

  it('charges USDC with a point, asks a person over the limit, and waits for the decision', async () => {
    for (const amount of ['3', '3.', '.5', '3.0000001', '-1.00', '0.00', '3,00'])
      await fails(2, /signet: /, 'charge', amount);
    await succeeds(env, 'budget', '--daily', '5.00', '--on-limit', 'approve');
    assert.equal((await json('charge', '3.00')).amount_usdc, 3_000_000);
    assert.match((await succeeds(env, 'budget')).stdout, /^daily +3\.00 of 5\.00 USDC spent, 2\.00 left/m);
    const asked = (await fails(6, /^$/, 'charge', '3.50', '--json')).json();
    assert.equal(asked.status, 'approval_required');
    assert.equal((await json('approvals', 'list')).approvals[0].id, asked.approval_id);
    const waiting = signetAlone(env, 'approvals', 'wait', asked.approval_id);
    await succeeds(env, 'call', 'approveCharge', '--id', asked.approval_id);
    const approved = await waiting;
    assert.deepEqual([approved.code, approved.stdout.split(' ')[0]], [0, 'approved'], approved.stderr);
    await succeeds(env, 'budget', '--on-limit', 'reject');
    await fails(5, /budget_exceeded/, 'charge', '9.00');
  });

  it('issues a token, keeps dates and notes, and shows what happened', async () => {
    const token = await succeeds(env, 'token', '--audience', 'https://api.example', '--scope', 'orders:read');
    assert.equal(token.stdout.split('.').length, 3);
    const [start, end] = ['2027-01-14T12:00:00Z', '2027-01-14T13:00:00Z'];
    const event = await json('call', 'createCalendarEvent', '--summary', 'Plan', '--start', start, '--end', end);
    assert.equal((await json('call', 'getCalendarEvent', '--id', event.id)).summary, 'Plan');
    const note = await json('call', 'createObservation', '--topic', 'weather', '--content', 'Rain', '--shared');
    assert.equal(note.shared, true);
    const once = ['call', 'createObservation', '--topic', 'once', '--content', 'x', '--idempotency-key', 'o1'];
    assert.equal((await json(...once)).id, (await json(...once)).id);
    await fails(2, /USDC with a point/, 'call', 'charge', '--amount', '3');
    const { entries } = await json('call', 'listAuditEntries', '--limit', '2');
    assert.equal(entries.length, 2);
    const { events } = await json('events', '--type', 'charge.completed');
    assert.equal(events[0].data.amount_usdc, 3_500_000);
  });

  it('follows the events until it is stopped', async () => {
    const args = ['bin/signet', 'events', '--follow', '--json', '--after', 'ev_00000000000000000000000000'];
    const { PATH = '', HOME = '' } = process.env;
    const child = spawn('sh', args, { cwd: root, env: { PATH, HOME, ...env } });
    try {
      let seen = '';
      for await (const chunk of child.stdout) {
        seen += chunk;
        if (seen.includes('\n')) break;
      }
      assert.match(JSON.parse(seen.split('\n')[0] as string).id, /^ev_/);
    } finally {
      child.kill('SIGTERM');
    }
  });

  it('tells by its exit code what went wrong, and why in one line', async () => {
    await fails(2, /^signet: getMessage needs --id\n$/, 'call', 'getMessage');
    await fails(2, /has no field colour/, 'call', 'getAccount', '--colour', 'red');
    await fails(2, /must be a whole number/, 'call', 'listEvents', '--limit', 'many');
    await fails(2, /there is no operation sendMail/, 'call', 'sendMail');
    await fails(2, /^\{"error":"usage",/, 'mail', 'send', '--json');
    await fails(5, /^signet: not_found: /, 'mail', 'read', 'msg_00000000000000000000000000');
    const refused = await fails(5, /^\{/, 'mail', 'read', 'msg_00000000000000000000000000', '--json');
    assert.deepEqual([JSON.parse(refused.stderr).status, refused.stdout], [404, '']);
    const stranger = await signet({ ...env, SIGNET_KEY: 'signet_live_wrong' }, 'whoami');
    assert.equal(stranger.code, 3, stranger.stderr);
    const nowhere = await signet({ ...env, SIGNET_URL: 'http://127.0.0.1:1', SIGNET_KEY: 'x' }, 'whoami');
    assert.equal(nowhere.code, 4, nowhere.stderr);
    // The key of the login is for its own service.
    const other = await signet({ ...env, SIGNET_URL: 'http://127.0.0.1:1' }, 'whoami');
    assert.equal(other.code, 3, other.stderr);
  });

  it('does the jobs of agents with nothing but commands', async (t) => {
    const agents = ['mira', 'noah'].map((name) => new CommandLineAgent(service.baseUrl, join(folder, name)));
    const [ada, bob] = agents as [CommandLineAgent, CommandLineAgent];
    for (const name of JOB_NAMES) {
      const before = { ...ada.sums };
      await COMMAND_JOBS[name]({ ada, bob, folder });
      const { commands, bytes } = ada.sums;
      t.diagnostic(`${name}: ${commands - before.commands} commands, ${bytes - before.bytes} bytes`);
    }
    t.diagnostic(`all: ${ada.sums.commands} commands, ${ada.sums.bytes} bytes`);
  });

  it('prints nothing but JSON with --json: each command, its help and its usage', async () => {
    const receiver = await startReceiver();
    try {
      await everyCommand(receiver.url);
    } finally {
      receiver.close();
    }
  });

  /** Runs every command of the tree. */
  async function everyCommand(receiver: string): Promise<void> {
    const home: Env = { SIGNET_URL: service.baseUrl, XDG_CONFIG_HOME: join(folder, 'tess') };
    const run = async (args: readonly string[], stdin = ''): Promise<Run> => hosted(home, [...args, '--json'], stdin);
    const file = join(folder, 'map.txt');
    writeFileSync(file, 'north');
    const { email, account_id } = (await run(['register', '--name', 'tess'])).json();
    const { key } = JSON.parse(readFileSync(join(folder, 'tess/signet/login.json'), 'utf8'));
    const other = (await service.api().post('/v1/auth/keys', {})).body.account_id;
    assert.notEqual(other, account_id);
    const world = { address: email, other, file, folder: join(folder, 'tess'), receiver, key };
    const samples = commandSamples(world);
    const leaves = leavesOf(agentProgram({ out: process.stdout, err: process.stderr }));
    const names = leaves.map(({ words }) => words.join(' ')).filter((name) => name !== 'mcp');
    assert.deepEqual(Object.keys(samples).toSorted(), names.toSorted());
    const printed: Record<string, unknown> = {};
    const wrong: string[] = [];
    const isTried = ({ command }: Leaf): boolean => command.options.some(({ long }) => long === '--dry-run');
    const tried = new Set(leaves.filter(isTried).map(({ words }) => words.join(' ')));
    assert.ok(tried.size > 40, `${tried.size} commands can be tried`);
    for (const [name, { args, stdin, code = 0, lines }] of Object.entries(samples)) {
      const line = [...name.split(' '), ...args(printed)];
      if (tried.has(name)) {
        const dry = await run([...line, '--dry-run'], stdin);
        if (dry.code !== code) wrong.push(`${name} --dry-run ended with ${dry.code}: ${dry.stdout}${dry.stderr}`);
      }
      const { code: ended, stdout, stderr } = await run(line, stdin);
      const shown = [...(lines ? stdout.split('\n') : [stdout]), ...stderr.split('\n')].filter((text) => text !== '');
      if (ended !== code || !shown.every(isJson)) wrong.push(`${name} ended with ${ended}: ${stdout}${stderr}`);
      else if (stdout !== '') printed[name] = JSON.parse(shown[0] as string);
    }
    assert.deepEqual(wrong, []);
    for (const { words } of leaves) {
      const help = await run([...words, '--help']);
      assert.deepEqual([help.code, help.stderr, Object.keys(help.json()).length], [0, '', 1], words.join(' '));
      const refused = await run([...words, '--nonsense']);
      assert.deepEqual(
        [refused.code, refused.stdout, JSON.parse(refused.stderr).error],
        [2, '', 'usage'],
        words.join(' '),
      );
    }
  }

  it('refuses an empty secret, and says why a mail failed', async () => {
    const empty = await hosted(env, ['secret', 'put', 'db-password'], '\n');
    assert.deepEqual([empty.code, empty.stderr], [2, 'signet: the secret is empty, so nothing is stored\n']);
    await fails(2, /is empty/, 'secret', 'put', 'db-password', '');
    assert.equal((await succeeds(env, 'secret', 'get', 'db-password')).stdout, 'correct horse\n');
    const gone = ['mail', 'send', '--subject', 'x', '--text', 'x', '--to', 'no-one@agents.localhost'];
    const failed = await fails(5, /^$/, ...gone);
    assert.match(failed.stdout, /^failed {2}.*no-one@agents\.localhost: \w/);
    const partly = await fails(7, /^$/, ...gone, '--to', 'ada@agents.localhost', '--json');
    assert.equal(partly.json().status, 'sent');
  });

  it('lists the newest first, so many as asked for, over pages', async () => {
    const ids = (page: { events: { id: string }[] }): string[] => page.events.map(({ id }) => id);
    const all = ids(await json('events', '--all'));
    assert.deepEqual(all, all.toSorted().toReversed());
    assert.deepEqual(ids(await json('events', '--limit', '3')), all.slice(0, 3));
    assert.deepEqual(ids(await json('events', '--after', all[3] as string)), all.slice(0, 3).toReversed());
    const subjects = ['a', 'b', 'c'];
    for (const subject of subjects)
      await succeeds(env, 'mail', 'send', '--to', 'ada@agents.localhost', '--subject', subject, '--text', 'x');
    const shown = async (...args: string[]) => (await succeeds(env, 'mail', 'list', ...args)).stdout.trim().split('\n');
    const everything = await signet(env, 'mail', 'list', '--all');
    assert.deepEqual(
      everything.stdout.split('\n', 3).map((line) => line.at(-1)),
      subjects.toReversed(),
    );
    const three = await signet(env, 'mail', 'list', '--limit', '3');
    assert.equal(three.stdout, everything.stdout.split('\n').slice(0, 3).join('\n').concat('\n'));
    const [, cursor = ''] = /^signet: there are more: --all, or --cursor (\S+)\n$/.exec(three.stderr) ?? [];
    assert.deepEqual(
      (await signet(env, 'mail', 'list', '--limit', '1', '--cursor', cursor)).stdout.trimEnd(),
      everything.stdout.split('\n')[3],
    );
    assert.equal((await shown('--search', 'nothing-like-it')).join(), 'none');
  });

  it('waits for the operator of a held mail, and shows the fields of an operation', async () => {
    assert.match((await succeeds(env, 'call', 'charge', '--help')).stdout, /^ {2}--amount <amount> +needed\./m);
    assert.match((await succeeds(env, 'help', 'calendar', 'answer')).stdout, /accepted/);
    await runSql(
      readConfig({ DATA_DIR: join(folder, 'data') }),
      `insert into people (id, account_id, role, address, named_at, named_by, old_when_confirmed, confirmed_at)
       values (?, ?, 'operator', 'o@example.com', 1, 'test', 1, 1)`,
      [newId('per', Date.now()), (await json('whoami')).id],
    );
    await succeeds(env, 'policy', 'change-mail', '--outbound', '{"hold":"always"}');
    const held = ['mail', 'send', '--to', 'x@stranger.example', '--subject', 'Held', '--text', 'x'];
    const run = await fails(6, /^$/, ...held);
    const [, review = ''] = /^held {2}\S+ {2}.*: review (\S+)\n$/.exec(run.stdout) ?? [];
    assert.match((await succeeds(env, 'mail', 'held')).stdout, new RegExp(review));
    const waiting = signetAlone(env, ...held, '--wait');
    const second = await eventually(async () =>
      (await json('mail', 'held')).reviews.find(({ review_id: id }: { review_id: string }) => id !== review),
    );
    await succeeds(env, 'mail', 'withdraw', second.review_id);
    const ended = await waiting;
    assert.deepEqual([ended.code, /^failed /.test(ended.stdout)], [5, true], ended.stdout + ended.stderr);
  });

  /** Runs the commands of a page, one after the other. @returns what they print */
  async function runPage(name: string, last = ''): Promise<string> {
    const page = readFileSync(join(root, name), 'utf8');
    const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
    const script = `set -eu\nsignet() { sh bin/signet "$@"; }\n${blocks.join('')}${last}\n`;
    const { PATH = '' } = process.env;
    const inDocs = { PATH, HOME: folder, XDG_CONFIG_HOME: mkdtempSync(join(folder, 'docs-')) };
    const text = script.replace('http://127.0.0.1:8787', service.baseUrl).replaceAll('ada', 'ada-of-docs');
    return (await promisify(execFile)('sh', ['-c', text], { cwd: root, env: inDocs })).stdout;
  }

  itInAll('runs docs/quickstart-terminal.md, from nothing to a code', async () => {
    assert.match(await runPage('docs/quickstart-terminal.md'), /\n482913\n/);
  });

  itInAll('runs every example of docs/cli.md', async () => {
    const stdout = await runPage('docs/cli.md', `printf '%s\\n' "code $code"`);
    for (const shown of ['Sign in', 'correct horse', 'charged 3.00 USDC', 'code 482913', 'Review'])
      assert.ok(stdout.includes(shown), shown);
  });

  it('has help with an example, and leaves the old commands as they are', async () => {
    assert.match((await succeeds(env, 'help', 'charge')).stdout, /Example: signet charge 3\.00/);
    const admin = { DATA_DIR: join(folder, 'data') };
    assert.equal(
      (await succeeds(admin, 'admin', 'account', 'list')).stdout,
      (await succeeds(admin, 'account', 'list')).stdout,
    );
    assert.ok(Array.isArray((await succeeds(admin, '--json', 'admin', 'account', 'list')).json().accounts));
    assert.match((await succeeds(env)).stdout, /For agents/);
  });
});

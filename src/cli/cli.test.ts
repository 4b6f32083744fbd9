import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runCli } from './admin/command-line.ts';
import type { Ports } from './ports.ts';

const refuse = (): never => assert.fail('no command may run');
const IDLE: Ports = {
  version: '1.2.3',
  service: refuse,
  migrate: refuse,
  openOperator: refuse,
  backup: refuse,
  scheduledCopies: refuse,
  restore: refuse,
  restoreMasterKey: refuse,
  doctor: refuse,
  mail: {
    records: refuse,
    examineDns: refuse,
    sendTest: refuse,
    listKept: refuse,
    readKept: refuse,
    deleteKept: refuse,
  },
  rotateSigningKey: refuse,
  rotateMasterKey: refuse,
  revokeSigningKey: refuse,
};

/** Runs a command line that must not run any command. */
async function signet(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const said = { out: '', err: '' };
  const into = (name: 'out' | 'err') => ({
    write: (text: string) => {
      said[name] += text;
    },
  });
  const code = await runCli(args, IDLE, { out: into('out'), err: into('err') });
  return { code, ...said };
}

async function refuses(said: RegExp, ...args: string[]): Promise<void> {
  const { code, out, err } = await signet(...args);
  assert.deepEqual([code, out], [2, ''], err);
  assert.match(err, /^signet: [^\n]+\n$/);
  assert.match(err, said);
}

/** What `postmaster read` writes of a mail. */
async function readKept(raw: Buffer, isTTY: boolean): Promise<Buffer> {
  const written: Buffer[] = [];
  const out = { isTTY, write: (text: string | Uint8Array) => written.push(Buffer.from(text as string)) };
  const ports = { ...IDLE, mail: { ...IDLE.mail, readKept: async () => raw } };
  assert.equal(await runCli(['postmaster', 'read', 'mail_1'], ports, { out, err: { write: refuse } }), 0);
  return Buffer.concat(written);
}

describe('signet', () => {
  it('postmaster read writes every byte to a file, and nothing to a terminal that could control it', async () => {
    const raw = Buffer.from('Subject: caf\xe9\r\n\r\na\tb \x1b]0;owned\x07\x9b2J\r\n', 'latin1');
    assert.deepEqual(await readKept(raw, false), raw);
    const shown = (await readKept(raw, true)).toString();
    assert.match(shown, /^Subject: caf.\n\na\tb .\]0;owned.{2}2J\n$/);
    assert.doesNotMatch(shown.replace(/[\n\t]/g, ''), /\p{Cc}/u);
  });

  it('prints help with every command when called without arguments', async () => {
    const { code, out, err } = await signet();
    assert.deepEqual([code, err], [0, '']);
    for (const command of ['serve', 'migrate', 'account', 'backup', 'doctor', 'help'])
      assert.match(out, new RegExp(`^  ${command} `, 'm'));
    assert.deepEqual(await signet('help'), { code, out, err });
    assert.match((await signet('help', 'account', 'set-tier')).out, /^Usage: signet account set-tier /);
    assert.equal((await signet('--version')).out, '1.2.3\n');
  });

  it('help --json lists every command with its arguments', async () => {
    const { commands } = JSON.parse((await signet('help', '--json')).out) as { commands: { command: string }[] };
    const names = commands.map(({ command }) => command);
    for (const name of [
      'serve',
      'account set-tier <id> <tier>',
      'backup [file]',
      'secret get <name>',
      'charge <amount>',
    ])
      assert.ok(names.includes(name), `${name} in ${names}`);
    assert.deepEqual(await signet('--json'), await signet('help', '--json'));
  });

  it('exits with 2 and one line for an unknown command, a missing argument and an invalid argument', async () => {
    await refuses(/unknown command 'acount'.*signet help/, 'acount');
    await refuses(/missing required argument 'id'/, 'account', 'show');
    await refuses(/free, paid/, 'account', 'set-tier', 'acc_1', 'gold');
    await refuses(/number of at least 1/, 'account', 'list', '--limit', '0');
    await refuses(/unknown option '--fast'/, 'migrate', '--fast');
    await refuses(/too many arguments/, 'account', 'suspend', 'acc_1', 'acc_2');
    await refuses(/no command acount/, 'help', 'acount');
  });

  it('exits with 2 for an invalid scope, and for neither or both of scopes and --none', async () => {
    for (const wrong of ['Mail', '1a', 'a b', '', `a${'b'.repeat(128)}`])
      await refuses(/is not a valid scope/, 'account', 'set-scopes', 'acc_1', 'mail:read', wrong);
    await refuses(/--none/, 'account', 'set-scopes', 'acc_1');
    await refuses(/--none/, 'account', 'set-scopes', 'acc_1', 'a', '--none');
  });
});

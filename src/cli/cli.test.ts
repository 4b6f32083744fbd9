import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RELEASE } from '../base/version.ts';
import { runAdministration } from './admin/command-line.ts';

/** Runs a command line that must not run any command. */
async function signet(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const said = { out: '', err: '' };
  const into = (name: 'out' | 'err') => ({
    write: (text: string) => {
      said[name] += text;
    },
  });
  const code = await runAdministration(args, { out: into('out'), err: into('err') });
  return { code, ...said };
}

async function refuses(said: RegExp, ...args: string[]): Promise<void> {
  const { code, out, err } = await signet(...args);
  assert.deepEqual([code, out], [2, ''], err);
  assert.match(err, /^signet: [^\n]+\n$/);
  assert.match(err, said);
}

describe('signet', () => {
  it('prints help with every command when called without arguments', async () => {
    const { code, out, err } = await signet();
    assert.deepEqual([code, err], [0, '']);
    for (const command of ['serve', 'migrate', 'account', 'backup', 'doctor', 'help'])
      assert.match(out, new RegExp(`^  ${command} `, 'm'));
    assert.deepEqual(await signet('help'), { code, out, err });
    assert.match((await signet('help', 'account', 'set-tier')).out, /^Usage: signet account set-tier /);
    assert.equal((await signet('--version')).out, `${RELEASE}\n`);
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

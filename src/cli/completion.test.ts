import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, it } from 'node:test';
import { runAdministration } from './admin/command-line.ts';

async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const said = { out: '', err: '' };
  const into = (name: 'out' | 'err') => ({
    write: (text: string | Uint8Array) => {
      said[name] += String(text);
    },
  });
  const code = await runAdministration(args, { out: into('out'), err: into('err') });
  return { code, ...said };
}

const isHere = (shell: string): boolean => existsSync(`/bin/${shell}`) || existsSync(`/usr/bin/${shell}`);

const SHELLS = [
  {
    shell: 'bash',
    ask: (words: string[]) =>
      `COMP_WORDS=(signet ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _signet; echo "\${COMPREPLY[*]}"`,
  },
  {
    // Without an editor of lines, the function is asked for the words.
    shell: 'zsh',
    ask: (words: string[]) =>
      `words=(signet ${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length + 1}; compadd() { echo \${(P)2} }; _files() { }; _signet`,
    before: 'compdef() { }\n',
  },
  { shell: 'fish', ask: (words: string[]) => `complete -C 'signet ${words.join(' ')}'` },
];

describe('signet completion', () => {
  for (const { shell, ask, before = '' } of SHELLS)
    it(`completes words, options and values in ${shell}`, { skip: !isHere(shell) }, async () => {
      const { out: script } = await run('completion', shell);
      const offered = (...words: string[]): string[] =>
        execFileSync(shell, ['-c', `${before}${script}\n${ask(words)}`], { encoding: 'utf8' })
          .split(/\s+/)
          .filter((word) => word !== '');
      assert.ok(offered('').includes('whoami'));
      assert.ok(offered('mail', '').includes('send'));
      assert.ok(offered('mail', 'send', '--to', 'a@b.example', '--').includes('--attach'));
      assert.ok(offered('approvals', 'list', '--status', '').includes('rejected'));
      assert.ok(offered('--json', 'admin', 'account', '').includes('set-tier'));
      assert.ok(offered('call', 'createCal').includes('createCalendarEvent'));
      assert.ok(offered('completion', '').includes('zsh'));
    });

  it('refuses a shell that it does not know', async () => {
    const { code, err } = await run('completion', 'tcsh');
    assert.equal(code, 2);
    assert.match(err, /bash, zsh, fish/);
  });
});

import type { Command } from 'commander';
import { type Output, say } from './output.ts';
import type { Ports } from './ports.ts';

async function rotate(ports: Ports, output: Output): Promise<void> {
  const { kid, retired } = await ports.rotateSigningKey();
  const text = `the service now signs with ${kid}; retired keys: ${retired}, which stay in the JWKS until their last tokens expire`;
  say(output, { ok: true, kid, retired }, text);
}

/** Adds `signing-key …` to the program. */
export function addSigningKeyCommands(program: Command, ports: Ports, output: () => Output): void {
  program
    .command('signing-key')
    .description('manage the key that signs tokens')
    .helpCommand(false)
    .command('rotate')
    .description('sign with a new key; existing tokens stay valid until they expire')
    .action(() => rotate(ports, output()));
}

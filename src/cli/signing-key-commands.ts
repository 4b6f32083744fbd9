import type { Command } from 'commander';
import { type Output, say } from './output.ts';
import type { Ports } from './ports.ts';

async function rotate(ports: Ports, output: Output): Promise<void> {
  const { kid, retired } = await ports.rotateSigningKey();
  const text = `the service signs with ${kid} from now on; ${retired} retired, and shown in the JWKS until its last token expires`;
  say(output, { ok: true, kid, retired }, text);
}

/** Adds `signing-key …` to the program. */
export function addSigningKeyCommands(program: Command, ports: Ports, output: () => Output): void {
  program
    .command('signing-key')
    .description('look after the key that tokens are signed with')
    .helpCommand(false)
    .command('rotate')
    .description('sign with a new key; what was signed before stays valid until it expires')
    .action(() => rotate(ports, output()));
}

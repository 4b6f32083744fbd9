import type { Command } from 'commander';
import { type Output, say } from '../output.ts';
import { CommandError, type Ports } from '../ports.ts';

async function rotate(ports: Ports, output: Output): Promise<void> {
  const { kid, retired } = await ports.rotateSigningKey();
  const text = `the service now signs with ${kid}; retired keys: ${retired}, which stay in the JWKS until their last tokens expire`;
  say(output, { ok: true, kid, retired }, text);
}

async function revoke(ports: Ports, output: Output, kid: string): Promise<void> {
  const revoked = await ports.revokeSigningKey(kid);
  if (!revoked) throw new CommandError(1, `there is no signing key ${kid}; /.well-known/jwks.json lists them`);
  const { changed, tokens, replacedBy } = revoked;
  const state = changed ? `${kid} is revoked and out of the JWKS` : `${kid} was revoked before`;
  const next = replacedBy === null ? '' : `; the service now signs with ${replacedBy}`;
  say(
    output,
    { ok: true, kid, changed, tokens_ended: tokens, replaced_by: replacedBy },
    `${state}; tokens ended: ${tokens}${next}`,
  );
}

/** Adds `signing-key …` to the program. */
export function addSigningKeyCommands(program: Command, ports: Ports, output: () => Output): void {
  const signingKey = program.command('signing-key').description('manage the key that signs tokens').helpCommand(false);
  signingKey
    .command('rotate')
    .description('sign with a new key; existing tokens stay valid until they expire')
    .action(() => rotate(ports, output()));
  signingKey
    .command('revoke')
    .description('end a stolen key and all tokens that it signed, at once')
    .argument('<kid>', 'the key id, as in the JWKS')
    .action((kid: string) => revoke(ports, output(), kid));
}

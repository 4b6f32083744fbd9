import type { Command } from 'commander';
import { systemClock } from '../../base/clock.ts';
import { revokeSigningKey, rotateSigningKey, signingKeyPath } from '../../features/identity/tokens/signing-keys.ts';
import { enqueueJob } from '../../jobs/queue.ts';
import { CommandError, type Output, say } from '../output.ts';
import { type AdminRun, readConfiguration, withDatabase } from './command-context.ts';

async function rotate(output: Output): Promise<void> {
  const config = readConfiguration();
  if (config.signingKey !== null) {
    const remedy = 'set another key there and restart the service';
    throw new CommandError(1, `SIGNING_KEY is set, so this command cannot change the key; ${remedy}`);
  }
  const { kid, retired } = await withDatabase(config, (database) =>
    rotateSigningKey(database, signingKeyPath(config.dataDir), systemClock.now()),
  );
  const text = `the service now signs with ${kid}; retired keys: ${retired}, which stay in the JWKS until their last tokens expire`;
  say(output, { ok: true, kid, retired }, text);
}

async function revoke(output: Output, kid: string): Promise<void> {
  const config = readConfiguration();
  const path = config.signingKey === null ? signingKeyPath(config.dataDir) : null;
  const revoked = await withDatabase(config, (database) =>
    revokeSigningKey(database, path, kid, systemClock.now(), enqueueJob),
  );
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
export function addSigningKeyCommands(program: Command, run: AdminRun): void {
  const signingKey = program.command('signing-key').description('manage the key that signs tokens').helpCommand(false);
  signingKey
    .command('rotate')
    .description('sign with a new key; existing tokens stay valid until they expire')
    .action(() => rotate(run.output()));
  signingKey
    .command('revoke')
    .description('end a stolen key and all tokens that it signed, at once')
    .argument('<kid>', 'the key id, as in the JWKS')
    .action((kid: string) => revoke(run.output(), kid));
}

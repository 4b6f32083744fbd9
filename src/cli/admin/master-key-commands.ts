import type { Command } from 'commander';
import { rotateMasterKey } from '../../db/master-keys.ts';
import { type Output, say } from '../output.ts';
import { restoreMasterKey } from './backups.ts';
import { type AdminRun, featuresOver, readConfiguration, withDatabase } from './command-context.ts';

async function rotate(output: Output): Promise<void> {
  const config = readConfiguration();
  const { keyId, sealed, unreadable } = await withDatabase(config, async (database) => {
    const { given, sealed: columns } = await featuresOver(config, database);
    return rotateMasterKey(database, given, columns);
  });
  const lost = unreadable === 0 ? '' : `; ${unreadable} open with no key and stay as they are`;
  const text = `sealed ${sealed} secrets with the key ${keyId}${lost}; now remove MASTER_KEY_PREVIOUS and restart the service`;
  say(output, { ok: true, key_id: keyId, sealed, unreadable }, text);
}

/** Adds `master-key …` to the program. */
export function addMasterKeyCommands(program: Command, run: AdminRun): void {
  const group = program
    .command('master-key')
    .description('manage the key that seals secrets in the database')
    .helpCommand(false);
  group
    .command('restore <file>')
    .description('write the master key of a backup to DATA_DIR/master.key')
    .requiredOption('--key-with <passphrase-file>', 'the file with the passphrase')
    .action(async (file: string, { keyWith }: { keyWith: string }) => {
      const { path } = await restoreMasterKey(file, keyWith);
      say(run.output(), { ok: true, path }, `wrote ${path}`);
    });
  group
    .command('rotate')
    .description('seal every secret with MASTER_KEY instead of MASTER_KEY_PREVIOUS')
    .action(() => rotate(run.output()));
}

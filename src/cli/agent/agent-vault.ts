import type { SignetClient } from '../../client/signet-client.ts';
import { SignetError } from '../../client/signet-error.ts';
import { sealVaultEntry } from '../../client/vault-seal.ts';
import { randomSeed } from '../../client/vault-seed.ts';
import { printableLines, say, table } from '../output.ts';
import { AgentCommandError } from './agent-failure.ts';
import {
  type AddCommands,
  type AgentRun,
  addExample,
  addWriteOptions,
  groupOf,
  parseCount,
  textOrInput,
} from './agent-run.ts';
import { usage } from './table/operation-fields.ts';

const sealing = (run: AgentRun, mayCreate: boolean): Promise<SignetClient> =>
  run.session.sealing(mayCreate, (path) =>
    run.note(`made a seed: ${path}; keep a copy, because nothing else opens your secrets`),
  );

async function put(run: AgentRun, name: string, given: string): Promise<void> {
  const content = (await textOrInput(run, given)) ?? '';
  // A pipe from a command that failed, or a variable that is not set.
  if (content === '') throw usage('the secret is empty, so nothing is stored');
  // A dry run makes no seed. What any seed seals has the same size.
  const stored = run.isDry
    ? await run.client().putVaultEntry({ key: name, ciphertext: await sealVaultEntry(randomSeed(), name, content) })
    : await (await sealing(run, true)).vault.put(name, content);
  say(run.output(), { name, ...stored }, `stored ${name}, version ${stored.version}`);
}

async function get(run: AgentRun, name: string, version: number | undefined): Promise<void> {
  const client = await sealing(run, false);
  const value = await client.vault.getText(name, version === undefined ? {} : { version });
  const isTerminal = run.output().isTerminal;
  say(run.output(), { name, value }, isTerminal ? printableLines(value) : value);
}

/** What was seen of its versions is forgotten too, where a seed is here. */
async function remove(run: AgentRun, name: string, version: number | undefined): Promise<void> {
  const given = version === undefined ? {} : { version };
  const unsealed = () => run.client().deleteVaultEntry({ key: name, ...given });
  const sealed = async () => (await sealing(run, false)).vault.delete(name, given);
  const deleted = await (run.isDry
    ? unsealed()
    : sealed().catch((err: unknown) => {
        if (err instanceof AgentCommandError) return unsealed();
        throw err;
      }));
  say(run.output(), deleted, `deleted ${name} and its versions (${deleted.versions_removed})`);
}

/** The versions that are still kept, newest first. The oldest go when there are more than the tier allows. */
async function versions(run: AgentRun, name: string): Promise<void> {
  const client = run.client();
  const { latest_version: latest } = await client.getVaultEntry({ key: name });
  const kept: { version: number; updated_at: string }[] = [];
  for (let version = latest; version > 0; version--) {
    try {
      const { updated_at } = await client.getVaultEntry({ key: name, version });
      kept.push({ version, updated_at });
    } catch (err) {
      if (!(err instanceof SignetError) || err.code !== 'version_not_found') throw err;
      if (kept.length > 0) break;
    }
  }
  say(
    run.output(),
    { name, versions: kept },
    table(kept.map(({ version, updated_at }) => [`version ${version}`, updated_at])),
  );
}

/** `secret …`: sealed and opened on this machine. */
export const addVaultCommands: AddCommands = (program, run) => {
  const secret = groupOf(program, 'secret');
  const version = ['--version <n>', 'this version, not the latest', parseCount] as const;
  const added = addWriteOptions(secret.command('put <name> [value]'), { repeats: false })
    .description('seal and store a secret; without a value, or with -, it is read from stdin')
    .action((name: string, value = '-') => put(run, name, value));
  addExample(added, 'printf %s "$TOKEN" | signet secret put api-token');
  secret
    .command('get <name>')
    .description('open a secret and print it')
    .option(...version)
    .action((name: string, options: { version?: number }) => get(run, name, options.version));
  secret
    .command('versions <name>')
    .description('list the versions that are kept, newest first')
    .action((name: string) => versions(run, name));
  addWriteOptions(secret.command('delete <name>'), { repeats: false })
    .description('delete a secret with all its versions, or one version')
    .option('--version <n>', 'only this version', parseCount)
    .action((name: string, options: { version?: number }) => remove(run, name, options.version));
};

import type { SignetClient } from '../../client/signet-client.ts';
import { printable, printableLines, say, table } from '../output.ts';
import { type AddCommands, type AgentRun, textOrInput } from './agent-run.ts';

const sealing = (run: AgentRun, mayCreate: boolean): Promise<SignetClient> =>
  run.session.sealing(mayCreate, (path) =>
    run.note(`made a seed: ${path}; keep a copy, because nothing else opens your secrets`),
  );

/** `secret …`: sealed and opened on this machine. */
export const addVaultCommands: AddCommands = (program, run) => {
  const secret = program
    .command('secret')
    .description('secrets, sealed on this machine: the service cannot read them')
    .helpCommand(false);
  secret
    .command('put <name> [value]')
    .description('seal and store a secret; without a value, or with -, it is read from stdin')
    .addHelpText('after', '\nExample: printf %s "$TOKEN" | signet secret put api-token')
    .action(async (name: string, value = '-') => {
      const content = (await textOrInput(run, value)) ?? '';
      const stored = await (await sealing(run, true)).vault.put(name, content);
      say(run.output(), { name, ...stored }, `stored ${name}, version ${stored.version}`);
    });
  secret
    .command('get <name>')
    .description('open a secret and print it')
    .action(async (name: string) => {
      const client = await sealing(run, false);
      const value = await client.vault.getText(name);
      const isTerminal = run.output().isTerminal;
      say(run.output(), { name, value }, isTerminal ? printableLines(value) : value);
    });
  secret
    .command('list')
    .description('list the names')
    .action(async () => {
      const keys = [];
      for await (const key of run.client().paginate('listVaultKeys', {})) keys.push(key);
      const rows = keys.map(({ key, version }) => [printable(key), `version ${version}`]);
      say(run.output(), { keys }, rows.length > 0 ? table(rows) : 'no secrets');
    });
};

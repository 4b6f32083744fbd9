import type { RegisterInput } from '../../client/generated/operations.ts';
import { printable, say } from '../output.ts';
import { AgentCommandError, EXIT } from './agent-failure.ts';
import { endFormer } from './agent-login.ts';
import type { AddCommands, AgentRun } from './agent-run.ts';

interface RegisterOptions extends RegisterInput {
  url?: string;
  replace?: boolean;
}

async function register(run: AgentRun, { url, replace, ...input }: RegisterOptions): Promise<void> {
  const former = run.session.login();
  if (former && !replace)
    throw new AgentCommandError(
      EXIT.usage,
      `there is a login for ${former.accountId ?? former.url} already; --replace forgets its key`,
    );
  const client = run.session.stranger(url);
  run.session.requireWritable();
  const { api_key: key, ...account } = await client.register(input);
  const { account_id: accountId, email } = account;
  const save = (): string => {
    try {
      return run.session.saveLogin({ url: client.baseUrl, key, accountId });
    } catch (err) {
      // Nothing else has the key.
      run.note(`the key could not be kept: ${printable(key)}`);
      throw err;
    }
  };
  const path = save();
  await endFormer(run, former, key);
  say(run.output(), account, `${email}\n${accountId}\nthe key is in ${path}`);
}

/** `register`. */
export const addAccountCommands: AddCommands = (program, run) => {
  program
    .command('register')
    .description('create an account with a key and an address, and log in')
    .option('--name <name>', 'becomes the address')
    .option('--address <address>', 'an address on the mail domain')
    .option('--invite <invite>', 'where sign-up is by invite')
    .option('--url <url>', 'the service')
    .option('--replace', 'forget the key of the present login')
    .addHelpText('after', '\nExample: signet register --url http://127.0.0.1:8787 --name ada')
    .action((options: RegisterOptions) => register(run, options));
};

import type { ListEventsInput, RegisterInput } from '../../client/generated/operations.ts';
import { printable, say, table } from '../output.ts';
import { AgentCommandError, EXIT } from './agent-failure.ts';
import { type AddCommands, type AgentRun, collect, parseCount } from './agent-run.ts';

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
  say(run.output(), account, `${email}\n${accountId}\nthe key is in ${path}`);
}

interface EventOptions extends ListEventsInput {
  follow?: boolean;
}

async function events(run: AgentRun, { follow, after, type, limit }: EventOptions): Promise<void> {
  const client = run.client();
  const line = (event: object & { id: string; type: string; created_at: string; data: unknown }): string =>
    run.output().json
      ? `${JSON.stringify(event)}\n`
      : `${printable(`${event.created_at}  ${event.type}  ${event.id}  ${JSON.stringify(event.data)}`)}\n`;
  if (!follow) {
    const page = await client.listEvents({ after, type, limit });
    if (run.output().json) return say(run.output(), page, '');
    for (const event of page.events) run.output().write(line(event));
    return;
  }
  const types = type?.split(',');
  for await (const event of client.events(after === undefined ? {} : { after }))
    if (!types || types.includes(event.type)) run.output().write(line(event));
}

/** `register`, `whoami`, `token`, `events`. */
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
  program
    .command('whoami')
    .description('show the account')
    .action(async () => {
      const account = await run.client().getAccount();
      const rows = Object.entries(account).flatMap(([name, value]) =>
        typeof value === 'object' ? [] : [[name, String(value)]],
      );
      say(run.output(), account, table(rows));
    });
  program
    .command('token')
    .description('issue a token that proves who you are to another service')
    .requiredOption('--audience <url>', 'the service that will accept it')
    .option('--scope <scope>', 'repeat it for several', collect)
    .option('--ttl <seconds>', 'how long it is valid', parseCount)
    .addHelpText('after', '\nExample: signet token --audience https://api.example --scope orders:read')
    .action(async (options: { audience: string; scope?: string[]; ttl?: number }) => {
      const { audience, scope: scopes = [], ttl } = options;
      const issued = await run.client().issueToken({ audience, scopes, ttl });
      say(run.output(), issued, issued.token);
    });
  program
    .command('events')
    .description('show what happened to the account, oldest first')
    .option('--follow', 'go on with events as they happen; with --json, one a line')
    .option('--after <id>', 'events after this one')
    .option('--type <types>', 'only these, separated by commas')
    .option('--limit <n>', 'at most this many', parseCount)
    .addHelpText('after', '\nExample: signet events --follow --type email.received')
    .action((options: EventOptions) => events(run, options));
};

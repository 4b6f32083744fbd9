import type { AccountKey } from '../../client/generated/operations.ts';
import type { SignetClient } from '../../client/signet-client.ts';
import { SignetError } from '../../client/signet-error.ts';
import { say, table } from '../output.ts';
import type { AddCommands, AgentRun } from './agent-run.ts';

/** @returns null where the scopes of the key do not allow it */
async function unlessRefused<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (err) {
    if (err instanceof SignetError && err.code === 'insufficient_scope') return null;
    throw err;
  }
}

/** The key in use, as the service lists it. */
async function keyOf(client: SignetClient, prefix: string): Promise<AccountKey | null> {
  const listed = await unlessRefused(() => client.listAccountKeys());
  return listed?.keys.find(({ key_prefix: each }) => each === prefix) ?? null;
}

async function status(run: AgentRun): Promise<void> {
  const client = run.client();
  const { session } = run;
  const isOfLogin = !session.usesEnvironment();
  const granted = isOfLogin ? session.login()?.granted : undefined;
  const account = await unlessRefused(() => client.getAccount());
  const key = account && (await keyOf(client, account.key_prefix));
  const shown = {
    profile: isOfLogin ? session.profile : null,
    url: client.baseUrl,
    account_id: account?.id ?? null,
    addresses: account?.addresses ?? null,
    key: key?.kind ?? null,
    scopes: account?.scopes ?? granted?.scopes ?? null,
    expires_at: key?.expires_at ?? granted?.expiresAt ?? null,
  };
  const rows = [
    ['profile', shown.profile ?? 'none: the key is that of SIGNET_KEY'],
    ['service', shown.url],
    ['account', shown.account_id ?? 'the key may not read it'],
    ['address', shown.addresses?.join(', ') || 'none'],
    ['key', shown.key ?? 'unknown'],
    ['scopes', shown.scopes?.join(' ') ?? 'unknown'],
    ['expires', shown.expires_at ?? 'never'],
  ];
  say(run.output(), shown, table(rows));
}

function list(run: AgentRun): void {
  const current = run.session.profile;
  const profiles = run.session.logins().map(({ profile, url, accountId = null, granted }) => {
    return {
      profile,
      url,
      account_id: accountId,
      expires_at: granted?.expiresAt ?? null,
      current: profile === current,
    };
  });
  const rows = profiles.map(({ profile, url, account_id: id, current: isCurrent }) => [
    isCurrent ? '*' : '',
    profile,
    url,
    id ?? '',
  ]);
  say(run.output(), { profiles }, rows.length === 0 ? 'there is no login' : table(rows));
}

/** `auth status`, `auth list`, `auth switch`. */
export const addAuthCommands: AddCommands = (program, run) => {
  const auth = program.command('auth').description('show the login, and choose between several').helpCommand(false);
  auth
    .command('status')
    .description('show profile, service, account, addresses, scopes and end of the key in use')
    .action(() => status(run));
  auth
    .command('list')
    .description('list the profiles')
    .action(() => list(run));
  auth
    .command('switch <profile>')
    .description('use this profile from now on')
    .action((profile: string) => {
      run.session.switchTo(profile);
      say(run.output(), { profile }, `commands use the profile ${profile} now`);
    });
};

import { Argument, type Command, InvalidArgumentError } from 'commander';
import { ApiError } from '../../api/errors.ts';
import type { Tier } from '../../api/limits.ts';
import { iso, isoOrNull } from '../../base/clock.ts';
import type { Account } from '../../features/account/accounts/account-lifecycle.ts';
import type { ChangeOutcome, OperatorRules } from '../../features/top/admin/service-operator.ts';
import { requirePersonalEmail } from '../../mail/address/mail-address.ts';
import { CommandError, type Output, printable, say, table } from '../output.ts';
import { type AdminRun, withOperator } from './command-context.ts';
import { addFactorCommands } from './factor-commands.ts';

type AccountDetails = NonNullable<Awaited<ReturnType<OperatorRules['show']>>>;

const SCOPE = /^[a-z][a-z0-9._:-]{0,127}$/;
const NO_LIMIT = Number.MAX_SAFE_INTEGER;
/** Rows that are aligned and printed together, so that a long list appears while it is read. */
const LINES = 500;

const unknownAccount = (id: string): CommandError =>
  new CommandError(1, `there is no account ${printable(id)}; run signet account list to see all accounts`);

const accountJson = (account: Account) => ({
  id: account.id,
  parent_account_id: account.parentId,
  name: account.name,
  tier: account.tier,
  status: account.status,
  allowed_scopes: account.allowedScopes,
  created_at: iso(account.createdAt),
});

const HEADINGS = ['ID', 'TIER', 'STATUS', 'CREATED', 'NAME'];
// The widest possible values, so that all parts of a long list align.
const WIDEST = [' '.repeat(30), ' '.repeat(4), ' '.repeat(9), ' '.repeat(24), ''];

const accountRow = ({ id, tier, status, createdAt, name }: Account): string[] => [
  id,
  tier,
  status,
  iso(createdAt),
  printable(name ?? ''),
];

const lines = (rows: readonly string[][]): string => {
  const [, ...text] = table([WIDEST, ...rows]).split('\n');
  return text.length > 0 ? `${text.join('\n')}\n` : '';
};

async function list(
  operator: OperatorRules,
  output: Output,
  { after, limit }: { after: string; limit: number | undefined },
) {
  let count = 0;
  let last: string | null = null;
  let hasMore = false;
  const pending: string[][] = [HEADINGS];
  if (output.json) output.write('{"accounts":[');
  // One more than the limit shows whether there are more.
  for await (const account of operator.accounts(after, limit === undefined ? NO_LIMIT : limit + 1)) {
    hasMore = count === limit;
    if (hasMore) break;
    if (output.json) output.write(`${count > 0 ? ',' : ''}\n${JSON.stringify(accountJson(account))}`);
    else pending.push(accountRow(account));
    if (pending.length >= LINES) output.write(lines(pending.splice(0)));
    count += 1;
    last = account.id;
  }
  const next = hasMore ? last : null;
  if (output.json) output.write(`\n],"next_after":${JSON.stringify(next)}}\n`);
  else output.write(lines(pending));
  if (!output.json && next !== null) output.write(`more: signet account list --limit ${limit} --after ${next}\n`);
}

const detailsJson = ({ account, people, keys, addresses, usage }: AccountDetails) => ({
  account: accountJson(account),
  people: people.map(({ role, address, confirmedAt, removalDueAt }) => ({
    role,
    address,
    confirmed: confirmedAt !== null,
    confirmed_at: isoOrNull(confirmedAt),
    removal_due_at: isoOrNull(removalDueAt),
  })),
  keys: keys.map(({ createdAt, ...key }) => ({ ...key, created_at: iso(createdAt) })),
  addresses: addresses.map(({ createdAt, ...address }) => ({ ...address, created_at: iso(createdAt) })),
  usage,
});

function detailsText({ account, people, keys, addresses, usage }: AccountDetails): string {
  const scopes = account.allowedScopes === null ? 'all' : account.allowedScopes.join(' ') || 'none';
  const rows = [
    ['id', account.id],
    ['name', account.name],
    ['tier', account.tier],
    ['status', account.status],
    ['platform', account.parentId],
    ['scopes', scopes],
    ['created', iso(account.createdAt)],
    ['requests', `${usage.requests.used} of ${usage.requests.limit} on ${usage.day} (UTC)`],
    ['emails', `${usage.emails.used} of ${usage.emails.limit} on ${usage.day} (UTC)`],
  ].map(([name = '', value]) => [name ?? '', printable(value ?? '-')]);
  const keyRows = keys.map(({ prefix, kind, status, label, createdAt }) => [
    `${prefix}…`,
    kind,
    status,
    iso(createdAt),
    printable(label ?? ''),
  ]);
  const addressRows = addresses.map(({ address, total, unread, createdAt }) => [
    address,
    `${total} mails`,
    `${unread} unread`,
    iso(createdAt),
  ]);
  const part = (title: string, rows: string[][]): string => (rows.length > 0 ? `\n\n${title}\n${table(rows)}` : '');
  const personRows = people.map(({ role, address, confirmedAt, removalDueAt }) => [
    role,
    printable(address),
    confirmedAt === null ? 'not confirmed' : `confirmed ${iso(confirmedAt)}`,
    removalDueAt === null ? '' : `ends ${iso(removalDueAt)}`,
  ]);
  return table(rows) + part('PEOPLE', personRows) + part('KEYS', keyRows) + part('ADDRESSES', addressRows);
}

function report(output: Output, id: string, result: ChangeOutcome, now: string): void {
  if (result.outcome === 'not_found') throw unknownAccount(id);
  if (result.outcome === 'pod') {
    const { parentId } = result;
    throw new CommandError(
      1,
      `${id} is a pod and has the tier of its platform; run signet account set-tier ${parentId} …`,
    );
  }
  const changed = result.outcome === 'changed';
  const text = `${id} ${changed ? 'now' : 'already'} ${now}`;
  say(output, { changed, account: accountJson(result.account) }, text);
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (!/^\d{1,9}$/.test(text) || limit < 1) throw new InvalidArgumentError('It must be a number of at least 1.');
  return limit;
}

function chosenScopes(scopes: readonly string[], none: boolean): string[] | null {
  if (none === scopes.length > 0)
    throw new CommandError(2, 'name the allowed scopes, or use --none to allow all; do not use both');
  const wrong = scopes.find((scope) => !SCOPE.test(scope));
  if (wrong !== undefined)
    throw new CommandError(
      2,
      `${JSON.stringify(wrong)} is not a valid scope: start with a-z, followed by up to 127 of a-z, 0-9, ".", "_", ":" and "-"`,
    );
  return none ? null : [...new Set(scopes)];
}

const NAME_LENGTH_MAX = 100;

/** The same names as the API: one line of up to 100 characters. */
function parseName(text: string): string {
  if (text.trim() === '' || text.length > NAME_LENGTH_MAX || printable(text) !== text)
    throw new InvalidArgumentError(`It must be one line of up to ${NAME_LENGTH_MAX} characters.`);
  return text;
}

function parseEmail(text: string): string {
  try {
    return requirePersonalEmail(text, 'email');
  } catch {
    throw new InvalidArgumentError('It must be an email address such as ada@example.com.');
  }
}

function addSignUpCommands(account: Command, { output }: AdminRun): void {
  account
    .command('create')
    .description('create an account and print its key once')
    .option('--name <name>', 'a label for the account', parseName)
    .option('--email <address>', 'receives login links', parseEmail)
    .action((options: { name?: string; email?: string }) =>
      withOperator(async (operator) => {
        const { id, key } = await operator.createAccount(options.name ?? null, options.email ?? null);
        say(output(), { account_id: id, api_key: key }, `${id}\n${key}`);
      }),
    );

  account
    .command('invite')
    .description('print an invite, which admits one sign-up under SIGNUP=invite')
    .action(() =>
      withOperator(async (operator) => {
        const { invite, expiresAt } = await operator.createInvite();
        say(output(), { invite, expires_at: iso(expiresAt) }, `${invite}\nexpires ${iso(expiresAt)}`);
      }),
    );
}

function addDeleteCommand(account: Command, { output }: AdminRun): void {
  account
    .command('delete <id>')
    .description('delete an account and its pods in 72 hours')
    .option('--cancel', 'keep an account that was going to be deleted')
    .action((id: string, { cancel }: { cancel?: boolean }) =>
      withOperator(async (operator) => {
        if (cancel) {
          await operator.cancelDeletion(id).catch(notFound);
          return say(output(), { ok: true, account_id: id }, `${id} stays`);
        }
        const { deletesAt, pods } = await operator.deleteAccount(id).catch(notFound);
        const also = pods.length > 0 ? `, with ${pods.length} pods` : '';
        const text = `${id} will be deleted at ${iso(deletesAt)}${also}\nto keep it: signet account delete ${id} --cancel`;
        say(output(), { account_id: id, deletes_at: iso(deletesAt), pods }, text);
      }),
    );
}

/** The reason why an account was not found, as the answer of a command. */
function notFound(err: unknown): never {
  throw err instanceof ApiError && err.code === 'not_found' ? new CommandError(1, err.message) : err;
}

function addSuspendCommands(account: Command, { output }: AdminRun): void {
  for (const [name, status, description] of [
    ['suspend', 'suspended', 'refuse all requests of the account and its pods'],
    ['unsuspend', 'active', 'reactivate a suspended account'],
  ] as const) {
    account
      .command(`${name} <id>`)
      .description(description)
      .action((id: string) =>
        withOperator(async (operator) => report(output(), id, await operator.setStatus(id, status), `is ${status}`)),
      );
  }
}

/** Adds `account …` to the program. */
export function addAccountCommands(program: Command, run: AdminRun): void {
  const { output } = run;
  const account = program.command('account').description('list, show, create and change accounts').helpCommand(false);

  account
    .command('list')
    .description('list all accounts, oldest first')
    .option('--limit <n>', 'list at most <n> accounts', parseLimit)
    .option('--after <id>', 'start after this account', '')
    .action((options: { limit?: number; after: string }) =>
      withOperator((operator) => list(operator, output(), { after: options.after, limit: options.limit })),
    );

  account
    .command('show <id>')
    .description("show an account with its key prefixes, addresses and today's usage")
    .action((id: string) =>
      withOperator(async (operator) => {
        const details = await operator.show(id);
        if (!details) throw unknownAccount(id);
        say(output(), detailsJson(details), detailsText(details));
      }),
    );

  account
    .command('set-tier <id>')
    .description('set the tier, which determines the limits')
    .addArgument(new Argument('<tier>', 'the new tier').choices(['free', 'paid']))
    .action((id: string, tier: Tier) =>
      withOperator(async (operator) => report(output(), id, await operator.setTier(id, tier), `has tier ${tier}`)),
    );

  account
    .command('set-scopes <id> [scopes...]')
    .description("limit the scopes of the account's tokens")
    .option('--none', 'allow all scopes')
    .action((id: string, scopes: string[], options: { none?: boolean }) => {
      const chosen = chosenScopes(scopes, options.none ?? false);
      const now = chosen === null ? 'allows all scopes' : `allows the scopes ${chosen.join(' ')}`;
      return withOperator(async (operator) => report(output(), id, await operator.setScopes(id, chosen), now));
    });

  addSignUpCommands(account, run);
  addFactorCommands(account, run, parseEmail);
  addDeleteCommand(account, run);
  addSuspendCommands(account, run);
}

import type { GetAccountReply, RotateKeyReply, SecureAccountReply } from '../../client/generated/operations.ts';
import { printable, say, table } from '../output.ts';
import type { AddCommands, AgentRun } from './agent-run.ts';
import { perform } from './table/agent-perform.ts';
import { cellText } from './table/agent-reply.ts';

function accountText(account: GetAccountReply, service: string): string {
  const { id, name, addresses, scopes, tier, key_prefix, operator_email, recovery_email, deletion } = account;
  return table([
    ['account', id],
    ['name', cellText(name)],
    ['service', service],
    ['addresses', cellText(addresses)],
    ['key', `${key_prefix}…`],
    ['scopes', scopes.join(' ')],
    ['tier', tier],
    ['operator', cellText(operator_email)],
    ['recovery email', cellText(recovery_email)],
    ...(deletion === null ? [] : [['deletion', `at ${deletion.ends_at}, asked by ${deletion.by}`]]),
  ]);
}

/** The reply without a key that is kept: on a terminal or in a log it is soon elsewhere. */
function sayReplaced(run: AgentRun, reply: { api_key: string }, more: readonly string[]): void {
  const { api_key: key, ...rest } = reply;
  const { keyPath: path } = run;
  const first = path === null ? printable(key) : `the new key is in ${path}`;
  say(run.output(), path === null ? reply : { ...rest, path }, [first, ...more].join('\n'));
}

const standingText = ({ standing }: RotateKeyReply): string[] =>
  standing.length === 0
    ? []
    : ['these keys still work:', table(standing.map(({ id, kind, key_prefix }) => [id, kind, `${key_prefix}…`]))];

function securedText({ ended, webhooks, recent_changes: changes }: SecureAccountReply): string[] {
  const gone = Object.entries(ended).flatMap(([what, count]) => (count === 0 ? [] : [`${count} ${what}`]));
  return [
    gone.length > 0 ? `ended: ${gone.join(', ')}` : 'nothing else had to be ended',
    ...webhooks.map(({ id, url }) => printable(`paused: webhook ${id} to ${url}`)),
    ...(changes.length === 0 ? [] : ['what changed in 30 days:']),
    ...changes.map(({ at, what, detail, count }) =>
      printable(`  ${at}  ${what}  ${detail}${count > 1 ? ` (${count} times)` : ''}`),
    ),
  ];
}

/** `whoami`, `rotate`, `secure`. */
export const addSelfCommands: AddCommands = (program, run) => {
  program
    .command('whoami')
    .description('show the account, its addresses, and what the key may do')
    .action(async () => {
      const client = run.client();
      const account = await client.getAccount();
      say(run.output(), { ...account, service: client.baseUrl }, accountText(account, client.baseUrl));
    });
  program
    .command('rotate')
    .description('replace the key, and keep the new one')
    .action(async () => {
      const reply = (await perform(run, 'rotateKey', {})) as RotateKeyReply;
      sayReplaced(run, reply, standingText(reply));
    });
  program
    .command('secure')
    .description('take the account back after its key was stolen: ends every other key, session and link')
    .option('--no-revert', 'leave what a key changed in 7 days')
    .action(async ({ revert }: { revert: boolean }) => {
      const reply = (await perform(run, 'secureAccount', revert ? {} : { revert })) as SecureAccountReply;
      sayReplaced(run, reply, securedText(reply));
    });
};

import type { Command } from 'commander';
import { ApiError } from '../../api/errors.ts';
import { iso } from '../../base/clock.ts';
import type { OperatorRules } from '../../features/top/admin/service-operator.ts';
import { CommandError, type Output, say, table } from '../output.ts';
import { type AdminRun, withOperator } from './command-context.ts';

async function replaceOperator(operator: OperatorRules, output: Output, id: string, email: string): Promise<void> {
  const notice = await operator.replaceOperator(id, email).catch((err: unknown): never => {
    throw err instanceof ApiError && err.status < 500 ? new CommandError(1, err.message) : err;
  });
  const ends_at = iso(notice.endsAt);
  const text = `${email} is asked at ${ends_at}, and replaces the operators of ${id} by confirming\nto keep them: signet account replace-operator ${id} ${email} --cancel`;
  say(output, { id: notice.id, account_id: id, email, ends_at }, text);
}

async function keepOperators(operator: OperatorRules, output: Output, id: string, email: string): Promise<void> {
  if (!(await operator.cancelReplacement(id, email)))
    throw new CommandError(1, `${email} is not going to replace the operators of account ${id}`);
  say(output, { ok: true, account_id: id }, `${id} keeps its operators`);
}

/** Adds `account remove-factor` and `account replace-operator` to `account`. */
export function addFactorCommands(account: Command, { output }: AdminRun, parseEmail: (text: string) => string): void {
  account
    .command('remove-factor <id> <factor>')
    .description('remove a backup key (by its prefix), a public key or an address in 72 hours; everyone is told')
    .action((id: string, factor: string) =>
      withOperator(async (operator) => {
        const notices = await operator.removeFactor(id, factor);
        if (notices.length === 0) throw new CommandError(1, `account ${id} has no such key or address`);
        const shown = notices.map(({ what, target, endsAt, ...notice }) => ({
          id: notice.id,
          what,
          target,
          ends_at: iso(endsAt),
        }));
        const rows = shown.map(({ what, target, ends_at }) => [what, target, `goes ${ends_at}`]);
        say(output(), { notices: shown }, table(rows));
      }),
    );

  account
    .command('replace-operator <id>')
    .description('replace operators who lost their mailboxes by another person in 72 hours; everyone is told')
    .argument('<email>', 'who replaces them', parseEmail)
    .option('--cancel', 'keep the operators')
    .action((id: string, email: string, { cancel }: { cancel?: boolean }) =>
      withOperator((operator) => (cancel ? keepOperators : replaceOperator)(operator, output(), id, email)),
    );
}

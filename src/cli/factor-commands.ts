import type { Command } from 'commander';
import { iso } from '../kernel/clock.ts';
import { type Output, say, table } from './output.ts';
import { CommandError, type Operator } from './ports.ts';

/** Opens the database for one command. */
type WithRemoval = (work: (operator: Pick<Operator, 'removeFactor'>, output: Output) => Promise<void>) => Promise<void>;

/** Adds `account remove-factor` to `account`. */
export function addFactorCommand(account: Command, withOperator: WithRemoval): void {
  account
    .command('remove-factor <id> <factor>')
    .description('remove a backup key (by its prefix), a public key or an address in 72 hours; everyone is told')
    .action((id: string, factor: string) =>
      withOperator(async (operator, output) => {
        const notices = await operator.removeFactor(id, factor);
        if (notices.length === 0) throw new CommandError(1, `account ${id} has no such key or address`);
        const shown = notices.map(({ what, target, endsAt, ...notice }) => ({
          ...{ id: notice.id, what, target, ends_at: iso(endsAt) },
        }));
        const rows = shown.map(({ what, target, ends_at }) => [what, target, `goes ${ends_at}`]);
        say(output, { notices: shown }, table(rows));
      }),
    );
}

import { InvalidArgumentError, Option } from 'commander';
import { usdc } from '../../base/usdc.ts';
import type { SetBudgetInputCaps } from '../../client/generated/operations.ts';
import { say, table } from '../output.ts';
import { EXIT } from './agent-failure.ts';
import { type AddCommands, type AgentRun, addWriteOptions, groupOf, parseCount } from './agent-run.ts';
import { callOptionsOf } from './table/agent-perform.ts';
import { PERSON_SECONDS, whenSettled } from './table/agent-wait.ts';

const DECIMALS = 6;

/** Reads USDC with a point. `3` could mean 3 USDC or 3 atomic units, so it is refused. @returns atomic units */
function parseAmount(text: string): number {
  const found = /^(\d{1,9})\.(\d{1,6})$/.exec(text);
  if (!found) throw new InvalidArgumentError('It must be USDC with a decimal point, such as 3.00.');
  const [, whole = '', part = ''] = found;
  const amount = Number(whole + part.padEnd(DECIMALS, '0'));
  if (amount === 0) throw new InvalidArgumentError('It must be more than 0.');
  return amount;
}

/** Like {@link parseAmount}; `none` removes a limit. */
const parseLimit = (text: string): number | null => (text === 'none' ? null : parseAmount(text));

/** Waits until a charge is decided. */
async function decided(run: AgentRun, id: string, seconds: number): Promise<void> {
  const client = run.client();
  const approval = await whenSettled(client, 'approval.resolved', seconds, () => client.getApproval({ id }));
  say(run.output(), approval, `${approval.status}  ${usdc(approval.amount_usdc)} USDC  ${id}`);
  run.exitCode = { approved: EXIT.ok, pending: EXIT.fault, rejected: EXIT.refused, expired: EXIT.refused }[
    approval.status
  ];
}

interface ChargeOptions {
  category?: string;
  description?: string;
  reference?: string;
  idempotencyKey?: string;
  dryRun?: boolean;
  wait?: boolean;
}

async function charge(run: AgentRun, amount: number, options: ChargeOptions): Promise<void> {
  const { category, description, reference: reference_id, wait } = options;
  const reply = await run.client().charge({ amount, category, description, reference_id }, callOptionsOf(options));
  if (reply.status === 'completed')
    return say(run.output(), reply, `charged ${usdc(reply.amount_usdc)} USDC  ${reply.charge_id}`);
  if (wait && !run.isDry) return decided(run, reply.approval_id, PERSON_SECONDS);
  run.exitCode = EXIT.person;
  const text = `not charged yet: ${reply.approval_id} waits for approval\nwait for it: signet approvals wait ${reply.approval_id}`;
  say(run.output(), reply, text);
}

interface BudgetOptions extends SetBudgetInputCaps {
  idempotencyKey?: string;
  dryRun?: boolean;
  single?: number | null;
  onLimit?: 'approve' | 'reject';
}

async function budget(run: AgentRun, options: BudgetOptions): Promise<void> {
  const { single, onLimit: on_limit, idempotencyKey, dryRun, ...caps } = options;
  const change = { ...caps, single_tx_limit_cents: single, on_limit };
  const isChange = Object.values(change).some((value) => value !== undefined);
  const shown = isChange
    ? (await run.client().setBudget(change, callOptionsOf({ idempotencyKey, dryRun }))).budget
    : await run.client().getBudget();
  const rows = Object.entries(shown.caps).map(([period, cap]) =>
    cap === null
      ? [period, 'no limit']
      : [
          period,
          `${usdc(cap.spent_usdc)} of ${usdc(cap.limit_usdc)} USDC spent, ${usdc(cap.remaining_usdc)} left`,
          `resets ${cap.resets_at}`,
        ],
  );
  const { single_tx_limit_cents: largest, on_limit: onOver } = shown.settings;
  rows.push(
    ['single charge', largest === null ? 'no limit' : `at most ${usdc(largest)} USDC`],
    ['over a limit', onOver],
  );
  say(run.output(), shown, table(rows));
}

/** `charge`, `budget`, `approvals`. */
export const addMoneyCommands: AddCommands = (program, run) => {
  addWriteOptions(program.command('charge'))
    .description('record what you spend, in USDC; exit code 6 when a person must approve it first')
    .argument('<amount>', 'USDC with a decimal point: 3.00', parseAmount)
    .option('--category <name>')
    .option('--description <text>')
    .option('--reference <id>', 'your own id of the purchase')
    .option('--wait', 'if a person must approve, wait for the decision')
    .addHelpText('after', '\nExample: signet charge 3.00 --description "map data"')
    .action((amount: number, options: ChargeOptions) => charge(run, amount, options));

  const limit = 'USDC with a decimal point, or none';
  addWriteOptions(program.command('budget'))
    .description('show the budget; with options, change it first')
    .option('--daily <usdc>', limit, parseLimit)
    .option('--weekly <usdc>', limit, parseLimit)
    .option('--monthly <usdc>', limit, parseLimit)
    .option('--single <usdc>', 'the largest single charge', parseLimit)
    .addOption(new Option('--on-limit <what>', 'over a limit: ask a person, or refuse').choices(['approve', 'reject']))
    .addHelpText('after', '\nExample: signet budget --daily 5.00 --on-limit approve')
    .action((options: BudgetOptions) => budget(run, options));

  groupOf(program, 'approvals')
    .command('wait <id>')
    .description('wait for the decision; exit code 5 when it is not approved, 1 when it is not decided in time')
    .option('--seconds <n>', 'how long to wait, 300 unless told', parseCount)
    .action((id: string, { seconds = PERSON_SECONDS }: { seconds?: number }) => decided(run, id, seconds));
};

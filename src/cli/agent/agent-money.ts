import { InvalidArgumentError, Option } from 'commander';
import { monotonicMs } from '../../base/clock.ts';
import type { SetBudgetInputCaps } from '../../client/generated/operations.ts';
import type { SignetClient } from '../../client/signet-client.ts';
import { printable, say, table } from '../output.ts';
import { EXIT } from './agent-failure.ts';
import { type AddCommands, type AgentRun, parseCount } from './agent-run.ts';

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

const usdc = (atomic: number | null | undefined): string => {
  if (atomic === null || atomic === undefined) return 'none';
  const digits = String(atomic).padStart(DECIMALS + 1, '0');
  const part = digits.slice(-DECIMALS).replace(/0{1,4}$/, '');
  return `${digits.slice(0, -DECIMALS)}.${part}`;
};

const SECONDS = 300;
const SECONDS_A_CALL = 60;

/** Waits until a charge is decided, with one call a minute. @returns the approval, pending after the time */
async function waitForApproval(client: SignetClient, id: string, seconds: number) {
  const end = monotonicMs() + seconds * 1000;
  const { events } = await client.listEvents({ order: 'desc', limit: 1 });
  let after = events[0]?.id;
  for (;;) {
    const approval = await client.getApproval({ id });
    const left = Math.ceil((end - monotonicMs()) / 1000);
    if (approval.status !== 'pending' || left <= 0) return approval;
    const wait = Math.min(SECONDS_A_CALL, left);
    const found = await client.listEvents(
      { after, type: 'approval.resolved', wait },
      { timeoutMs: (wait + 15) * 1000 },
    );
    after = found.events.at(-1)?.id ?? after;
  }
}

async function decided(run: AgentRun, id: string, seconds: number): Promise<void> {
  const approval = await waitForApproval(run.client(), id, seconds);
  say(run.output(), approval, `${approval.status}  ${usdc(approval.amount_usdc)} USDC  ${id}`);
  if (approval.status !== 'approved') run.exitCode = EXIT.refused;
}

interface ChargeOptions {
  category?: string;
  description?: string;
  reference?: string;
  idempotencyKey?: string;
  wait?: boolean;
}

async function charge(run: AgentRun, amount: number, options: ChargeOptions): Promise<void> {
  const { category, description, reference: reference_id, idempotencyKey, wait } = options;
  const input = { amount, category, description, reference_id };
  const reply = await run.client().charge(input, idempotencyKey === undefined ? {} : { idempotencyKey });
  if (reply.status === 'completed')
    return say(run.output(), reply, `charged ${usdc(reply.amount_usdc)} USDC  ${reply.charge_id}`);
  if (wait) return decided(run, reply.approval_id, SECONDS);
  const text = `not charged yet: ${reply.approval_id} waits for approval\nwait for it: signet approvals wait ${reply.approval_id}`;
  say(run.output(), reply, text);
}

interface BudgetOptions extends SetBudgetInputCaps {
  single?: number | null;
  onLimit?: 'approve' | 'reject';
}

async function budget(run: AgentRun, options: BudgetOptions): Promise<void> {
  const { single, onLimit: on_limit, ...caps } = options;
  const change = { ...caps, single_tx_limit_cents: single, on_limit };
  if (Object.values(change).some((value) => value !== undefined)) await run.client().setBudget(change);
  const shown = await run.client().getBudget();
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
  program
    .command('charge')
    .description('record what you spend, in USDC')
    .argument('<amount>', 'USDC with a decimal point: 3.00', parseAmount)
    .option('--category <name>')
    .option('--description <text>')
    .option('--reference <id>', 'your own id of the purchase')
    .option('--idempotency-key <key>', 'repeat the command with the same key: it charges once')
    .option('--wait', 'if a person must approve, wait for the decision')
    .addHelpText('after', '\nExample: signet charge 3.00 --description "map data"')
    .action((amount: number, options: ChargeOptions) => charge(run, amount, options));

  const limit = 'USDC with a decimal point, or none';
  program
    .command('budget')
    .description('show the budget; with options, change it first')
    .option('--daily <usdc>', limit, parseLimit)
    .option('--weekly <usdc>', limit, parseLimit)
    .option('--monthly <usdc>', limit, parseLimit)
    .option('--single <usdc>', 'the largest single charge', parseLimit)
    .addOption(new Option('--on-limit <what>', 'over a limit: ask a person, or refuse').choices(['approve', 'reject']))
    .addHelpText('after', '\nExample: signet budget --daily 5.00 --on-limit approve')
    .action((options: BudgetOptions) => budget(run, options));

  const approvals = program.command('approvals').description('charges that a person decides').helpCommand(false);
  approvals
    .command('list')
    .addOption(new Option('--status <status>').choices(['pending', 'approved', 'rejected', 'expired', 'all']))
    .action(async ({ status }: { status?: string }) => {
      const page = await run.client().listApprovals({ status: status as 'all' | undefined });
      const rows = page.approvals.map(({ id, amount_usdc, status: state, expires_at, category }) => [
        ...[id, usdc(amount_usdc), state, expires_at, printable(category)],
      ]);
      say(run.output(), page, table(rows));
    });
  approvals
    .command('wait <id>')
    .description('wait for the decision; exit code 5 when it is not approved')
    .option('--seconds <n>', 'how long to wait, 300 unless told', parseCount)
    .action((id: string, { seconds = SECONDS }: { seconds?: number }) => decided(run, id, seconds));
};

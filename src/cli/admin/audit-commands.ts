import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { iso } from '../../base/clock.ts';
import type { ChainReport } from '../../features/record/audit/audit-log.ts';
import type { OperatorRules } from '../../features/top/admin/service-operator.ts';
import { CommandError, type Output, printable, say } from '../output.ts';
import { type AdminRun, withOperator } from './command-context.ts';

const PROBLEMS = {
  missing: 'is missing',
  altered: 'was altered',
  unlinked: 'does not follow from the entry before it',
  forged: 'is not the entry that was signed',
} as const;

const faultText = ({ accountId, fault }: ChainReport): string =>
  fault ? `${accountId}: entry ${fault.seq} ${PROBLEMS[fault.problem]}` : '';

async function verify(operator: OperatorRules, output: Output, id: string | null): Promise<void> {
  let chains = 0;
  let entries = 0;
  const faulty: ChainReport[] = [];
  for await (const report of operator.verifyAudit(id)) {
    chains += 1;
    entries += report.entries;
    if (report.fault) faulty.push(report);
  }
  if (id !== null && entries === 0 && faulty.length === 0)
    throw new CommandError(1, `there are no audit entries of ${printable(id)}`);
  const faults = faulty.map(({ accountId, fault }) => ({ account_id: accountId, ...fault }));
  const text =
    faulty.length > 0
      ? faulty.map(faultText).join('\n')
      : `${entries} entries in ${chains} ${chains === 1 ? 'chain' : 'chains'} are valid`;
  say(output, { ok: faulty.length === 0, chains, entries, faults }, text);
  if (faulty.length > 0) throw new CommandError(1, 'the audit log was changed or its storage is damaged');
}

async function anchor(operator: OperatorRules, output: Output, file: string | undefined): Promise<void> {
  const { anchor, chains, entries, at, heads } = await operator.anchorAudit();
  // An existing file may be the list of an anchor that is already published.
  if (file !== undefined) writeFileSync(file, heads, { flag: 'wx', mode: 0o600 });
  const text = `${anchor}\n${entries} entries in ${chains} ${chains === 1 ? 'chain' : 'chains'} at ${iso(at)}`;
  say(output, { anchor, chains, entries, at: iso(at) }, text);
}

/** Adds `audit …` to the program. */
export function addAuditCommands(program: Command, { output }: AdminRun): void {
  const audit = program.command('audit').description('check the audit log').helpCommand(false);

  audit
    .command('anchor')
    .description('print one hash over all chains, to publish elsewhere')
    .option('--heads <file>', 'also write the list that the hash covers to a new file')
    .action((options: { heads?: string }) => withOperator((operator) => anchor(operator, output(), options.heads)));

  audit
    .command('verify [id]')
    .description('verify the hash chain of one account or of all, and report the first invalid entry of each')
    .action((id: string | undefined) => withOperator((operator) => verify(operator, output(), id ?? null)));
}

import type { Command } from 'commander';
import type { Database } from '../../api/transaction.ts';
import { systemClock } from '../../base/clock.ts';
import { RELEASE } from '../../base/version.ts';
import type { Config } from '../../config/service-config.ts';
import { MIGRATION_IDS } from '../../db/migrate.ts';
import { claimDatabase, migrate } from '../../db/open.ts';
import { examine } from '../../features/top/admin/doctor.ts';
import type { Check } from '../../features/top/admin/doctor-check.ts';
import { CommandError, say, table } from '../output.ts';
import { type AdminRun, featuresWithoutKey, readConfiguration } from './command-context.ts';
import { mailSetup } from './mail-commands.ts';
import { serve } from './serve.ts';

/** Works also when no master key fits. */
async function examineKeysOf(config: Config, database: Database) {
  const { examineSecrets, sealedColumnsOf } = await import('../../secrets.ts');
  const { parts } = await featuresWithoutKey(config, database);
  return examineSecrets(config, database, sealedColumnsOf(parts));
}

async function doctor(): Promise<Check[]> {
  let config: Config;
  try {
    config = readConfiguration();
  } catch (err) {
    if (!(err instanceof CommandError)) throw err;
    return [{ name: 'config', status: 'fail', message: err.message, remedy: 'docs/operator.md lists the variables' }];
  }
  return examine({
    ...config,
    version: RELEASE,
    migrations: MIGRATION_IDS,
    examineSecrets: (database) => examineKeysOf(config, database),
    now: () => systemClock.now(),
  });
}

const doctorText = (checks: readonly Check[]): string =>
  table(
    checks.map(({ status, name, message, remedy }) => [
      status,
      name,
      remedy === undefined ? message : `${message}. ${remedy}`,
    ]),
  );

/** Adds `serve`, `migrate` and `doctor` to the program. */
export function addServiceCommands(program: Command, run: AdminRun): void {
  program
    .command('serve')
    .description('run the service until SIGTERM or SIGINT')
    .action(async () => {
      run.exitCode = await serve(run.output());
    });
  program
    .command('migrate')
    .description('update the database schema (serve also does this)')
    .action(async () => {
      const config = readConfiguration();
      const applied = await migrate(config, () => claimDatabase(config));
      const text = applied.length > 0 ? applied.join('\n') : 'nothing to do, the schema is up to date';
      say(run.output(), { applied }, text);
    });
  program
    .command('doctor')
    .description('check configuration, data, ports and mail, and suggest fixes')
    .option('--dns', 'also check the DNS, port 25, TLS and blocklists')
    .action(async ({ dns }: { dns?: boolean }) => {
      const checks = [...(await doctor()), ...(dns ? await (await mailSetup()).checkDns() : [])];
      const ok = checks.every(({ status }) => status !== 'fail');
      say(run.output(), { ok, checks }, doctorText(checks));
      run.exitCode = ok ? 0 : 1;
    });
}

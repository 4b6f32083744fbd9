/**
 * Runs the benchmarks. Each measures ours and a peer in one run, because only ratios compare between machines.
 *
 *     npm run bench [-- --json] [name ...]      calls, charge, charge-scale, group-commit, start, memory, smtp, auth, trust-scale, vault,
 *                                      vault-scale, codes, screening, scale; all of them without a name
 *
 * The table shows what moved since the last run that was kept, which is made by
 * `npm run --silent bench -- --json > bench/last.json`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { bench as auth } from './auth.ts';
import { bench as calls } from './calls.ts';
import { bench as charge } from './charge.ts';
import { bench as chargeScale } from './charge-scale.ts';
import { bench as groupCommit } from './group-commit.ts';
import { bench as memory } from './memory.ts';
import { type Row, tableOf } from './rig/result.ts';
import { bench as scale } from './scale.ts';
import { codes, screening } from './screening.ts';
import { bench as smtp } from './smtp.ts';
import { bench as start } from './start.ts';
import { bench as trustScale } from './trust-scale.ts';
import { bench as vault } from './vault.ts';
import { bench as vaultScale } from './vault-scale.ts';

const BENCHES = {
  calls,
  charge,
  'charge-scale': chargeScale,
  'group-commit': groupCommit,
  start,
  memory,
  smtp,
  auth,
  'trust-scale': trustScale,
  vault,
  'vault-scale': vaultScale,
  codes,
  screening,
  scale,
};

type Name = keyof typeof BENCHES;
const isName = (name: string): name is Name => Object.hasOwn(BENCHES, name);

/** The result as JSON goes to the output, everything else past it. */
const asJson = process.argv.includes('--json');
const print = (line: string): void => void (asJson ? process.stderr : process.stdout).write(`${line}\n`);

const LAST = new URL('./last.json', import.meta.url);

/** The ratios of the run that was kept, by question. */
const lastRatios = (): ReadonlyMap<string, number | null> =>
  new Map(
    existsSync(LAST)
      ? (JSON.parse(readFileSync(LAST, 'utf8')) as { rows: Row[] }).rows.map(({ what, ratio }) => [what, ratio])
      : [],
  );

/** `bench/smtp.ts`, as completed by a shell, means `smtp`. */
const names = process.argv.slice(2).filter((argument) => argument !== '--json');
const wanted = names.map((argument) => argument.replace(/^.*\//, '').replace(/\.ts$/, ''));
const unknown = wanted.filter((name) => !isName(name));
if (unknown.length > 0) {
  process.stderr.write(`no benchmark ${unknown.join(', ')}; there are ${Object.keys(BENCHES).join(', ')}\n`);
  process.exit(2);
}

// Measurements on a busy machine mean little. The load before the first one shows whether it was busy.
const load = loadavg()[0] as number;
const rows: Row[] = [];
for (const name of wanted.length > 0 ? wanted.filter(isName) : (Object.keys(BENCHES) as Name[])) {
  const { question, run } = BENCHES[name];
  print(`\n${name}: ${question}`);
  rows.push(...(await run((line) => print(`  ${line}`))));
}
const machine = `${availableParallelism()} cores, ${cpus()[0]?.model ?? 'unknown'}, load ${load.toFixed(1)} at the start, Node ${process.version}`;
print(`\n${machine}\n`);
if (asJson) process.stdout.write(`${JSON.stringify({ machine, rows }, null, 2)}\n`);
else print(tableOf(rows, lastRatios()));

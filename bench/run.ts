/**
 * Runs the benchmarks. Each measures ours and a peer in one run, because only ratios compare between machines.
 *
 *     npm run bench [-- --json] [--keep] [name ...]
 *     npm run bench -- versus REF [--json] [--keep]
 *
 * Names are those below; without one, all run in that order. `versus` compares with another version instead. The table shows what moved since the last run that was kept:
 * `--keep` writes `bench/last.json` and the table of docs/performance.md.
 */
import { availableParallelism, cpus, loadavg } from 'node:os';
import { bench as calls } from './calls.ts';
import { bench as charge } from './charge.ts';
import { bench as chargeScale } from './charge-scale.ts';
import { bench as groupCommit } from './group-commit.ts';
import { bench as imap } from './imap.ts';
import { bench as latency } from './latency.ts';
import { bench as memory } from './memory.ts';
import { bench as pages } from './pages.ts';
import { bench as reads } from './reads.ts';
import { comparedTable } from './rig/compared.ts';
import { keep, keepPages, keepVersus, lastColumn } from './rig/kept.ts';
import { type Row, tableOf } from './rig/result.ts';
import { bench as scale } from './scale.ts';
import { codes, screening } from './screening.ts';
import { bench as smtp } from './smtp.ts';
import { bench as start } from './start.ts';
import { bench as tokens } from './tokens.ts';
import { bench as trustScale } from './trust-scale.ts';
import { bench as vault } from './vault.ts';
import { bench as vaultScale } from './vault-scale.ts';
import { Unusable, versus } from './versus.ts';

/** Those of the goals first, in the order of their table. */
const BENCHES = {
  calls,
  reads,
  vault,
  charge,
  tokens,
  smtp,
  imap,
  latency,
  memory,
  start,
  pages,
  'group-commit': groupCommit,
  'charge-scale': chargeScale,
  'vault-scale': vaultScale,
  'trust-scale': trustScale,
  codes,
  screening,
  scale,
};

type Name = keyof typeof BENCHES;
const isName = (name: string): name is Name => Object.hasOwn(BENCHES, name);

/** The result as JSON goes to the output, everything else past it. */
const asJson = process.argv.includes('--json');
const print = (line: string): void => void (asJson ? process.stderr : process.stdout).write(`${line}\n`);

/** Measurements on a busy machine mean little. The load before the first one shows whether it was busy. */
const load = loadavg()[0] as number;
const began = performance.now();
function machineNow(): string {
  const took = `${((performance.now() - began) / 60_000).toFixed(1)} minutes`;
  return `${availableParallelism()} cores, ${cpus()[0]?.model ?? 'unknown'}, load ${load.toFixed(1)} at the start, Node ${process.version}, ${took}`;
}

/** @returns the exit code */
async function runVersus(ref: string | undefined): Promise<number> {
  try {
    const { about, rows, isWhole } = await versus(ref, print);
    const [machine, table] = [machineNow(), comparedTable(rows)];
    print(`\n${about}\n${machine}\n`);
    if (asJson) process.stdout.write(`${JSON.stringify({ about, machine, rows }, null, 2)}\n`);
    else print(table);
    if (!process.argv.includes('--keep')) return 0;
    if (isWhole) keepVersus(`${about}. ${machine}`, table);
    else print('not kept: a run of some calls, or a try');
    return 0;
  } catch (err) {
    process.stderr.write(`${err instanceof Unusable ? err.message : (err as Error).stack}\n`);
    return err instanceof Unusable ? 2 : 1;
  }
}

/** `bench/smtp.ts`, as completed by a shell, means `smtp`. */
const names = process.argv.slice(2).filter((argument) => argument !== '--json' && argument !== '--keep');
// A signal would leave processes that are stopped.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
if (names[0] === 'versus') process.exit(await runVersus(names[1]));
const wanted = names.map((argument) => argument.replace(/^.*\//, '').replace(/\.ts$/, ''));
const unknown = wanted.filter((name) => !isName(name));
if (unknown.length > 0) {
  process.stderr.write(`no benchmark ${unknown.join(', ')}; there are ${Object.keys(BENCHES).join(', ')}\n`);
  process.exit(2);
}

const rows: Row[] = [];
const ofPages: Row[] = [];
for (const name of wanted.length > 0 ? wanted.filter(isName) : (Object.keys(BENCHES) as Name[])) {
  const { question, run } = BENCHES[name];
  print(`\n${name}: ${question}`);
  const since = performance.now();
  try {
    (name === 'pages' ? ofPages : rows).push(...(await run((line) => print(`  ${line}`))));
  } catch (err) {
    // The others are worth having: a run takes minutes.
    process.exitCode = 1;
    print(`FAILED: ${err instanceof Error ? err.stack : err}`);
  }
  print(`  ${name} took ${((performance.now() - since) / 1000).toFixed(0)} s`);
}
const machine = machineNow();
print(`\n${machine}\n`);
if (asJson) process.stdout.write(`${JSON.stringify({ machine, rows: [...rows, ...ofPages] }, null, 2)}\n`);
else print(tableOf([...rows, ...ofPages], lastColumn()));
if (process.argv.includes('--keep')) {
  if (ofPages.length > 0) keepPages(machine, ofPages);
  if (rows.length > 0) keep({ machine, rows }, wanted.length === 0 && process.exitCode === undefined);
}

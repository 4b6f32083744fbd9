/**
 * Writes everything that is generated from a table in the code: the list of operations, the operations of both clients and
 * of the command line, and the tables in docs/, compose.yaml and deploy/ between `<!-- generated: NAME -->` and `<!-- /generated -->`.
 *
 *     npm run generate            writes what has changed
 *     npm run generate -- --check names what is stale, and exits 1 if anything is
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { clientSource } from './client-source.ts';
import { DEPLOY_TABLES } from './deploy-tables.ts';
import { DOC_TABLES } from './doc-tables.ts';
import { listEndpoints } from './endpoint-list.ts';
import { operationSnapshot, wholeDocument } from './operation-snapshot.ts';
import { operationTable } from './operation-table.ts';
import { pythonSource } from './python-source.ts';
import { pythonTypes } from './python-types.ts';
import { tableStatements } from './table-statements.ts';

const MARKED = /((?:<!-- | *# )generated: ([a-z-]+)(?: -->)?\n)[\s\S]*?((?<=\n)(?:<!-- | *# )\/generated(?: -->)?$)/gm;
/** A word within a line, such as a number in a table. */
const MARKED_WORD = /(<!-- generated: ([a-z-]+) -->)[^\n<]*(<!-- \/generated -->)/g;
/** Files beside docs/ with generated parts. */
const DEPLOYED = ['README.md', 'compose.yaml', 'deploy/systemd/signet.env'];

const root = fileURLToPath(new URL('../', import.meta.url));

/** A page with its generated parts up to date. @throws Error for a part without a table */
function filledPage(path: string): string {
  const made = (name: string): string => {
    const make = DOC_TABLES[name] ?? DEPLOY_TABLES[name];
    if (!make) throw new Error(`${path}: nothing generates ${name}`);
    return make();
  };
  return readFileSync(root + path, 'utf8')
    .replace(MARKED, (_whole, start: string, name: string, end: string) => `${start}${made(name)}\n${end}`)
    .replace(MARKED_WORD, (_whole, start: string, name: string, end: string) => `${start}${made(name)}${end}`);
}

/** Every generated file and its current content. */
async function generatedFiles(): Promise<Map<string, string>> {
  const endpoints = await listEndpoints();
  const files = new Map([
    ['test/contract/operations.txt', operationSnapshot(endpoints)],
    ['src/client/generated/operations.ts', clientSource(endpoints)],
    ['src/cli/agent/operation-table.ts', operationTable(endpoints)],
    ['test/contract/table-statements.txt', tableStatements()],
    ['clients/python/signet_client/_operations.py', pythonSource(endpoints)],
    ['clients/python/signet_client/replies.py', pythonTypes(endpoints)],
  ]);
  for (const name of readdirSync(`${root}docs`).filter((file) => file.endsWith('.md')))
    files.set(`docs/${name}`, filledPage(`docs/${name}`));
  for (const path of DEPLOYED) files.set(path, filledPage(path));
  return files;
}

const written = (path: string): string => (existsSync(root + path) ? readFileSync(root + path, 'utf8') : '');
const stale = [...(await generatedFiles())].filter(([path, text]) => written(path) !== text);
if (process.argv.includes('--check')) {
  for (const [path] of stale) console.error(`${path} is out of date: npm run generate`);
  if (stale.length > 0) process.exitCode = 1;
} else {
  for (const [path, text] of stale) {
    writeFileSync(root + path, text);
    console.log(`wrote ${path}`);
  }
  // For other programs: with every text, and too long for a review.
  mkdirSync(`${root}dist`, { recursive: true });
  writeFileSync(`${root}dist/openapi.json`, `${JSON.stringify(wholeDocument(listEndpoints()), null, 2)}\n`);
}

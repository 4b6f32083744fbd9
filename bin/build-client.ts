/**
 * Builds the client library as a package without dependencies: `npm run build:client [folder]`, `dist` unless told.
 * `npm pack ./dist` then makes the file that others install.
 *
 * The sources cannot be shipped as they are: Node does not run TypeScript from node_modules.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import packageJson from '../package.json' with { type: 'json' };
import { importsOfModules, readClientModules } from '../src/web/site/client-modules.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = resolve(process.argv[2] ?? join(root, 'dist'));
const modules = join(folder, 'client');

rmSync(modules, { recursive: true, force: true });
mkdirSync(modules, { recursive: true });
for (const [name, script] of readClientModules()) writeFileSync(join(modules, name), script);

const compiler = join(root, 'node_modules/typescript/bin/tsc');
const flags = ['-p', join(root, 'src/client'), '--outDir', modules];
execFileSync(process.execPath, [compiler, ...flags, '--noEmit', 'false', '--declaration', '--emitDeclarationOnly']);
const declarations = readdirSync(modules, { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.d.ts'),
);
for (const path of declarations)
  writeFileSync(join(modules, basename(path)), importsOfModules(readFileSync(join(modules, path), 'utf8')));
rmSync(join(modules, 'generated'), { recursive: true });

const { name, version, license } = packageJson;
const description = 'The typed client of Signet, the identity service for AI agents. Node and browsers, no dependency.';
// The same door as the repository's own package.json, from where this one stands.
const exports = { './client': { types: './client/client.d.ts', default: './client/client.js' } };
const manifest = { name, version, description, license, type: 'module', engines: { node: '>=20' }, exports };
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
copyFileSync(join(root, 'docs/client.md'), join(folder, 'README.md'));

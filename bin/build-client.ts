/**
 * Builds the client library as a package without dependencies: `npm run build:client [folder]`, `dist` unless told.
 * `npm pack ./dist` then makes the file that others install or that is published.
 *
 * The sources cannot be shipped as they are: Node does not run TypeScript from node_modules. `client/` has the modules,
 * `cjs/` one file for `require`, each with its own declarations: TypeScript reads a declaration as the kind of module that
 * the package.json next to it says.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import packageJson from '../package.json' with { type: 'json' };
import { PACKAGE_NAME } from '../src/client/package-name.ts';
import { importsOfModules, readClientModules } from '../src/web/site/client-modules.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = resolve(process.argv[2] ?? join(root, 'dist'));
const modules = join(folder, 'client');
const common = join(folder, 'cjs');

for (const each of [modules, common]) {
  rmSync(each, { recursive: true, force: true });
  mkdirSync(each, { recursive: true });
}
for (const [name, script] of readClientModules()) writeFileSync(join(modules, name), script);

const compiler = join(root, 'node_modules/typescript/bin/tsc');
const flags = ['-p', join(root, 'src/client'), '--outDir', modules];
execFileSync(process.execPath, [compiler, ...flags, '--noEmit', 'false', '--declaration', '--emitDeclarationOnly']);
const declarations = readdirSync(modules, { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.d.ts'),
);
for (const path of declarations) {
  const text = importsOfModules(readFileSync(join(modules, path), 'utf8'));
  for (const each of [modules, common]) writeFileSync(join(each, basename(path)), text);
}
rmSync(join(modules, 'generated'), { recursive: true });
buildSync({
  entryPoints: [join(modules, 'client.js')],
  outfile: join(common, 'client.js'),
  bundle: true,
  format: 'cjs',
});

const writeJson = (path: string, content: object): void =>
  writeFileSync(join(folder, path), `${JSON.stringify(content, null, 2)}\n`);
// Without `exports`, which older resolution does not read, the second name of the package is this folder.
writeJson('client/package.json', { type: 'module', main: '../cjs/client.js', types: './client.d.ts' });
writeJson('cjs/package.json', { type: 'commonjs' });

const doors = {
  import: { types: './client/client.d.ts', default: './client/client.js' },
  require: { types: './cjs/client.d.ts', default: './cjs/client.js' },
};
const { version, license } = packageJson;
writeJson('package.json', {
  name: PACKAGE_NAME,
  version,
  description: 'The typed client of Signet, the identity service for AI agents. Node and browsers, no dependency.',
  keywords: ['agent', 'identity', 'email', 'vault', 'mcp'],
  license,
  type: 'module',
  engines: { node: '>=20' },
  main: './cjs/client.js',
  types: './cjs/client.d.ts',
  exports: { '.': doors, './client': doors, './package.json': './package.json' },
  files: ['client', 'cjs'],
  sideEffects: false,
});
copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
copyFileSync(join(root, 'clients/typescript/README.md'), join(folder, 'README.md'));

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import packageJson from '../../package.json' with { type: 'json' };
import { deadCode } from './dead-code.ts';
import { readSources } from './syntax.ts';

const deadIn = (sources: Record<string, string>, dependencies: string[] = []): Promise<string[]> =>
  deadCode(new Map(Object.entries(sources)), dependencies);

describe('dead code', () => {
  it('does not exist in the project', async () => {
    const sources = readSources('{src,test,bench,bin,tools}/**/*.ts');
    assert.deepEqual(await deadCode(sources, Object.keys(packageJson.dependencies)), []);
  });

  it('is a file that no file imports', async () => {
    assert.deepEqual(await deadIn({ 'src/main.ts': '', 'src/base/ids.ts': '' }), [
      'src/base/ids.ts: no file imports it',
    ]);
  });

  it('is an export that no other file imports, also if its own file uses it', async () => {
    const ids =
      'export const a = 1;\nexport function b() {}\nexport class C {}\nconst d = b;\nexport { d as e, a as f };\n';
    assert.deepEqual(await deadIn({ 'src/main.ts': "import { a, f } from './ids.ts';", 'src/ids.ts': ids }), [
      'src/ids.ts:2 b: no other file imports it',
      'src/ids.ts:3 C: no other file imports it',
      'src/ids.ts:5 e: no other file imports it',
    ]);
  });

  it('is a type that no code uses', async () => {
    const ids =
      'export interface A { b: B }\nexport type B = 1;\nexport type C = 2;\nexport const a: A | null = null;\n';
    assert.deepEqual(await deadIn({ 'src/main.ts': "import { a } from './ids.ts';", 'src/ids.ts': ids }), [
      'src/ids.ts:3 C: no other file imports it',
    ]);
  });

  it('is a file that only tests import', async () => {
    const sources = {
      'src/base/ids.ts': 'export const a = 1;\nexport const b = a;\n',
      'src/base/ids.test.ts': "import { a, b } from './ids.ts';",
    };
    assert.deepEqual(await deadIn(sources), ['src/base/ids.ts: only tests import it']);
  });

  it('is an export that only tests use', async () => {
    const sources = {
      'src/main.ts': "import { c } from './ids.ts';",
      'src/ids.ts': 'export const a = 1;\nexport const b = 2;\nexport const c = b;\n',
      'src/ids.test.ts': "import { a, b } from './ids.ts';",
    };
    assert.deepEqual(await deadIn(sources), ['src/ids.ts:1 a: only tests use it']);
  });

  it('is a dependency that src does not import; a missing dependency is reported too', async () => {
    const sources = {
      'src/main.ts':
        "import fs from 'node:fs';\nimport { x } from '@scope/used/deep';\nimport y from 'missing';\nimport type { T } from 'types-only';\nexport const z = () => import('lazy/deep');\nconst w = () => require('required');\n",
      'src/main.test.ts': "import z from 'tests-only';",
    };
    assert.deepEqual(await deadIn(sources, ['@scope/used', 'lazy', 'required', 'unused']), [
      'package.json: no file in src imports unused',
      'package.json: src imports missing',
    ]);
  });

  it('is not an export that is renamed, re-exported, or imported as a namespace, as a type, at run time or by file name', async () => {
    const sources = {
      'src/main.ts': [
        "import { a as b } from './a.ts';",
        "import * as c from './c.ts';",
        "export { d } from './d.ts';",
        "type E = import('./e.ts').E;",
        "const f = import('./f.ts');",
        "new Worker(new URL('./g.ts', import.meta.url));",
        "import version from '../package.json' with { type: 'json' };",
      ].join('\n'),
      'src/a.ts': 'export const a = 1;',
      'src/c.ts': 'export const c = 1;',
      'src/d.ts': 'export const d = 1;',
      'src/e.ts': 'export type E = 1;',
      'src/f.ts': 'export const f = 1;',
      'src/g.ts': '',
    };
    assert.deepEqual(await deadIn(sources), []);
  });
});

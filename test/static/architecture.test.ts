import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { architectureViolations } from './architecture-rules.ts';
import { readSources, type Sources } from './syntax.ts';

async function violationsIn(sources: Sources): Promise<string[]> {
  const violations = await architectureViolations(sources);
  return violations.map(({ path, line, rule, message }) => `${path}:${line} ${rule}: ${message}`);
}

const lines = (count: number, text = '  work();\n'): string => text.repeat(count);
const imports = (specifier: string): string => `import { x } from '${specifier}';\n`;
const query = (text: string): string => `export const q = (db) => ${text};\n`;

/** Sources that break a rule, with exactly the messages that must be reported. */
const REFUSED: Record<string, { sources: Record<string, string>; said: RegExp[] }> = {
  'a folder the design does not know': {
    sources: { 'src/services/mail.ts': '' },
    said: [/^src\/services\/mail\.ts:1 place/],
  },
  'a role the design does not know': {
    sources: { 'src/features/keys/key-manager.ts': '', 'src/features/keys/routes.ts': '' },
    said: [/key-manager\.ts:1 place/, /keys\/routes\.ts:1 place/],
  },
  'a folder inside a feature': {
    sources: { 'src/features/keys/rules/key-rules.ts': '' },
    said: [/place/],
  },
  'kernel importing db': {
    sources: { 'src/kernel/ids.ts': imports('../db/open.ts'), 'src/db/open.ts': '' },
    said: [/^src\/kernel\/ids\.ts:1 import: kernel may not import db: src\/db\/open\.ts/],
  },
  'a type imported upward': {
    sources: {
      'src/db/open.ts': "\nimport type { A } from '../http/server.ts';\nexport type B = import('../app.ts').C;",
    },
    said: [/^src\/db\/open\.ts:2 import: db may not import http/, /open\.ts:3 import: db may not import app/],
  },
  'an import written as a call': {
    sources: { 'src/http/server.ts': "export const load = () => import('../db/open.ts');" },
    said: [/http may not import db/],
  },
  'a type passed on from above': {
    sources: { 'src/kernel/ids.ts': "export type { A } from '../db/open.ts';" },
    said: [/kernel may not import db/],
  },
  'mail importing db, http importing push': {
    sources: { 'src/mail/mime.ts': imports('../db/open.ts'), 'src/http/reply.ts': imports('../push/sse.ts') },
    said: [/mail may not import db/, /http may not import push/],
  },
  'routes importing a store': {
    sources: { 'src/features/keys/key-routes.ts': imports('./key-store.ts') },
    said: [/routes may not import own store/],
  },
  "routes importing another feature's rules": {
    sources: { 'src/features/keys/key-routes.ts': imports('../pods/pod-rules.ts') },
    said: [/routes may not import other rules/],
  },
  "rules importing another feature's store": {
    sources: { 'src/features/keys/key-rules.ts': imports('../pods/pod-store.ts') },
    said: [/rules may not import other store/],
  },
  'rules importing routes, http, config': {
    sources: {
      'src/features/keys/key-rules.ts':
        imports('./key-routes.ts') + imports('../../http/reply.ts') + imports('../../config.ts'),
    },
    said: [/:1 .*own routes/, /:2 .*http/, /:3 .*config/],
  },
  'a store importing rules or another store': {
    sources: { 'src/features/keys/key-store.ts': imports('./key-rules.ts') + imports('./session-store.ts') },
    said: [/:1 .*own rules/, /:2 .*own store/],
  },
  'the command line reaching past the API': {
    sources: { 'src/cli/signet.ts': imports('../features/keys/key-rules.ts') },
    said: [/cli may not import other rules/],
  },
  'the client library importing what is not its own': {
    sources: { 'src/client/vault.ts': imports('../kernel/ids.ts') + imports('node:crypto') + imports('jose') },
    said: [/:1 import: client may not import kernel/, /:2 package: node:crypto/, /:3 package: jose/],
  },
  'the console reaching past the client, a package, a page knowing another page': {
    sources: {
      'src/console/mail-page.ts': imports('../kernel/ids.ts') + imports('jose') + imports('./vault-page.ts'),
      'src/console/vault-page.ts': imports('./pages.ts'),
      'src/console/pages.ts': imports('./mail-page.ts'),
    },
    said: [
      /mail-page\.ts:1 import: console page may not import kernel/,
      /mail-page\.ts:3 import: console page may not import console page/,
      /vault-page\.ts:1 import: console page may not import console pages/,
      /mail-page\.ts:2 package: jose/,
      /circle: src\/console\/mail-page\.ts/,
    ],
  },
  'production code importing a test': {
    sources: { 'src/app.ts': imports('../test/support/harness.ts') },
    said: [/app may not import this: test\/support\/harness\.ts/],
  },
  'fastify outside http': {
    sources: { 'src/app.ts': imports('fastify'), 'src/push/websocket.ts': imports('@fastify/websocket') },
    said: [/^src\/app\.ts:1 package: fastify/, /^src\/push\/websocket\.ts:1 package/],
  },
  'a database driver outside db': {
    sources: {
      'src/features/keys/key-store.ts': imports('pg') + imports('node:sqlite'),
      'src/features/keys/key-rules.ts': imports('kysely'),
    },
    said: [/key-store\.ts:1 package: pg/, /key-store\.ts:2 package: node:sqlite/, /key-rules\.ts:1 package: kysely/],
  },
  'features that need each other': {
    sources: {
      'src/features/keys/key-rules.ts': imports('../pods/pod-rules.ts'),
      'src/features/pods/pod-rules.ts': imports('../budgets/charge-rules.ts'),
      'src/features/budgets/budget-rules.ts': imports('../keys/key-rules.ts'),
      'src/features/budgets/charge-rules.ts': '',
    },
    said: [/budget-rules\.ts:1 feature-cycle: keys -> pods -> budgets -> keys/],
  },
  'files that import each other, a type included': {
    sources: {
      'src/kernel/ids.ts': imports('./page.ts'),
      'src/kernel/page.ts': "import type { A } from './period.ts';\n",
      'src/kernel/period.ts': `\n${imports('./ids.ts')}`,
    },
    said: [
      /period\.ts:2 circle: src\/kernel\/ids\.ts -> src\/kernel\/page\.ts -> src\/kernel\/period\.ts -> src\/kernel\/ids\.ts/,
    ],
  },
  'a file that imports itself': {
    sources: { 'src/kernel/ids.ts': imports('./ids.ts') },
    said: [/ids\.ts:1 circle: src\/kernel\/ids\.ts -> src\/kernel\/ids\.ts/],
  },
  'a table in two stores': {
    sources: {
      'src/features/keys/key-store.ts': query("db.selectFrom('accounts as a').selectAll()"),
      'src/features/pods/pod-store.ts': query("\ndb.selectFrom('pods').innerJoin('accounts', 'a', 'b')"),
    },
    said: [/pod-store\.ts:2 table: accounts is named in src\/features\/keys\/key-store\.ts already/],
  },
  'a table in a store and in raw SQL elsewhere': {
    sources: {
      'src/features/keys/key-store.ts': query("db.insertInto('accounts')"),
      'src/features/pods/pod-store.ts':
        "import { sql as raw } from 'kysely';\n" +
        query('raw<Row>`with due as (select 1) select * from due d left join "accounts" on d.id = $' + '{db}`'),
      'src/features/tokens/token-store.ts':
        query('sql`update accounts set a = 1`') + query('sql`insert into accounts (id)`'),
      'src/jobs/job-store.ts': query("sql.raw('delete from accounts')") + query("sql.table('accounts')"),
    },
    said: [/pod-store/, /token-store\.ts:1/, /token-store\.ts:2/, /job-store\.ts:1/, /job-store\.ts:2/],
  },
  'a query outside a store': {
    sources: { 'src/features/keys/key-rules.ts': query("db.deleteFrom('keys')") },
    said: [/key-rules\.ts:1 table: keys is named outside a store/],
  },
  'process.env outside config': {
    sources: {
      'src/app.ts': 'export const a = process.env.PORT;\n',
      'src/main.ts': "const { env } = process;\nconst b = process['env'];\nimport { env as c } from 'node:process';\n",
    },
    said: [/^src\/app\.ts:1 environment/, /main\.ts:1 environment/, /main\.ts:2 environment/, /main\.ts:3 environment/],
  },
  'the clock outside clock.ts, in tests too': {
    sources: {
      'src/kernel/ids.ts':
        'export const a = Date.now();\nexport const b = new Date();\nexport const c = performance.now;\n',
      'src/kernel/ids.test.ts': 'const d = [1].map(Date.now);\n',
    },
    said: [/ids\.ts:1 clock/, /ids\.ts:2 clock/, /ids\.ts:3 clock/, /ids\.test\.ts:1 clock/],
  },
  'a file of 501 lines, in tests too': {
    sources: { 'src/kernel/ids.ts': lines(501), 'src/kernel/ids.test.ts': lines(501) },
    said: [/ids\.ts:1 file-lines: 501 lines, at most 500/, /ids\.test\.ts:1 file-lines/, /ids\.ts:1 .*at most 15 %/],
  },
  'a sixth of all files with 301 lines': {
    sources: {
      ...Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [`src/kernel/${name}.ts`, lines(10)])),
      'src/kernel/ids.ts': lines(301),
    },
    said: [/ids\.ts:1 file-lines: 301 lines; at most 15 % of files may have over 300 lines/],
  },
  'a function of 61 lines': {
    sources: {
      'src/kernel/a.ts': `// }\nconst s = \`{\${1}\`, r = /[/{]/;\nexport function long() {\n${lines(59)}}\n`,
      'src/kernel/b.ts': `export const long = async () => {\n${lines(59)}};\n`,
      'src/kernel/c.ts': `export class C {\n  long(): void {\n${lines(59)}}\n}\n`,
    },
    said: [/a\.ts:3 function-lines: long has 61 lines/, /b\.ts:1 .*long has 61/, /c\.ts:2 .*long has 61/],
  },
  'a factory that is long with the functions in it': {
    sources: {
      'src/push/a.ts': `export function createFeeds() {\n  function a() {\n${lines(30)}}\n  function b() {\n${lines(30)}}\n}\n`,
    },
    said: [/a\.ts:1 function-lines: createFeeds has 66/],
  },
  'a function that is long with the one it returns': {
    sources: { 'src/http/a.ts': `export function run() {\n  return () => {\n${lines(57)}};\n}\n` },
    said: [/run has 61/],
  },
  'a barrel': {
    sources: { 'src/kernel/all.ts': "export * from './ids.ts';\nexport { a } from './clock.ts';\n" },
    said: [/all\.ts:1 barrel/, /all\.ts:2 barrel/],
  },
  'names without a meaning': {
    sources: {
      'src/kernel/index.ts': '',
      'src/http/reply-utils.ts': '',
      'src/common/a.ts': '',
      'src/db/misc.test.ts': '',
    },
    said: [
      /common\/a\.ts:1 place/,
      /kernel\/index\.ts:1 name/,
      /reply-utils\.ts:1 name/,
      /common\/a\.ts:1 name/,
      /misc\.test\.ts:1 name/,
    ],
  },
  any: {
    sources: { 'src/kernel/a.ts': 'export const f = (x: Record<string, any>) => x as any;\n' },
    said: [/:1 any/, /:1 any/],
  },
};

/** Valid sources that a careless rule would refuse. */
const ACCEPTED: Record<string, Record<string, string>> = {
  'calls down': {
    'src/main.ts': imports('./app.ts') + imports('../package.json'),
    'src/app.ts': imports('./config.ts') + imports('./features/keys/key-routes.ts') + imports('./db/open.ts'),
    'src/config.ts': `${imports('./kernel/ids.ts')}export const a = process.env;\n`,
    'src/features/keys/key-routes.ts': imports('./key-rules.ts') + imports('../../http/reply.ts') + imports('typebox'),
    'src/features/keys/key-rules.ts':
      imports('./key-store.ts') +
      imports('../pods/pod-rules.ts') +
      imports('../../jobs/queue.ts') +
      imports('../../db/open.ts'),
    'src/features/keys/key-store.ts': imports('kysely') + imports('../../db/open.ts') + imports('./key-schema.ts'),
    'src/features/keys/key-schema.ts': imports('../../kernel/ids.ts'),
    'src/db/sqlite.ts': imports('node:sqlite') + imports('pg') + imports('kysely'),
    'src/db/migrations/0001-first.ts': imports('../migrate.ts') + query("db.selectFrom('accounts')"),
    'src/http/server.ts': imports('fastify') + imports('node:http'),
    'src/cli/signet.ts': imports('../client/client.ts'),
    'src/console/console.ts': imports('./pages.ts') + imports('lit-html'),
    'src/console/pages.ts': imports('./mail-page.ts'),
    'src/console/mail-page.ts': imports('../client/client.ts') + imports('lit-html/directives/live.js'),
    'src/kernel/clock.ts': 'export const now = () => Date.now();\n',
    'src/client/clock.ts': 'export const now = () => Date.now();\n',
    'src/client/client.ts': "export { now } from './clock.ts';\n",
    'src/client/operations.ts': lines(2000),
    'src/features/keys/search-index-store.ts': query("db.with('due', x).selectFrom('due')"),
  },
  'tests import what they need': {
    'src/features/keys/key.test.ts':
      imports('../../../test/support/harness.ts') + imports('pg') + imports('../pods/pod-store.ts'),
  },
  'words that name no table or clock': {
    'src/features/keys/key-store.ts': query("db.selectFrom('keys')"),
    'src/features/pods/pod-store.ts':
      query("sql`insert into pods (id) values ('from keys') on conflict (id) do update set a = 1 -- from keys`") +
      query('sql`select extract(epoch from keys) from pods where a is distinct from keys for update skip locked`') +
      query('sql`select * from json_each(keys), $' + '{keys}`') +
      "export const text = 'update keys, mail from keys';\nexport const date = new Date(0);\n",
  },
  'sizes at the limit': {
    'src/kernel/a.ts': lines(300),
    'src/kernel/a.test.ts': lines(500),
    'src/kernel/errors.ts': lines(300),
    'src/kernel/b.ts': `export function full() {\n${lines(58)}}\n`,
  },
  'a function of descriptors, and tests in a test file': {
    'src/features/keys/key-routes.ts': `export const keyRoutes = (rules) => {\n  return [endpoint({\n${lines(58, '    path: 1,\n')}})];\n};\n`,
    'src/features/keys/key.test.ts': `describe('keys', () => {\n  it('a', () => {\n${lines(58)}});\n  it('b', () => {\n${lines(58)}});\n});\n`,
  },
};

describe('architecture', () => {
  it('is respected in src', async () => assert.deepEqual(await violationsIn(readSources('src/**/*.ts')), []));

  for (const [name, { sources, said }] of Object.entries(REFUSED)) {
    it(`refuses ${name}`, async () => {
      const found = await violationsIn(new Map(Object.entries(sources)));
      assert.equal(found.length, said.length, found.join('\n'));
      for (const [n, pattern] of said.entries()) assert.match(found[n] ?? '', pattern);
    });
  }

  for (const [name, sources] of Object.entries(ACCEPTED)) {
    it(`accepts ${name}`, async () => assert.deepEqual(await violationsIn(new Map(Object.entries(sources))), []));
  }

  it('throws for sources that do not parse', async () => {
    await assert.rejects(
      violationsIn(new Map([['src/kernel/a.ts', 'export function (']])),
      /src\/kernel\/a\.ts does not parse/,
    );
  });
});

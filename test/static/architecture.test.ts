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
  'a wing the design does not know, a file between features, a room in a room': {
    sources: {
      'src/features/keys/key-store.ts': '',
      'src/features/account/key.ts': '',
      'src/features/account/keys/named/old/named-key.ts': '',
      'src/features/money/ledger/totals/ledger-total.ts': '',
    },
    said: [/keys\/key-store\.ts:1 place/, /account\/key\.ts:1 place/, /named-key\.ts:1 place/, /total\.ts:1 place/],
  },
  'base importing db': {
    sources: { 'src/base/ids.ts': imports('../db/open.ts'), 'src/db/open.ts': '' },
    said: [/^src\/base\/ids\.ts:1 import: base may not import db: src\/db\/open\.ts/],
  },
  'a wing importing one above it': {
    sources: {
      'src/features/account/keys/key.ts': imports('../../money/charge.ts') + imports('../../service/limits/window.ts'),
      'src/features/money/charge.ts': '',
    },
    said: [/key\.ts:1 wing: account\/keys may not import a wing above it: src\/features\/money\/charge\.ts/],
  },
  'a type imported upward': {
    sources: {
      'src/db/open.ts': "\nimport type { A } from '../http/pipeline.ts';\nexport type B = import('../app.ts').C;",
    },
    said: [/^src\/db\/open\.ts:2 import: db may not import http/, /open\.ts:3 import: db may not import app/],
  },
  'an import written as a call': {
    sources: { 'src/http/server/router.ts': "export const load = () => import('../../db/open.ts');" },
    said: [/http may not import db/],
  },
  'a type passed on from above': {
    sources: { 'src/base/ids.ts': "export type { A } from '../db/open.ts';" },
    said: [/base may not import db/],
  },
  'mail importing db, http importing events': {
    sources: {
      'src/mail/mime/plain.ts': imports('../../db/open.ts'),
      'src/http/reply.ts': imports('../events/sse.ts'),
    },
    said: [/mail may not import db/, /http may not import events/],
  },
  'routes importing a store': {
    sources: { 'src/features/account/keys/key-routes.ts': imports('./key-store.ts') },
    said: [/routes may not import own store/],
  },
  "routes importing another feature's logic": {
    sources: { 'src/features/account/keys/key-routes.ts': imports('../people/person.ts') },
    said: [/routes may not import other logic/],
  },
  "logic importing another feature's store": {
    sources: { 'src/features/account/keys/key.ts': imports('../people/person-store.ts') },
    said: [/logic may not import other store/],
  },
  'logic importing routes, http, config': {
    sources: {
      'src/features/account/keys/key.ts':
        imports('./key-routes.ts') + imports('../../../http/reply.ts') + imports('../../../config/mail-config.ts'),
    },
    said: [/:1 .*own routes/, /:2 .*http/, /:3 .*config/],
  },
  'a store importing another store, or logic that does': {
    sources: {
      'src/features/account/keys/key-store.ts':
        imports('./key.ts') + imports('./backup-key-store.ts') + imports('./key-age.ts'),
      'src/features/account/keys/key.ts': imports('./key-count.ts'),
      'src/features/account/keys/key-count.ts': imports('./backup-key-store.ts'),
      'src/features/account/keys/key-age.ts': imports('../../../base/clock.ts') + imports('typebox'),
    },
    said: [/:1 .*own logic: src\/features\/account\/keys\/key\.ts/, /:2 .*own store/],
  },
  "the agents' commands reaching past the API": {
    sources: { 'src/cli/agent/agent-run.ts': imports('../../features/account/keys/key.ts') },
    said: [/cli\/agent may not import other logic/],
  },
  'the client library importing what is not its own': {
    sources: { 'src/client/vault.ts': imports('../base/ids.ts') + imports('node:crypto') + imports('jose') },
    said: [/:1 import: client may not import base/, /:2 package: node:crypto/, /:3 package: jose/],
  },
  'the console reaching past the client, a package, a part knowing a page': {
    sources: {
      'src/web/console/pages/mail-page.ts':
        imports('../../../base/ids.ts') + imports('jose') + imports('./vault-page.ts'),
      'src/web/console/parts/bar-part.ts': imports('../pages/vault-page.ts'),
    },
    said: [
      /mail-page\.ts:1 import: web\/console\/pages may not import base/,
      /mail-page\.ts:3 import: web\/console\/pages may not import web\/console\/pages/,
      /bar-part\.ts:1 import: web\/console\/parts may not import web\/console\/pages/,
      /mail-page\.ts:2 package: jose/,
    ],
  },
  'production code importing a test': {
    sources: { 'src/app.ts': imports('../test/support/harness.ts') },
    said: [/app may not import this: test\/support\/harness\.ts/],
  },
  'a feature that tells twice what it needs': {
    sources: {
      'src/features/account/keys/key.ts': '\nexport interface KeyDeps {}\n',
      'src/features/account/keys/key-routes.ts': 'interface KeyRouteDeps {}\n',
    },
    said: [/^src\/features\/account\/keys\/key-routes\.ts:1 needs: KeyRouteDeps: account\/keys .* in KeyDeps/],
  },
  'fastify outside http': {
    sources: { 'src/app.ts': imports('fastify'), 'src/events/websocket.ts': imports('@fastify/websocket') },
    said: [/^src\/app\.ts:1 package: fastify/, /^src\/events\/websocket\.ts:1 package/],
  },
  'a database driver outside db': {
    sources: {
      'src/features/account/keys/key-store.ts': imports('pg') + imports('node:sqlite'),
      'src/features/account/keys/key.ts': imports('kysely'),
    },
    said: [/key-store\.ts:1 package: pg/, /key-store\.ts:2 package: node:sqlite/, /key\.ts:1 package: kysely/],
  },
  'features that need each other': {
    sources: {
      'src/features/account/keys/key.ts': imports('../people/person.ts'),
      'src/features/account/people/person.ts': imports('../grants/grant.ts'),
      'src/features/account/grants/grant-terms.ts': imports('../keys/key.ts'),
      'src/features/account/grants/grant.ts': '',
    },
    said: [/grant-terms\.ts:1 feature-cycle: account\/keys -> account\/people -> account\/grants -> account\/keys/],
  },
  'files that import each other, a type included': {
    sources: {
      'src/base/ids.ts': imports('./page.ts'),
      'src/base/page.ts': "import type { A } from './period.ts';\n",
      'src/base/period.ts': `\n${imports('./ids.ts')}`,
    },
    said: [
      /period\.ts:2 circle: src\/base\/ids\.ts -> src\/base\/page\.ts -> src\/base\/period\.ts -> src\/base\/ids\.ts/,
    ],
  },
  'a file that imports itself': {
    sources: { 'src/base/ids.ts': imports('./ids.ts') },
    said: [/ids\.ts:1 circle: src\/base\/ids\.ts -> src\/base\/ids\.ts/],
  },
  'a table in two stores': {
    sources: {
      'src/features/account/keys/key-store.ts': query("db.selectFrom('accounts as a').selectAll()"),
      'src/features/identity/pods/pod-store.ts': query("\ndb.selectFrom('pods').innerJoin('accounts', 'a', 'b')"),
    },
    said: [/pod-store\.ts:2 table: accounts is named in src\/features\/account\/keys\/key-store\.ts already/],
  },
  'a table in a store and in raw SQL elsewhere': {
    sources: {
      'src/features/account/keys/key-store.ts': query("db.insertInto('accounts')"),
      'src/features/identity/pods/pod-store.ts':
        "import { sql as raw } from 'kysely';\n" +
        query('raw<Row>`with due as (select 1) select * from due d left join "accounts" on d.id = $' + '{db}`'),
      'src/features/identity/tokens/token-store.ts':
        query('sql`update accounts set a = 1`') + query('sql`insert into accounts (id)`'),
      'src/jobs/job-store.ts': query("sql.raw('delete from accounts')") + query("sql.table('accounts')"),
    },
    said: [/pod-store/, /token-store\.ts:1/, /token-store\.ts:2/, /job-store\.ts:1/, /job-store\.ts:2/],
  },
  'a query outside a store': {
    sources: { 'src/features/account/keys/key.ts': query("db.deleteFrom('keys')") },
    said: [/key\.ts:1 table: keys is named outside a store/],
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
      'src/base/ids.ts':
        'export const a = Date.now();\nexport const b = new Date();\nexport const c = performance.now;\n',
      'src/base/ids.test.ts': 'const d = [1].map(Date.now);\n',
    },
    said: [/ids\.ts:1 clock/, /ids\.ts:2 clock/, /ids\.ts:3 clock/, /ids\.test\.ts:1 clock/],
  },
  'a file of 501 lines, in tests too': {
    sources: { 'src/base/ids.ts': lines(501), 'src/base/ids.test.ts': lines(501) },
    said: [/ids\.ts:1 file-lines: 501 lines, at most 500/, /ids\.test\.ts:1 file-lines/, /ids\.ts:1 .*at most 15 %/],
  },
  'a sixth of all files with 301 lines': {
    sources: {
      ...Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [`src/base/${name}.ts`, lines(10)])),
      'src/base/ids.ts': lines(301),
    },
    said: [/ids\.ts:1 file-lines: 301 lines; at most 15 % of files may have over 300 lines/],
  },
  'a function of 61 lines': {
    sources: {
      'src/base/a.ts': `// }\nconst s = \`{\${1}\`, r = /[/{]/;\nexport function long() {\n${lines(59)}}\n`,
      'src/base/b.ts': `export const long = async () => {\n${lines(59)}};\n`,
      'src/base/c.ts': `export class C {\n  long(): void {\n${lines(59)}}\n}\n`,
    },
    said: [/a\.ts:3 function-lines: long has 61 lines/, /b\.ts:1 .*long has 61/, /c\.ts:2 .*long has 61/],
  },
  'a function of 151 lines with the functions in it': {
    sources: {
      'src/events/feed.ts': `export function createFeeds() {\n${`  function a() {\n${lines(47)}  }\n`.repeat(3)}${lines(2)}}\n`,
    },
    said: [/feed\.ts:1 function-lines: createFeeds has 151 lines with the functions in it, at most 150/],
  },
  'a folder of 26 files': {
    sources: Object.fromEntries(Array.from({ length: 26 }, (_, n) => [`src/base/a${n}.ts`, ''])),
    said: [/a0\.ts:1 folder: src\/base has 26 files, at most 25: make rooms/],
  },
  'a barrel': {
    sources: { 'src/base/all.ts': "export * from './ids.ts';\nexport { a } from './clock.ts';\n" },
    said: [/all\.ts:1 barrel/, /all\.ts:2 barrel/],
  },
  'names without a meaning': {
    sources: {
      'src/base/index.ts': '',
      'src/http/reply-utils.ts': '',
      'src/common/a.ts': '',
      'src/db/misc.test.ts': '',
      'src/features/account/keys/key-rules.ts': '',
    },
    said: [
      /common\/a\.ts:1 place/,
      /base\/index\.ts:1 name/,
      /reply-utils\.ts:1 name/,
      /common\/a\.ts:1 name/,
      /misc\.test\.ts:1 name/,
      /key-rules\.ts:1 name/,
    ],
  },
  'one name for two files, a name twice in a path, six folders': {
    sources: {
      'src/base/clock.ts': '',
      'src/client/clock.ts': '',
      'src/mail/mime/mime.ts': '',
      'src/web/console/parts/mail/drafts/old/draft-part.ts': '',
    },
    said: [
      /client\/clock\.ts:1 name: is called like src\/base\/clock\.ts/,
      /mime\.ts:1 name: has a name twice/,
      /draft-part\.ts:1 name: is more than 5 folders below src/,
    ],
  },
  'members spread from a literal': {
    sources: { 'src/base/a.ts': 'export const f = (a: number) => ({ ...{ a, b: 1 }, c: 2 });\n' },
    said: [/a\.ts:1 spread: \.\.\.\{\}: nowhere/],
  },
  any: {
    sources: { 'src/base/a.ts': 'export const f = (x: Record<string, any>) => x as any;\n' },
    said: [/:1 any/, /:1 any/],
  },
};

/** Valid sources that a careless rule would refuse. */
const ACCEPTED: Record<string, Record<string, string>> = {
  'calls down': {
    'src/main.ts': imports('./app.ts') + imports('../package.json'),
    'src/app.ts': imports('./config/key-config.ts') + imports('./features/money/charge-routes.ts'),
    'src/config/service-config.ts': `${imports('../base/ids.ts')}export const a = process.env;\n`,
    'src/features/money/charge-routes.ts': imports('./charge.ts') + imports('../../http/reply.ts') + imports('typebox'),
    'src/features/money/charge.ts':
      imports('./ledger/ledger-store.ts') +
      imports('../account/keys/key.ts') +
      imports('../../jobs/queue.ts') +
      imports('../../db/open.ts'),
    'src/features/money/ledger/ledger-store.ts':
      imports('kysely') + imports('../../../db/open.ts') + imports('../charge-schema.ts') + imports('./ledger-term.ts'),
    'src/features/money/ledger/ledger-term.ts': imports('../../../base/ids.ts') + imports('../charge-schema.ts'),
    'src/features/money/charge-schema.ts': imports('../../base/ids.ts'),
    'src/db/sqlite.ts': imports('node:sqlite') + imports('pg') + imports('kysely'),
    'src/db/migrations/0001-first.ts': imports('../migrate.ts') + query("db.selectFrom('accounts')"),
    'src/http/server/http-server.ts': imports('fastify') + imports('node:http'),
    'src/cli/admin/command-line.ts': imports('../../client/client.ts') + imports('../../features/account/keys/key.ts'),
    'src/web/console/entries/console.ts': imports('./page-list.ts') + imports('lit-html'),
    'src/web/console/entries/page-list.ts': imports('../pages/mail-page.ts'),
    'src/web/console/pages/mail-page.ts': imports('../../../client/client.ts') + imports('lit-html/directives/live.js'),
    'src/base/clock.ts': 'export const now = () => Date.now();\n',
    'src/client/client-clock.ts': 'export const now = () => Date.now();\n',
    'src/client/client.ts': "export { now } from './client-clock.ts';\n",
    'src/client/generated/operations.ts': lines(2000),
    'src/features/account/keys/search-index-store.ts': query("db.with('due', x).selectFrom('due')"),
  },
  'tests import what they need': {
    'src/features/account/keys/key.test.ts':
      imports('../../../../test/support/harness.ts') + imports('pg') + imports('../people/person-store.ts'),
  },
  'words that name no table or clock': {
    'src/features/account/keys/key-store.ts': query("db.selectFrom('keys')"),
    'src/features/identity/pods/pod-store.ts':
      query("sql`insert into pods (id) values ('from keys') on conflict (id) do update set a = 1 -- from keys`") +
      query('sql`select extract(epoch from keys) from pods where a is distinct from keys for update skip locked`') +
      query('sql`select * from json_each(keys), $' + '{keys}`') +
      "export const text = 'update keys, mail from keys';\nexport const date = new Date(0);\n",
  },
  'sizes at the limit': {
    'src/base/a.ts': lines(300),
    'src/base/a.test.ts': lines(500),
    'src/api/errors.ts': lines(900),
    'src/base/b.ts': `export function full() {\n${lines(58)}}\n`,
  },
  'a function of descriptors, and tests in a test file': {
    'src/features/account/keys/key-routes.ts': `export const keyRoutes = (rules) => {\n  return [endpoint({\n${lines(58, '    path: 1,\n')}})];\n};\n`,
    'src/features/account/keys/key.test.ts': `describe('keys', () => {\n  it('a', () => {\n${lines(58)}});\n  it('b', () => {\n${lines(58)}});\n});\n`,
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
      violationsIn(new Map([['src/base/a.ts', 'export function (']])),
      /src\/base\/a\.ts does not parse/,
    );
  });
});

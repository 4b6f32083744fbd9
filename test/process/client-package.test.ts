import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import packageJson from '../../package.json' with { type: 'json' };
import { PACKAGE_NAME } from '../../src/client/package-name.ts';
import { describeInAll } from '../support/full-run.ts';
import { startTestApp, type TestApp } from '../support/harness.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

/** The caller's own `node`, if it is another version: the library supports older ones too. */
async function otherNode(): Promise<string | null> {
  const found = await run('node', ['-p', 'process.version.split(".")[0].slice(1)']).catch(() => null);
  const major = Number(found?.stdout);
  return major >= 20 && major < 24 ? 'node' : null;
}

const PROGRAM = `
import { SignetClient, SignetCryptoError, randomSeed, generateMailKeys } from '${PACKAGE_NAME}';
const { client, account } = await SignetClient.createKey({ baseUrl: process.argv[2] });
const vault = client.vault(randomSeed());
await vault.put('a', 'sealed by a package');
const refused = await client.vault(randomSeed()).get('a').catch((err) => err instanceof SignetCryptoError && err.code);
const { publicKey } = await generateMailKeys();
console.log(JSON.stringify([await vault.getText('a'), refused, (await client.getAccount()).id === account.account_id, publicKey.length]));
`;

/** The same from CommonJS, as older Nodes have it. */
const COMMON = `
const { SignetClient, NotFound } = require('${PACKAGE_NAME}');
const { SignetClient: again } = require('${PACKAGE_NAME}/client');
SignetClient.createKey({ baseUrl: process.argv[2] }).then(async ({ client, account }) => {
  const refused = await client.pods.get({ pod_id: 'pod_none' }).catch((err) => err instanceof NotFound);
  console.log(JSON.stringify([again === SignetClient, (await client.accounts.get()).account_id === account.account_id, refused]));
});
`;

const TYPED = `
import { LimitReached, SignetClient, type SendEmailReply } from '${PACKAGE_NAME}';
const signet = new SignetClient({ baseUrl: 'http://127.0.0.1:1' });
export async function send(): Promise<SendEmailReply['status']> {
  for await (const message of signet.paginate('listInbox', { address: 'a' })) if (message.read === false) break;
  return (await signet.sendEmail({ from: 'a', to: ['b'], subject: 'c', text: 'd' })).status;
}
export async function values(): Promise<string | undefined> {
  const [at, file] = [new Date(), new File(['x'], 'x.txt')];
  await signet.email.send({ to: 'b', subject: 'c', attachments: [file, { filename: 'y', content: new Uint8Array(1) }] });
  await signet.calendar.create({ summary: 'c', start: at, end: at }, { dryRun: true });
  for await (const { topic } of signet.observations.list.iter({ since: at })) console.log(topic.length);
  const { secret } = await signet.webhooks.create({ url: 'https://a.example', events: ['email.received'] });
  if ((await signet.approvals.wait({ id: 'a', seconds: 1 })).status === 'pending') throw new Error('late');
  return secret;
}
export const limitOf = (err: unknown): number => (err instanceof LimitReached ? (err.limit?.max ?? 0) : 0);
// @ts-expect-error a time is no number
void signet.calendar.create({ summary: 'c', start: 1, end: 2 });
// @ts-expect-error a field is missing
void signet.sendEmail({ from: 'a' });
// @ts-expect-error a field that does not exist
void signet.getAccount().then((account) => account.colour);
// @ts-expect-error not a list with pages
void signet.paginate('getAccount', {});
`;

describeInAll('the TypeScript client as a package', () => {
  let t: TestApp;
  const folder = mkdtempSync(join(tmpdir(), 'signet-client-'));
  const at = (name: string): string => join(folder, name);

  before(async () => {
    t = await startTestApp('sqlite');
    await run(process.execPath, [
      '--disable-warning=ExperimentalWarning',
      join(root, 'bin/build-client.ts'),
      at('dist'),
    ]);
    const npm = {
      cwd: folder,
      env: { ...process.env, npm_config_cache: at('cache'), npm_config_update_notifier: 'false' },
    };
    await run('npm', ['pack', './dist', '--offline'], npm);
    writeFileSync(at('package.json'), '{"type": "module", "private": true}');
    const [archive = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${archive}`], npm);
    writeFileSync(at('program.js'), PROGRAM);
  });
  after(async () => {
    await t?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const works = async (node: string): Promise<void> => {
    const { stdout } = await run(node, ['--disable-warning=ExperimentalWarning', at('program.js'), t.baseUrl]);
    assert.deepEqual(JSON.parse(stdout), ['sealed by a package', 'not_authentic', true, 43]);
  };

  it('installs without a network and without another package, and runs on this Node', async () => {
    assert.deepEqual(
      readdirSync(at('node_modules')).filter((name) => !name.startsWith('.')),
      [PACKAGE_NAME],
    );
    await works(process.execPath);
  });

  it('runs on the older Node of the caller', async (test) => {
    const node = await otherNode();
    if (node) await works(node);
    else test.skip('SKIPPED: `node` on the path is not version 20 or 22');
  });

  it('runs from CommonJS, under both names', async () => {
    writeFileSync(at('program.cjs'), COMMON);
    for (const node of new Set([process.execPath, (await otherNode()) ?? process.execPath])) {
      const { stdout } = await run(node, ['--disable-warning=ExperimentalWarning', at('program.cjs'), t.baseUrl]);
      assert.deepEqual(JSON.parse(stdout), [true, true, true]);
    }
  });

  /** Each kind of module, under both names of the package. */
  const files = ['ts', 'mts', 'cts'].flatMap((kind) => [`typed.${kind}`, `older.${kind}`]);
  /** What a compiler says of a project that uses the package, by how it finds packages. */
  const compiled = async (compiler: string, options: object, kinds = files): Promise<string> => {
    const lib = ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable'];
    const strict = { noEmit: true, strict: true, exactOptionalPropertyTypes: true, target: 'es2024', lib, types: [] };
    writeFileSync(at('tsconfig.json'), JSON.stringify({ compilerOptions: { ...strict, ...options }, files: kinds }));
    const { stdout } = await run(process.execPath, [compiler, '-p', folder]).catch((err) => err);
    return stdout;
  };
  const MODES = [{ module: 'node16' }, { module: 'nodenext' }, { module: 'esnext', moduleResolution: 'bundler' }];

  it('has types that compile in a strict project and refuse what the service would refuse, in every module mode', async () => {
    for (const file of files) {
      const name = file.startsWith('older') ? `${PACKAGE_NAME}/client` : PACKAGE_NAME;
      writeFileSync(at(file), TYPED.replaceAll(`'${PACKAGE_NAME}'`, `'${name}'`));
    }
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    for (const options of MODES) assert.equal(await compiled(compiler, options), '', JSON.stringify(options));
  });

  it('has them for the older TypeScript and its older resolution too', async (test) => {
    const older = at('typescript');
    const npm = ['install', '--prefix', older, '--no-audit', '--no-fund', '--prefer-offline', 'typescript@5.9.3'];
    const isHere = await run('npm', npm, { timeout: 120_000 }).then(
      () => true,
      () => false,
    );
    if (!isHere) return test.skip('SKIPPED: the npm registry is not reachable: nothing is shown about TypeScript 5');
    const compiler = join(older, 'node_modules/typescript/bin/tsc');
    for (const options of MODES) assert.equal(await compiled(compiler, options), '', JSON.stringify(options));
    const node10 = { module: 'commonjs', moduleResolution: 'node10' };
    assert.equal(await compiled(compiler, node10, ['typed.ts', 'older.ts']), '');
  });

  it('runs every example of docs/client.md', async () => {
    const page = readFileSync(join(root, 'docs/client.md'), 'utf8');
    const blocks = [...page.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
    assert.ok(blocks.length >= 8);
    writeFileSync(at('page.js'), blocks.join('\n').replace('http://127.0.0.1:8787', t.baseUrl));
    // Mails of the same millisecond have no order.
    const ticking = setInterval(() => t.clock.advance(1), 1);
    const program = run(process.execPath, ['--disable-warning=ExperimentalWarning', at('page.js')]);
    const { stdout } = await program.finally(() => clearInterval(ticking));
    for (const shown of ['Hello', '404 not_found', 'email.received', 'correct horse', 'For my eyes.'])
      assert.ok(stdout.includes(shown), `${shown} in ${stdout}`);
  });

  it('runs every example of its README', async () => {
    const page = readFileSync(at(`node_modules/${PACKAGE_NAME}/README.md`), 'utf8');
    const blocks = [...page.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
    assert.equal(blocks.length, 5);
    const program = blocks.join('\n').replace('http://127.0.0.1:8787', t.baseUrl);
    writeFileSync(at('readme.js'), program.replace('Date.now()', String(t.clock.now())));
    const { stdout } = await run(process.execPath, ['--disable-warning=ExperimentalWarning', at('readme.js')]);
    assert.match(stdout, /Report\n482913\ncorrect horse\npending\nnot_found 404\n$/);
  });

  it('has the entry point that the repository’s own package.json names', () => {
    const { exports } = JSON.parse(readFileSync(at('dist/package.json'), 'utf8'));
    for (const [kind, path] of Object.entries(packageJson.exports['./client'])) {
      assert.equal(path, exports['./client'].import[kind].replace('./client/', './dist/client/'));
      assert.ok(existsSync(at(path)), path);
    }
  });
});

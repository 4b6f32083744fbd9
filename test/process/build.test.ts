import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { documentSources, listDocuments } from '../../src/apidocs/documents.ts';
import { listEndpoints } from '../../tools/endpoint-list.ts';
import { eventually } from '../support/eventually.ts';
import { IS_FULL_RUN, itInAll } from '../support/full-run.ts';
import { freshDatabase } from '../support/harness.ts';
import { Dialogue } from '../support/smtp-dialogue.ts';
import { root } from './command-line.ts';
import { startService } from './service.ts';
import { mailOf } from './smtp-session.ts';

const folder = mkdtempSync(join(tmpdir(), 'signet-build-'));
after(() => rmSync(folder, { recursive: true, force: true }));

describe('npm run build', () => {
  const [built, web] = [join(folder, 'service'), join(folder, 'web')];
  const command = ['sh', 'bin/node', '--disable-warning=ExperimentalWarning', join(built, 'main.js'), 'serve'];
  before(() => {
    for (const each of [built, web]) {
      mkdirSync(each);
      writeFileSync(join(each, 'former.js'), '');
    }
    execFileSync('sh', ['bin/node', 'bin/build.ts', folder], { cwd: root });
  });

  it('dates what is run before it reads the first source, so that one that changes meanwhile counts as later', () => {
    const times = readdirSync(built).map((name) => statSync(join(built, name)).mtimeMs);
    assert.ok(statSync(join(built, 'main.js')).mtimeMs < Math.max(...times) - 10);
  });

  it('takes the place of a former build', () => {
    assert.deepEqual(readdirSync(folder).sort(), ['service', 'web']);
    for (const [each, name] of [
      [built, 'main.js'],
      [web, 'tree.json'],
    ] as const)
      assert.ok(existsSync(join(each, name)) && !existsSync(join(each, 'former.js')));
  });

  it('takes of a package of the older kind only what a build gives of it: its whole', () => {
    const textOf = (name: string): string => readFileSync(join(built, name), 'utf8');
    const files = readdirSync(built).filter((name) => name.endsWith('.js'));
    const taken = files.flatMap((file) =>
      [...textOf(file).matchAll(/\{([\w$:,]*)\}=await import\("\.\/([^"]+)"\)/g)].map(([, names = '', from = '']) => ({
        file,
        from,
        names: names.split(',').map((name) => name.split(':')[0] as string),
      })),
    );
    const older = taken.filter(({ from }) => /export default require_/.test(textOf(from)));
    assert.ok(older.length > 0);
    for (const { file, from, names } of older) assert.deepEqual(names, ['default'], `${file} takes of ${from}`);
  });

  // What is found by an address: migrations, threads, pages, the driver. All tests here run
  // such a service.
  for (const engine of ['sqlite', 'postgres'] as const)
    itInAll(`makes a service that does the same on ${engine}`, async () => {
      const { env, drop } = await freshDatabase(engine);
      const service = await startService({ ...env, NODE_COMPILE_CACHE: join(folder, 'compiled') }, command);
      try {
        const api = service.api((await service.api().post('/v1/auth/keys')).body.api_key);
        const { address } = (await api.post('/v1/email/claim', { address: 'ada' })).body;
        const dialogue = await Dialogue.open(service.smtpPort);
        assert.equal(await dialogue.begin('bob@example.com', address), 354);
        dialogue.send(`${mailOf('From afar', address)}\r\n.\r\n`);
        assert.equal((await dialogue.reply()).code, 250);
        dialogue.close();
        const listed = async () => (await api.get(`/v1/email/inbox?address=${address}`)).body.messages;
        await eventually(async () => (await listed()).length === 1);
        assert.equal((await listed())[0].snippet, 'The text of From afar.', 'a thread has read it');
        const page = await (await fetch(`${service.baseUrl}/dashboard`)).text();
        const [module = ''] = /\/assets\/[^"]+\/console\/console\.js/.exec(page) ?? [];
        assert.equal((await fetch(service.baseUrl + module)).status, 200, module);
        assert.doesNotMatch(service.stdout(), /"level":(?:50|60)/);
      } finally {
        await service.kill('SIGKILL');
        await drop();
      }
    });

  it('makes a service whose documents are those of the sources, byte for byte', async () => {
    const { env, drop } = await freshDatabase('sqlite');
    const service = await startService({ ...env, NODE_COMPILE_CACHE: join(folder, 'compiled') }, command);
    try {
      const documents = listDocuments(documentSources(listEndpoints(), service.baseUrl));
      assert.ok(documents.size > 700);
      // Each kind of page is made by one function, and has neighbours in the list.
      const compared = [...documents].filter((_, i) => IS_FULL_RUN || i % 6 === 0);
      for (const [path, { type, make }] of compared) {
        const served = await fetch(service.baseUrl + path, { headers: { accept: 'text/html' } });
        assert.equal(served.headers.get('content-type'), type, path);
        assert.ok((await served.text()) === (await make()), path);
      }
    } finally {
      await service.kill('SIGKILL');
      await drop();
    }
  });

  it('brings the file of every thread', () => {
    const threads = globSync('src/**/*-worker.ts', { cwd: root }).map((path) => basename(path, '.ts'));
    assert.ok(threads.length >= 3);
    for (const name of threads) assert.ok(existsSync(join(built, `${name}.js`)), name);
  });
});

describe('bin/signet', () => {
  const install = join(folder, 'install');
  const [source, built] = [join(install, 'src/main.ts'), join(install, 'dist/service/main.js')];
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const builtAt = (minutes: number): void => utimesSync(built, new Date(), new Date(Date.now() + 60_000 * minutes));
  /** What it would run. */
  const program = (): string | undefined =>
    execFileSync('sh', [join(install, 'bin/signet'), 'serve'], { encoding: 'utf8' })
      .split('\n')
      .find((argument) => !argument.startsWith('--'));

  before(() => {
    for (const file of ['package.json', 'package-lock.json', 'src/main.ts', 'src/app.ts'])
      write(join(install, file), '');
    write(join(install, 'bin/node'), 'printf "%s\\n" "$@"');
    copyFileSync(join(root, 'bin/signet'), join(install, 'bin/signet'));
  });

  it('runs the sources of a clean clone', () => assert.equal(program(), source));

  it('runs what was built after every source', () => {
    write(built, '');
    builtAt(1);
    assert.equal(program(), built);
  });

  it('runs the sources when one arrived later, even one that is dated earlier', () => {
    builtAt(-1);
    for (const file of ['package.json', 'package-lock.json', 'src/main.ts', 'src/app.ts'])
      utimesSync(join(install, file), 0, 0);
    assert.equal(program(), source);
  });

  it('runs what was built where the sources are not to be run', () => {
    rmSync(source);
    assert.equal(program(), built);
  });
});

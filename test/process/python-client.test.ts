import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import packageJson from '../../package.json' with { type: 'json' };
import { ERRORS } from '../../src/api/errors.ts';
import { OPERATIONS } from '../../src/client/generated/operations.ts';
import { PACKAGE_NAME } from '../../src/client/package-name.ts';
import { SignetClient } from '../../src/client/signet-client.ts';
import { errorClass } from '../../src/client/signet-error.ts';
import { randomSeed, writeSeed } from '../../src/client/vault-seed.ts';
import { itInAll } from '../support/full-run.ts';
import { root } from './command-line.ts';
import { JOB_NAMES, type JobName } from './job-names.ts';
import { ROOMY_LIMITS, type Service, startService } from './service.ts';

const run = promisify(execFile);

/** Debian's Python, with its packages of the libraries that the client needs. */
const PYTHON = '/usr/bin/python3';
const has = (module: string): boolean => spawnSync(PYTHON, ['-c', `import ${module}`]).status === 0;
const missing = [
  ['httpx', 'python3-httpx'],
  ['cryptography', 'python3-cryptography'],
].filter(([module = '']) => !has(module));
const skip =
  missing.length > 0
    ? `SKIPPED: ${PYTHON} has no ${missing.map(([, name]) => name).join(', ')}: nothing is shown about the Python client`
    : false;
const skipTypes = has('mypy') ? skip : 'SKIPPED: there is no python3-mypy: nothing is shown about the types of replies';
const skipPip =
  skip || ['pip', 'setuptools', 'wheel'].every(has) ? skip : 'SKIPPED: there is no python3-pip, -setuptools or -wheel';

describe('the Python client', { skip }, () => {
  const source = join(root, 'clients/python');
  const folder = mkdtempSync(join(tmpdir(), 'signet-python-'));
  /** What the tests import: the sources, and from its test on the installed wheel. */
  let library = source;
  let service: Service;
  before(async () => {
    service = await startService({ DATA_DIR: join(folder, 'data'), LIMITS: ROOMY_LIMITS });
  });
  after(async () => {
    await service?.kill('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs Python with nothing of the caller's environment. */
  const python = (args: string[], env: Record<string, string> = {}) =>
    run(PYTHON, args, {
      cwd: folder,
      env: { PYTHONPATH: library, PYTHONDONTWRITEBYTECODE: '1', SIGNET_URL: service.baseUrl, ...env },
    });

  it('gives the values of the shared vectors, and refuses what they refuse', async () => {
    await python([join(source, 'tests/test_vectors.py')]);
  });

  it('has every operation of the table, and a class for each kind of refusal, as the TypeScript client', async () => {
    const codes = Object.entries(ERRORS).map(([code, { status }]) => [code, status] as const);
    const list = `import json, sys
from signet_client._errors import error_class
from signet_client._operations import OPERATIONS
print(json.dumps([sorted(OPERATIONS), [error_class(*each).__name__ for each in json.loads(sys.argv[1])]]))`;
    const { stdout } = await python(['-c', list, JSON.stringify(codes)]);
    const names = codes.map(([code, status]) => errorClass(code, status).name);
    assert.deepEqual(JSON.parse(stdout), [Object.keys(OPERATIONS).sort(), names]);
    assert.ok(!names.includes('SignetError'));
  });

  it('does the jobs of an agent, and goes on with a new key, with values and refusals of Python', async (test) => {
    const { stdout } = await python([join(source, 'tests/test_agent.py')]);
    const took: Record<JobName, { calls: number; bytes: number }> = JSON.parse(stdout);
    assert.deepEqual(Object.keys(took).sort(), [...JOB_NAMES].sort());
    const all = Object.values(took);
    const sum = (count: (job: { calls: number; bytes: number }) => number) =>
      all.reduce((so, job) => so + count(job), 0);
    test.diagnostic(
      `${all.length} jobs by Python: ${sum(({ calls }) => calls)} calls, ${sum(({ bytes }) => bytes)} bytes`,
    );
    for (const [name, { calls, bytes }] of Object.entries(took))
      test.diagnostic(`${name}: ${calls} calls, ${bytes} bytes`);
  });

  itInAll(
    'is a wheel that installs with pip without a network, and serves the tests below',
    { skip: skipPip },
    async () => {
      // A build writes beside the sources.
      cpSync(source, join(folder, 'source'), { recursive: true });
      const quiet = ['--no-deps', '--no-index', '--disable-pip-version-check'];
      const built = [...quiet, '--no-build-isolation', '--wheel-dir', folder, join(folder, 'source')];
      await python(['-m', 'pip', 'wheel', ...built], { HOME: folder });
      const name = PACKAGE_NAME.replaceAll('-', '_');
      const wheel = join(folder, `${name}-${packageJson.version}-py3-none-any.whl`);
      assert.ok(existsSync(wheel), `as new as ${packageJson.version}`);
      const installed = join(folder, 'installed');
      await python(['-m', 'pip', 'install', ...quiet, '--target', installed, wheel], { HOME: folder });
      library = installed;
      assert.ok(existsSync(join(installed, 'signet_client/py.typed')));
      const { stdout } = await python(['-c', 'import signet_client; print(signet_client.__file__)']);
      assert.equal(stdout.trim(), join(installed, 'signet_client/__init__.py'));
    },
  );

  itInAll('does the twelve jobs, sync and async, and shares a vault with the TypeScript client', async () => {
    const seed = writeSeed(randomSeed());
    const { client, account } = await SignetClient.register({ baseUrl: service.baseUrl, seed }, { name: 'shared' });
    await client.vault.put('from-typescript', 'Grüße');
    await python([join(source, 'tests/test_jobs.py')], { VAULT_KEY: account.api_key, VAULT_SEED: seed });
    assert.equal(await client.vault.getText('from-typescript'), 'Grüße zurück');
    const { metadata, version } = await client.vault.get('from-python');
    assert.deepEqual([metadata, version, await client.vault.getText('from-python')], [{ a: 1 }, 1, 'Grüße']);
  });

  const examplesOf = (page: string): string =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/^```python\n([\s\S]*?)^```$/gm)]
      .map(([, code = '']) => code.replace('http://127.0.0.1:8787', service.baseUrl))
      .join('\n');

  itInAll('runs every example of its README, of docs/python.md and of docs/quickstart-python.md', async () => {
    assert.match((await python(['-c', examplesOf('docs/python.md')])).stdout, /Hello, me\.[\s\S]*correct horse/);
    const { stdout: quick } = await python(['-c', examplesOf('docs/quickstart-python.md')]);
    assert.match(quick, /^signet_live_\w+ \S+\n482913\ncorrect horse\n$/);
    const { stdout } = await python(['-c', examplesOf('clients/python/README.md')]);
    for (const shown of ['482913', 'correct horse', 'email.received', 'not_found 404'])
      assert.ok(stdout.includes(shown), `${shown} in ${stdout}`);
  });

  itInAll(
    'type-checks strictly, with a type for every reply, to which its examples are held',
    { skip: skipTypes },
    async () => {
      const pages = ['docs/python.md', 'docs/quickstart-python.md', 'clients/python/README.md'];
      const examples = pages.map((page, index) => {
        const path = join(folder, `examples_${index}.py`);
        writeFileSync(path, examplesOf(page));
        return path;
      });
      // Examples name no types of their own.
      const config = `[mypy]
strict = True
ignore_missing_imports = True
cache_dir = ${join(folder, 'mypy')}
[mypy-examples_0,examples_1,examples_2]
disallow_untyped_defs = False
disallow_incomplete_defs = False
disallow_untyped_calls = False
`;
      writeFileSync(join(folder, 'mypy.ini'), config);
      const files = [join(source, 'tests/typed.py'), ...examples];
      const checked = ['-m', 'mypy', '--config-file', join(folder, 'mypy.ini'), ...files];
      const { stdout } = await python(checked, { MYPYPATH: library }).catch((err) => err);
      assert.match(stdout, /^Success: no issues found/);
      assert.doesNotMatch(readFileSync(join(source, 'signet_client/_operations.py'), 'utf8'), /-> Json:/);
    },
  );
});

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { promisify } from 'node:util';
import { PACKAGE_NAME } from '../../src/client/package-name.ts';
import { programsOf } from '../support/doc-programs.ts';
import { describeInAll } from '../support/full-run.ts';
import { startTestApp, type TestAccount, type TestApp } from '../support/harness.ts';
import { root } from './command-line.ts';

const run = promisify(execFile);

/** What the page installs, at the versions that this was seen with. */
const PACKAGES = [
  'ai@6.0.326',
  '@ai-sdk/mcp@1.0.102',
  'langchain@1.5.14',
  '@langchain/core@1.4.0',
  '@langchain/mcp-adapters@1.1.4',
  '@openai/agents@0.20.0',
  'zod@4.6.7',
];

/** What the model does: it sends a mail with the tool of the service, and says what came back. */
const CALL = `const call = { name: 'send_mail', args: { to: process.env.TO, subject: process.env.SUBJECT, text: 'Hello.' } };`;

/** A model for each framework, in the order of the page. */
const MODELS = {
  'AI SDK': `
import { MockLanguageModelV3 } from 'ai/test';
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const replied = (content, unified) => ({ content, finishReason: { unified, raw: unified }, usage, warnings: [] });
const model = new MockLanguageModelV3({
  doGenerate: [
    replied([{ type: 'tool-call', toolCallId: 'a', toolName: call.name, input: JSON.stringify(call.args) }], 'tool-calls'),
    replied([{ type: 'text', text: 'I answered.' }], 'stop'),
  ],
});`,
  LangChain: `
import { AIMessage, fakeModel } from 'langchain';
const model = fakeModel().respondWithTools([call]).respond(new AIMessage('I answered.'));`,
  'OpenAI Agents': `
import { setTracingDisabled, Usage } from '@openai/agents';
setTracingDisabled(true);
const outputs = [
  [{ type: 'function_call', callId: 'a', name: call.name, status: 'completed', arguments: JSON.stringify(call.args) }],
  [{ type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'I answered.' }] }],
];
const model = { getResponse: async () => ({ usage: new Usage(), output: outputs.shift() }) };`,
};

describeInAll('agent frameworks', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signet-frameworks-'));
  let t: TestApp;
  let account: TestAccount;
  let address = '';
  let missing = '';

  before(async () => {
    writeFileSync(join(folder, 'package.json'), '{"type": "module", "private": true}');
    const npm = ['install', '--no-audit', '--no-fund', '--prefer-offline', ...PACKAGES];
    await run('npm', npm, { cwd: folder, timeout: 240_000 }).catch(() => {
      missing = 'SKIPPED: the npm registry is not reachable: nothing is shown about agent frameworks';
    });
    const build = ['--disable-warning=ExperimentalWarning', join(root, 'bin/build-client.ts')];
    await run(process.execPath, [...build, join(folder, 'node_modules', PACKAGE_NAME)]);
    t = await startTestApp('sqlite');
    account = await t.createAccount();
    address = (await account.api.post('/v1/email/claim', { address: 'framework' })).body.address;
  });
  after(async () => {
    await t?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const [at, [name, model]] of Object.entries(MODELS).entries())
    it(`${name}: a model calls a tool of the service, as docs/frameworks.md shows`, async (test) => {
      if (missing) return test.skip(missing);
      const file = join(folder, `${at}.js`);
      writeFileSync(file, `${CALL}\n${model}\n${programsOf('docs/frameworks.md')[at]}`);
      const env = { ...process.env, SIGNET_URL: t.baseUrl, SIGNET_KEY: account.key, TO: address, SUBJECT: name };
      const { stdout } = await run(process.execPath, [file], { cwd: folder, env });
      assert.match(stdout, /I answered\./);
      const { messages } = (await account.api.get(`/v1/email/inbox?address=${address}`)).body;
      assert.ok(messages.some(({ subject }: { subject: string }) => subject === name));
    });

  it('a method of the client is a tool too, which keeps a code from the model', async (test) => {
    if (missing) return test.skip(missing);
    const tried = `const seen = [];
const fillIn = async (code) => seen.push(code);
const told = enterCode.execute({ sender: '${address}' });
await signet.email.send({ to: '${address}', subject: 'Sign in', text: 'Your verification code is 482913.' });
console.log(await told, seen.join());`;
    const file = join(folder, 'tool.js');
    writeFileSync(file, `${programsOf('docs/frameworks.md')[3]}\n${tried}`);
    const env = { ...process.env, SIGNET_URL: t.baseUrl, SIGNET_KEY: account.key };
    const { stdout } = await run(process.execPath, [file], { cwd: folder, env });
    assert.equal(stdout, 'entered 482913\n');
  });
});

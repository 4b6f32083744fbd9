import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { JOB_NAMES } from '../../../test/process/job-names.ts';
import { startTestApp, type TestApp } from '../../../test/support/harness.ts';

const KB = 1024;
const bytes = (text: string): number => Buffer.byteLength(text);

describe('documents for agents', () => {
  let t: TestApp;
  before(async () => {
    t = await startTestApp('sqlite');
  });
  after(() => t.stop());

  const get = (path: string, headers?: Record<string, string>) => t.api().get(path, headers);

  it('/llms.txt has at most 5.6 KB, the base URL of the service, a line for each job, and the name of each page', async (test) => {
    const { status, headers, text } = await get('/llms.txt');
    assert.deepEqual([status, headers.get('content-type')], [200, 'text/plain; charset=utf-8']);
    test.diagnostic(`llms.txt: ${bytes(text)} bytes`);
    assert.ok(bytes(text) <= 5.6 * KB);
    assert.match(text, /^# Signet\n\n> /);
    assert.ok(text.includes(`SIGNET=${t.baseUrl}\n`));
    assert.match(text, / vault, webhooks\n/);
    for (const name of JOB_NAMES.filter((job) => job !== 'approval')) {
      const page = await get(`/docs/jobs/${name}.md`);
      assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/markdown; charset=utf-8'], name);
      assert.ok(bytes(page.text) <= KB && page.text.includes('```sh\n'), `${name}: ${bytes(page.text)} bytes`);
      const [, title = ''] = /^# (.+)\n/.exec(page.text) ?? [];
      assert.ok(text.includes(`\n- [${title}](/docs/jobs/${name}.md)\n`), name);
    }
  });

  it('B: / is /llms.txt for curl and whoever does not ask for HTML, a page for browsers, and names /llms.txt to both', async () => {
    const { text } = await get('/llms.txt');
    const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
    for (const headers of [{ accept: '*/*' }, {}, { accept: 'text/markdown' }, { accept: 'text/*' }]) {
      const { text: told, headers: sent } = await get('/', headers);
      assert.deepEqual([told, sent.get('content-type')], [text, 'text/markdown; charset=utf-8']);
    }
    const json = await get('/', { accept: 'application/json' });
    assert.equal(json.body.text, text);
    assert.ok(bytes(json.text) <= 6 * KB);
    for (const headers of [browser, { accept: 'text/html' }])
      assert.match((await get('/', headers)).headers.get('content-type') ?? '', /^text\/html/);
    for (const headers of [browser, { accept: '*/*' }]) {
      const { headers: sent } = await get('/', headers);
      assert.equal(sent.get('link'), '</llms.txt>; rel="alternate"; type="text/markdown"');
      assert.equal(sent.get('vary'), 'accept, accept-encoding');
    }
  });

  it('every link of llms.txt, the skill and the pages leads to a document', async () => {
    const seen = new Set<string>();
    const queue = ['/llms.txt', '/skill.md', '/llms-full.txt'];
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      const { status, text, headers } = await get(path);
      assert.equal(status, 200, path);
      if (!headers.get('content-type')?.startsWith('text/')) continue;
      for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
        const [found = ''] = target.split('#');
        const isOurs = found.startsWith('/') || (found.endsWith('.md') && !found.includes('://'));
        if (!isOurs || seen.has(found)) continue;
        seen.add(found);
        queue.push(found);
      }
    }
    assert.ok(seen.size > 20, `${seen.size} links`);
  });

  it('/docs/api/{operationId}.md shows every field of each operation with what it means, and every error, in at most 6 KB', async (test) => {
    let largest = 0;
    for (const { operation, body, errors, summary, method, path } of t.app.endpoints) {
      const { status, headers, text } = await get(`/docs/api/${operation}.md`);
      assert.deepEqual([status, headers.get('content-type')], [200, 'text/markdown; charset=utf-8'], operation);
      largest = Math.max(largest, bytes(text));
      assert.ok(bytes(text) <= 6 * KB, `${operation}: ${bytes(text)} bytes`);
      assert.ok(text.startsWith(`# ${summary}\n\n\`${method} ${t.baseUrl}${path}\``), operation);
      const { properties = {} } = (body ?? {}) as { properties?: Record<string, { description?: string }> };
      for (const [field, { description }] of Object.entries(properties)) {
        const isShown = (line: string) =>
          new RegExp(`^- (?:\`\\w+\`, )*\`${field}\`(?:, \`\\w+\`)* \\(`).test(line) &&
          line.endsWith(description === undefined ? '' : `): ${description}`);
        assert.ok(text.split('\n').some(isShown), `${operation}: ${field}`);
      }
      for (const code of errors) assert.ok(text.includes(`\`${code}\``), operation);
    }
    test.diagnostic(`largest page of an operation: ${largest} bytes`);
  });

  it('404 for an unknown page, with the nearest name', async () => {
    assert.equal((await get('/docs/vaults.md')).body.suggestion, 'vault');
    assert.equal((await get('/docs/api/registerr.md')).body.suggestion, 'register');
    for (const name of ['../README', 'next', 'adr/0001-start-script', 'agents/llms'])
      assert.equal((await get(`/docs/${encodeURIComponent(name)}.md`)).status, 404, name);
  });

  it('the index of skills names the skill with the digest of what is served', async () => {
    const { body } = await get('/.well-known/agent-skills/index.json');
    const [skill] = body.skills;
    const { text } = await get('/skill.md');
    const digest = createHash('sha256').update(text).digest('hex');
    assert.deepEqual([skill.name, skill.type, skill.url], ['signet', 'skill-md', `${t.baseUrl}/skill.md`]);
    assert.equal(skill.digest, `sha256:${digest}`);
    assert.ok(text.startsWith(`---\nname: signet\ndescription: "${skill.description}"\n`));
    assert.ok(skill.description.length <= 1024);
    assert.match(text, /\n## Start\n/);
  });

  it('a document has an ETag, and 304 answers who has it', async () => {
    for (const path of ['/llms.txt', '/docs/mail.md', '/docs/api/register.md', '/skill.md']) {
      const etag = (await get(path)).headers.get('etag') ?? '';
      assert.match(etag, /^"/, path);
      assert.equal((await get(path, { 'if-none-match': etag })).status, 304, path);
    }
  });
});

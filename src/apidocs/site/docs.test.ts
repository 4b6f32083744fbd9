import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { runProgram } from '../../../test/support/doc-programs.ts';
import { startTestApp, type TestApp } from '../../../test/support/harness.ts';
import type { Endpoint } from '../../api/endpoint.ts';
import type { ErrorCode } from '../../api/errors.ts';
import { OPERATION_TABLE } from '../../cli/agent/operation-table.ts';
import { OPERATIONS } from '../../client/generated/operations.ts';
import { PACKAGE_NAME } from '../../client/package-name.ts';
import { SignetClient, type SignetOptions } from '../../client/signet-client.ts';
import { errorsOf } from '../openapi/openapi-document.ts';

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const unescaped = (html: string): string =>
  html
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&');

/** The request of a command `curl …` of a page, with a key in place of `$KEY`. */
function requestOf(command: string, key: string) {
  const url = new URL(/https?:\/\/[^\s']+/.exec(command)?.[0] ?? '');
  const body = /-d '([\s\S]*)'$/.exec(command)?.[1]?.replaceAll("'\\''", "'");
  const method = /-X (\w+)/.exec(command)?.[1] ?? (body === undefined ? 'GET' : 'POST');
  const headers: Record<string, string> = {};
  for (const [, , name = '', value = ''] of command.matchAll(/-H (["'])([\w-]+): (.+?)\1/g))
    headers[name] = value.replace('$KEY', key);
  return { method, path: url.pathname + url.search, headers, ...(body === undefined ? {} : { body }) };
}

describe('the documentation as web pages', () => {
  let t: TestApp;
  const pages = new Map<string, string>();
  before(async () => {
    // The contract test checks the replies.
    t = await startTestApp('sqlite', { checkReplies: false });
  });
  after(() => t.stop());

  const page = async (path: string): Promise<string> => {
    const known = pages.get(path);
    if (known !== undefined) return known;
    const { status, text } = await t.api().get(path, BROWSER);
    assert.equal(status, 200, path);
    pages.set(path, text);
    return text;
  };
  /** The code of a page in a language. */
  const codeIn = (html: string, language: string): string | undefined => {
    const block = new RegExp(`data-language="${language}">.*?<code>([\\s\\S]*?)</code>`).exec(html);
    return block ? unescaped(block[1] ?? '') : undefined;
  };
  const operationPage = ({ operation }: Endpoint) => page(`/docs/api/${operation}`);

  it('every page can be reached from /docs, and every link and anchor of every page resolves', async () => {
    const seen = new Set(['/docs']);
    const wrong: string[] = [];
    for (const path of seen) {
      if (!path.startsWith('/docs') || path.endsWith('.md')) {
        assert.ok((await t.api().get(path, BROWSER)).status < 400, path);
        continue;
      }
      for (const [, href = ''] of (await page(path)).matchAll(/<(?:a|link)\b[^>]* href="([^"]+)"/g)) {
        if (/^(https?|mailto):/.test(href)) continue;
        const [target = '', anchor] = href.startsWith('#') ? [path, href.slice(1)] : href.split('#');
        seen.add(target);
        if (anchor !== undefined && !(await page(target)).includes(`id="${decodeURIComponent(anchor)}"`))
          wrong.push(`${path}: ${href}`);
      }
    }
    assert.deepEqual(wrong, []);
    for (const { operation } of t.app.endpoints)
      for (const suffix of ['', '.md']) assert.ok(seen.has(`/docs/api/${operation}${suffix}`), operation);
  });

  it('a page has a strict policy, no script or style of its own, and is Markdown for who asks', async () => {
    for (const path of ['/docs', '/docs/mail', '/docs/api/sendEmail', '/docs/search?q=mail']) {
      const { headers, text } = await t.api().get(path, BROWSER);
      const policy = headers.get('content-security-policy') ?? '';
      assert.match(policy, /default-src 'none'.*script-src 'self'.*require-trusted-types-for 'script'/);
      assert.doesNotMatch(policy, /unsafe|https?:|\*/);
      assert.doesNotMatch(
        text,
        /<style|<script(?! type="module" src="\/assets\/| src="\/assets\/theme\.js")| style=| on\w+=/,
      );
      assert.match(headers.get('vary') ?? '', /accept/);
    }
    const { text } = await t.api().get('/docs/mail.md');
    const negotiated = await t.api().get('/docs/mail', { accept: 'text/markdown' });
    assert.match((await t.api().get('/docs', { accept: 'text/markdown' })).text, /^# Signet/);
    assert.deepEqual([negotiated.headers.get('content-type'), negotiated.text], ['text/markdown; charset=utf-8', text]);
  });

  it('an unknown page is a page of its own for a browser, and an error with a code for a program', async () => {
    for (const path of ['/docs/nothing', '/docs/api/nothing', '/nothing', '/agents/nobody', '/assets/nothing.js']) {
      const shown = await t.api().get(path, BROWSER);
      assert.deepEqual([shown.status, shown.headers.get('content-type')], [404, 'text/html; charset=utf-8'], path);
      assert.match(shown.text, /<h1>Page not found<\/h1>/);
      assert.match(shown.headers.get('content-security-policy') ?? '', /default-src 'none'/);
      for (const accept of ['*/*', 'application/json'])
        assert.equal((await t.api().get(path, { accept })).body.code, 'not_found', path);
    }
    assert.equal((await t.api().get('/v1/nothing', BROWSER)).body.code, 'not_found');
    assert.equal((await t.api().post('/nothing', {}, BROWSER)).body.code, 'not_found');
  });

  it('shows what an operation takes and gives as a tree, whose inner fields fold, and links to where it can be tried', async () => {
    const html = await page('/docs/api/sendEmail');
    assert.match(
      html,
      /<h2 id="body">.*<ul class="shape"><li><div><code>from<\/code> <span>string<\/span> <em>required<\/em>/s,
    );
    assert.match(
      html,
      /<details open><summary><code>attachments<\/code> .*?<ul class="shape">.*?<code>filename<\/code>/s,
    );
    assert.match(html, /<td>400<\/td><td><code>invalid_request<\/code><\/td><td>\w/);
    for (const endpoint of t.app.endpoints) {
      const { operation } = endpoint;
      const isCalled = Object.hasOwn(OPERATIONS, operation);
      assert.equal(
        (await operationPage(endpoint)).includes(`"/console/try?operation=${operation}"`),
        isCalled,
        operation,
      );
    }
  });

  it('the scripts of a page of the docs name no storage and no channel, so they read no login', async () => {
    const seen = new Set<string>(['/assets/docs.js']);
    for (const path of seen) {
      const { text } = await t.api().get(path);
      assert.doesNotMatch(text, /localStorage|sessionStorage|cookie|indexedDB|caches\b|BroadcastChannel/, path);
      for (const [, name = ''] of text.matchAll(/from ['"]\.\/([\w-]+\.js)['"]/g)) seen.add(`/assets/${name}`);
    }
    assert.ok(seen.size > 2);
  });

  it('the search finds each operation by its name first, and by its summary', async () => {
    const find = async (question: string): Promise<{ url: string }[]> => {
      const query = encodeURIComponent(question);
      return (await t.api().get(`/docs/search?q=${query}`, { accept: 'application/json' })).body.results;
    };
    for (const { operation, summary } of t.app.endpoints) {
      const url = `/docs/api/${operation}`;
      assert.equal((await find(operation))[0]?.url, url, operation);
      assert.ok(
        (await find(summary)).slice(0, 5).some((found) => found.url === url),
        `${summary}: ${operation}`,
      );
    }
    const missed: string[] = [];
    for (const [question, url] of QUESTIONS) {
      const found = (await find(question)).slice(0, 6).map((one) => one.url);
      if (!found.some((one) => one.startsWith(url))) missed.push(`${question}: ${found.join(' ')}`);
    }
    assert.deepEqual(missed, []);
  });

  it('a result marks the words found, in other forms too, in the passage that has the most of them', async () => {
    const query = encodeURIComponent('how do I wait for codes');
    const { results } = (await t.api().get(`/docs/search?q=${query}`, { accept: 'application/json' })).body;
    const marks = (parts: string[]): string[] => parts.filter((_, i) => i % 2 === 1).map((word) => word.toLowerCase());
    const forms = /^(wait|codes?)/;
    for (const { title, title_parts: titled, passage_parts: shown } of results) {
      assert.equal(titled.join(''), title);
      const words = marks([...titled]).concat(marks([...shown]));
      for (const word of words) assert.match(word, /wait|code/, `${title}: ${word}`);
      assert.ok(shown.join('').length < 200, title);
      assert.doesNotMatch(shown.join(''), /`|\*\*|\]\(|\|/, `${title}: as text, not as Markdown`);
    }
    const first = marks(results[0].passage_parts);
    assert.ok(
      first.some((word) => forms.test(word)),
      results[0].passage_parts.join('|'),
    );
    const { text } = await t.api().get(`/docs/search?q=${query}`, BROWSER);
    assert.match(text, /<mark>codes?<\/mark>/i);
    const hostile = await t.api().get(`/docs/search?q=${encodeURIComponent('subject <script>')}`, BROWSER);
    assert.doesNotMatch(hostile.text, /<script>/);
  });

  it('the results of a search show what was asked as text', async () => {
    const { text } = await t.api().get(`/docs/search?q=${encodeURIComponent('"><script>x</script>')}`, BROWSER);
    assert.equal(text.includes('<script>x'), false);
    assert.match(text, /&lt;script&gt;x/);
    assert.match((await t.api().get('/docs/search', BROWSER)).text, /0 results/);
  });

  it('the curl example of every operation is a valid request', async (test) => {
    let succeeded = 0;
    const unfit: string[] = [];
    for (const endpoint of t.app.endpoints) {
      const { operation, method } = endpoint;
      const command = codeIn(await operationPage(endpoint), 'sh') ?? '';
      const account = await t.createAccount();
      const { path, ...asked } = requestOf(command, account.key);
      assert.equal(asked.method, method, operation);
      const gone = AbortSignal.timeout(20_000);
      const reply = await fetch(t.baseUrl + path.replace('wait=60', 'wait=1'), {
        ...asked,
        signal: gone,
        redirect: 'manual',
      });
      if (reply.status < 400) {
        succeeded += 1;
        await reply.body?.cancel();
        continue;
      }
      const { code } = (await reply.json()) as { code: ErrorCode };
      assert.ok(errorsOf(endpoint).includes(code), `${operation}: ${code}`);
      if (UNFIT.has(code) && !LACKING.has(operation)) unfit.push(`${operation}: ${code} ${command}`);
    }
    assert.deepEqual(unfit, []);
    test.diagnostic(`${succeeded} of ${t.app.endpoints.length} examples succeed with a new account and nothing else`);
    assert.ok(succeeded > t.app.endpoints.length / 3);
  });

  it('the examples in TypeScript, Python and for the command line make the request of the curl example', async () => {
    const python = readFileSync(
      new URL('../../../clients/python/signet_client/_operations.py', import.meta.url),
      'utf8',
    );
    for (const endpoint of t.app.endpoints) {
      const { operation } = endpoint;
      const html = await operationPage(endpoint);
      const script = codeIn(html, 'ts');
      if (script === undefined) continue;
      const wanted = requestOf(codeIn(html, 'sh') ?? '', 'x');
      const hosts = new Set<string>();
      const sent: [string, string, unknown][] = [];
      const fetchNothing = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
        const { origin, pathname, searchParams } = new URL(String(url));
        hosts.add(origin);
        const query = searchParams.size === 0 ? '' : `?${searchParams}`;
        sent.push([init?.method ?? 'GET', decodeURIComponent(pathname + query), init?.body ?? undefined]);
        return Response.json({});
      };
      class Recording extends SignetClient {
        constructor(options: SignetOptions) {
          super({ ...options, retries: 0, fetch: fetchNothing });
        }
      }
      await runProgram(script, {
        given: { process: { env: { SIGNET_KEY: 'x' } } },
        modules: { [PACKAGE_NAME]: { SignetClient: Recording } },
      });
      assert.deepEqual([...hosts], [t.baseUrl], 'for this host');
      const [[method, path, body] = []] = sent;
      // A client may add its own parameters, such as `claim=false`.
      assert.equal(method, wanted.method, operation);
      assert.ok(path?.startsWith(decodeURIComponent(wanted.path)), `${operation}: ${path}`);
      if ('body' in wanted) assert.deepEqual(JSON.parse(String(body)), JSON.parse(wanted.body), operation);
      const [, call = '', named = ''] =
        /^reply = signet\.(?:\w+)\.(\w+)\((.*)\)$/m.exec(codeIn(html, 'python') ?? '') ?? [];
      assert.ok(codeIn(html, 'python')?.includes(`base_url="${t.baseUrl}"`), operation);
      const signature = `def (\\w+)\\(self(.*)\\) ->[^\\n]*\\n[^\\n]*\\n +return self\\._call\\("${operation}"`;
      const [, name = '', takes = ''] = new RegExp(signature).exec(python) ?? [];
      // A list is an object, whose page is a call of itself.
      if (name === '__call__') assert.match(python, new RegExp(`self\\.${call} = \\w+\\(client\\)`), operation);
      else assert.equal(name, call, operation);
      for (const [, field] of named.matchAll(/(?:^|, )(\w+)=/g))
        assert.match(takes, new RegExp(`\\b${field}:`), operation);
      const [, fields] = OPERATION_TABLE[operation as keyof typeof OPERATION_TABLE];
      const [host, line = ''] = (codeIn(html, 'cli') ?? '').split('\n');
      assert.equal(host, `export SIGNET_URL=${t.baseUrl}`);
      assert.ok(line.startsWith(`signet call ${operation}`), operation);
      for (const [, field = ''] of line.matchAll(/ --(\w+)/g)) assert.ok(field in fields, `${operation}: ${field}`);
    }
  });
});

/** An example with one of these would be wrong in itself. */
const UNFIT = new Set<ErrorCode>([
  'invalid_request',
  'invalid_json',
  'unauthorized',
  'unsupported_media_type',
  'method_not_allowed',
]);
/** Operations that need what only their caller can know: a key, a token of another kind, a day that lies ahead. */
const LACKING = new Set([
  ...['createDelegation', 'exchangeToken', 'rotateEncryptionKey', 'viewCredentialRequest', 'approveCredential'],
  ...['judgeFinding', 'callMcp', 'callMcpGroup'],
]);

const QUESTIONS: readonly [question: string, url: string][] = [
  ['how do I wait for a code', '/docs/api/waitForMail'],
  ['how can an agent send email?', '/docs/api/sendEmail'],
  ['my key was stolen', '/docs/api/secureAccount'],
  ['store a password', '/docs/vault'],
  ['create an account', '/docs/api/createKey'],
  ['approve a charge', '/docs/api/approveCharge'],
  ['who is my operator', '/docs/operators'],
  ['verify a webhook', '/docs/webhooks'],
  ['answer a mail', '/docs/mail'],
  ['delete my account', '/docs/api/deleteAccount'],
  ['own domain', '/docs/stacks'],
  ['spending limit', '/docs/budgets'],
];

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { LIMIT_TABLE } from '../../src/api/limits.ts';
import { AUDIT_CATEGORIES } from '../../src/web/console/parts/audit-categories.ts';
import { LIMIT_WORDS } from '../../src/web/console/ui/words/limit-words.ts';
import { type ApiReply, onEngines, type TestApp, tokenIn } from '../support/harness.ts';
import { askFor, registerClient } from '../support/oauth-client.ts';

const PAGES = [
  ...['/', '/login', '/recover', '/dashboard', '/console/try', '/approve', '/review', '/confirm', '/credentials'],
];

/** The address of an import. */
const beside = (path: string, specifier: string): string => new URL(specifier, `http://a${path}`).pathname;

/** The pages and all files that a browser loads for them, by path. */
async function loadAll(t: TestApp): Promise<Map<string, ApiReply>> {
  const loaded = new Map<string, ApiReply>();
  const waiting = [...PAGES];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (loaded.has(path)) continue;
    const reply = await t.api().get(path);
    loaded.set(path, reply);
    const [html, imports] = [/(?:src|href)="(\/assets\/[^"]+)"/g, /(?:from ?|import\()['"](\.\.?\/[^'"]+)['"]/g];
    for (const [, asset = ''] of reply.text.matchAll(html)) waiting.push(asset);
    if (path.endsWith('.js'))
      for (const [, name = ''] of reply.text.matchAll(imports)) waiting.push(beside(path, name));
  }
  return loaded;
}

const scriptsOf = (files: Map<string, ApiReply>): [string, string][] =>
  [...files].filter(([path]) => path.endsWith('.js')).map(([path, { text }]) => [path, text]);

/** `{id}` stands for one part of a path. */
const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);

/** The paths of the API in a script. A placeholder counts as one part. */
const pathsIn = (script: string): string[] =>
  [...script.replaceAll(/placeholder: '[^']*'/g, '').matchAll(/['"`](\/v1\/[^'"`\s]*)/g)].map(([, path = '']) =>
    path.replace(/\$\{(?:[^{}]|\{[^}]*\})*\}/g, 'x').replace(/\?.*$/, ''),
  );

/** To other clients, `/` is text. */
const AS_BROWSER = { accept: 'text/html' };

onEngines('any', 'The web pages', {}, (suite) => {
  for (const path of PAGES) {
    it(`GET ${path} is a page whose policy allows only its own resources`, async () => {
      const { status, headers } = await suite.t.api().get(path, AS_BROWSER);
      assert.equal(status, 200);
      assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.equal(headers.get('referrer-policy'), 'no-referrer');
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      const policy = new Map(
        (headers.get('content-security-policy') ?? '').split('; ').map((rule) => {
          const [name = '', ...sources] = rule.split(' ');
          return [name, sources.join(' ')];
        }),
      );
      for (const name of ['default-src', 'base-uri', 'form-action', 'frame-ancestors'])
        assert.equal(policy.get(name), "'none'", name);
      for (const name of ['script-src', 'style-src', 'connect-src', 'frame-src'])
        assert.equal(policy.get(name), "'self'", name);
      assert.equal(policy.get('font-src'), "'self'", '4: fonts are files of this service');
      assert.equal(policy.size, 12, 'nothing else');
      assert.equal(policy.get('img-src'), "'self' data:");
      assert.equal(policy.get('require-trusted-types-for'), "'script'");
    });

    it(`GET ${path} has no inline script, style or handler, and loads nothing from elsewhere`, async () => {
      const { text } = await suite.t.api().get(path, AS_BROWSER);
      const scripts = [...text.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)];
      assert.ok(scripts.length > 0);
      for (const [, attributes, content] of scripts) {
        assert.match(attributes ?? '', /src="\/assets\/([0-9a-f]{16}\/console\/)?[a-z-]+\.js"/);
        assert.equal(content, '');
      }
      assert.doesNotMatch(text, /<style\b|\sstyle\s*=|\son[a-z]+\s*=|="javascript:/i);
      for (const [, target] of text.matchAll(/(?:src|href)="([^"]*)"/g)) assert.match(target ?? '', /^(#|\/(?!\/))/);
    });
  }

  it('every file that a page loads exists, with its type', async () => {
    const files = await loadAll(suite.t);
    const types: Record<string, string> = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' };
    const assets = [...files].filter(([path]) => path.startsWith('/assets/'));
    assert.ok(assets.length > 10);
    for (const [path, { status, headers }] of assets) {
      assert.equal(status, 200, path);
      assert.equal(headers.get('content-type'), `${types[path.split('.').at(-1) ?? '']}; charset=utf-8`, path);
      assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
    }
  });

  it('4: one text family in Latin and Latin Extended, at most 60 KB, kept by browsers, and a fallback as wide', async () => {
    const { text: css } = await suite.t.api().get('/assets/signet.css');
    const fonts = [...css.matchAll(/url\("([^"]+)"\)/g)].map(([, path = '']) => path);
    assert.equal(fonts.length, 2);
    let bytes = 0;
    for (const path of fonts) {
      const { status, headers } = await suite.t.api().get(path);
      assert.equal(status, 200, `${path}: signet.css names another version than the package has`);
      assert.equal(headers.get('content-type'), 'font/woff2');
      assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable');
      bytes += Number(headers.get('content-length'));
    }
    assert.ok(bytes > 10_000 && bytes <= 60_000, `${bytes} bytes`);
    assert.match(css, /size-adjust: [\d.]+%/);
    assert.equal((await suite.t.api().get('/assets/text-latin-0.woff2')).status, 404);
  });

  it('a first load is at most 150 KB as sent, of every page', async (test) => {
    const { accountId } = await suite.t.createAccount();
    const consent = `/oauth/authorize?${askFor(await registerClient(suite.t)).request}`;
    const others = ['/docs', '/docs/mail', '/docs/api/sendEmail', `/agents/${accountId}`, consent];
    for (const page of [...PAGES, ...others]) {
      const accept = 'text/html';
      const { text } = await suite.t.api().get(page, { accept });
      const { status, headers } = await suite.t.api().get(page, { accept, 'accept-encoding': 'br, gzip' });
      assert.equal(status, 200, page);
      const files = new Set([...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path));
      let bytes = Number(headers.get('content-length'));
      for (const path of files) {
        const reply = await suite.t.api().get(path, { 'accept-encoding': 'br, gzip' });
        bytes += Number(reply.headers.get('content-length'));
      }
      assert.ok(bytes > 5000 && bytes <= 150_000, `${page}: ${bytes} bytes`);
      test.diagnostic(`${page.split('?')[0]}: ${bytes} bytes in ${files.size + 1} files`);
    }
  });

  it('the front page shows a picture of the console in both themes, each of at most 60 KB', async () => {
    const { text } = await suite.t.api().get('/', AS_BROWSER);
    for (const theme of ['light', 'dark']) {
      const path = `/assets/console-${theme}.webp`;
      assert.ok(text.includes(`"${path}"`), theme);
      const { status, headers } = await fetch(suite.t.baseUrl + path);
      assert.deepEqual([status, headers.get('content-type')], [200, 'image/webp']);
      const bytes = Number(headers.get('content-length'));
      assert.ok(bytes > 10_000 && bytes <= 60_000, `${theme}: ${bytes} bytes`);
    }
  });

  it('every name that a script imports is exported by that file', async () => {
    const files = await loadAll(suite.t);
    let imported = 0;
    for (const [path, script] of scriptsOf(files)) {
      for (const [, names = '', from = ''] of script.matchAll(/import \{([^}]*)\} from '(\.\.?\/[^']+)'/g)) {
        for (const name of names.split(',').map((text) => text.trim())) {
          // What lit-html exports is renamed at its end.
          if (name === '' || from.includes('/lit/')) continue;
          imported += 1;
          const target = files.get(beside(path, from))?.text ?? '';
          const declared = new RegExp(`export\\s+(async )?(function\\*?|const|class) ${name}\\b`);
          assert.match(target, declared, `${path}: ${name}`);
        }
      }
    }
    assert.ok(imported > 20);
  });

  it('no script turns data into markup', async () => {
    const files = await loadAll(suite.t);
    for (const [path, script] of scriptsOf(files).filter(([file]) => !file.includes('/lit/'))) {
      assert.doesNotMatch(
        script,
        /unsafeHTML|\.innerHTML|\.outerHTML\s*=|insertAdjacentHTML|document\.write|\beval\(|new Function/,
        path,
      );
      if (!path.endsWith('/console/mail-frame.js')) assert.doesNotMatch(script, /srcdoc|parseFromString/, path);
    }
  });

  it('a mail’s HTML is shown in a frame that may run, send, open and leave nothing', async () => {
    const [, text = ''] = scriptsOf(await loadAll(suite.t)).find(([path]) => path.endsWith('/mail-frame.js')) ?? [];
    assert.deepEqual(text.match(/setAttribute\('sandbox', .*\)|allow-[\w-]+/g), [
      "setAttribute('sandbox', 'allow-same-origin')",
    ]);
  });

  it('the console reaches the service by the client library alone', async () => {
    const scripts = scriptsOf(await loadAll(suite.t)).filter(([path]) => path.includes('/console/'));
    assert.ok(scripts.length > 50);
    // The documentation is pages, and what mail programs connect to is a document: no parts of the API.
    for (const [path, script] of scripts)
      assert.doesNotMatch(
        script.replace('fetch(`/docs/search?', '').replace('fetch(DOCUMENT)', ''),
        /\bfetch\(|XMLHttpRequest|EventSource\(|WebSocket\(|sendBeacon/,
        path,
      );
  });

  it('the scripts call endpoints that exist', async () => {
    const files = await loadAll(suite.t);
    const known = suite.t.app.endpoints.map(({ path }) => patternOf(path));
    const called = scriptsOf(files).flatMap(([, script]) => pathsIn(script));
    assert.ok(called.length > 10);
    for (const path of called)
      assert.ok(
        known.some((pattern) => pattern.test(path)),
        path,
      );
  });

  it('the page of the audit log can be narrowed to what each endpoint writes into it', () => {
    const acting = suite.t.app.endpoints.flatMap(({ action }) => action?.split('.')[0] ?? []);
    const known = Object.keys(AUDIT_CATEGORIES);
    assert.deepEqual(
      [...new Set(acting)].filter((category) => !known.includes(category)),
      [],
    );
  });

  it('D: each limit that a person can use up is told in words for people', () => {
    // What is too large says so itself, and what only programs do needs no such words.
    const said =
      /^(recipients_per_send|mail_metadata_(bytes|names)|vault_(metadata|ciphertext|seed)_bytes|legacy_vault_seed_bytes|bounced_percent)$/;
    const refusing = Object.entries(LIMIT_TABLE)
      .filter(([, row]) => 'code' in row)
      .map(([name]) => name);
    assert.deepEqual(
      refusing.filter((name) => !(name in LIMIT_WORDS) && !said.test(name)),
      [],
    );
    assert.deepEqual(
      Object.keys(LIMIT_WORDS).filter((name) => !refusing.includes(name)),
      [],
    );
  });

  it('the pages are in the API description, with their own tag', async () => {
    const { body } = await suite.t.api().get('/api');
    for (const path of [...PAGES, '/assets/{name}', '/assets/{tree}/{folder}/{name}'])
      assert.deepEqual(body.paths[path].get.tags, ['Pages']);
  });
});

onEngines('any', 'GET /assets/{name}', {}, (suite) => {
  const PATH = '/assets/signet.css';

  it('304 without a body if the copy is current', async () => {
    const first = await suite.t.api().get(PATH);
    const etag = first.headers.get('etag') ?? '';
    assert.match(etag, /^"[\w-]+"$/);
    for (const held of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await suite.t.api().get(PATH, { 'if-none-match': held });
      assert.equal(again.status, 304, held);
      assert.equal(again.text, '');
      assert.equal(again.headers.get('etag'), etag);
    }
  });

  it('200 with the file if the copy is outdated', async () => {
    const first = await suite.t.api().get(PATH);
    const again = await suite.t.api().get(PATH, { 'if-none-match': '"other"' });
    assert.equal(again.status, 200);
    assert.equal(again.text, first.text);
    const other = await suite.t.api().get('/assets/front.css');
    assert.notEqual(other.headers.get('etag'), first.headers.get('etag'));
  });

  it('HEAD replies like GET, without the body', async () => {
    const reply = await suite.t.api()('HEAD', PATH);
    assert.equal(reply.status, 200);
    assert.equal(reply.text, '');
  });

  for (const name of [
    'none.js',
    '__proto__',
    'constructor',
    '..%2fpage-routes.ts',
    '..%2Fpages%2Flogin.html',
    'pages',
  ]) {
    it(`404 not_found: ${name}`, async () => {
      const reply = await suite.t.api().get(`/assets/${name}`);
      assert.equal(reply.status, 404);
      assert.equal(reply.body.error, 'not_found');
    });
  }
});

onEngines('any', 'GET /login', {}, (suite) => {
  it('never consumes a link, however often and by whatever method it is fetched', async () => {
    const { t } = suite;
    await t.createAccount({ email: 'ada@example.com' });
    await t.api().post('/v1/auth/login', { email: 'ada@example.com' });
    const token = tokenIn((await t.outboxMails()).findLast((mail) => mail.includes('/login#')) ?? '');
    for (let i = 0; i < 3; i++) {
      // A scanner never sends the fragment, at most something derived from it.
      assert.equal((await t.api().get('/login')).status, 200);
      assert.equal((await t.api().get(`/login?token=${token}`)).status, 200);
      assert.equal((await t.api()('HEAD', `/login?token=${token}`)).status, 200);
      const head = await fetch(`${t.baseUrl}/v1/auth/verify?token=${token}`, { method: 'HEAD', redirect: 'manual' });
      assert.equal(head.status, 405);
    }
    const opened = await t.api().get(`/v1/auth/verify?token=${token}`);
    assert.equal(opened.status, 302);
    assert.match(opened.headers.get('location') ?? '', /^\/dashboard#session=session_/);
  });

  it('is the same for every link, so that it reveals nothing about one', async () => {
    const replies = await Promise.all(
      ['/login', '/login?token=a', '/login?token=b'].map((path) => suite.t.api().get(path)),
    );
    for (const { text } of replies) assert.equal(text, replies[0]?.text);
  });
});

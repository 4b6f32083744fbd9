import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createAgent, type TestAgent } from '../../../../../test/support/agents.ts';
import { onEngines, startTestApp, type TestApp } from '../../../../../test/support/harness.ts';
import { DOT, pictureServer } from '../../../../../test/support/pictures.ts';
import { openGuard, publicGuard, RefusedHostError, type Resolve } from '../../../../base/outbound-guard.ts';
import { namedIn } from './picture.ts';
import { fetchPicture, type HostGuard } from './picture-client.ts';

const MIB = 1_048_576;
const LARGE = Buffer.concat([DOT, Buffer.alloc(MIB)]);
const HUGE = Buffer.concat([DOT, Buffer.alloc(2 * MIB)]);
const FILES: Parameters<typeof pictureServer>[0] = {
  '/a.png?x=1&y=2': { content: DOT },
  '/moved': { status: 302, location: '/a.png?x=1&y=2' },
  '/loop': { status: 302, location: '/loop' },
  '/away': { status: 302, location: 'file:///etc/passwd' },
  '/page': { content: Buffer.from('<html>') },
  '/huge.png': { content: HUGE },
};

/** An agent with a mail that shows pictures of a host. */
async function withMail(t: TestApp, urls: readonly string[]): Promise<{ agent: TestAgent; path: string }> {
  const agent = await createAgent(t);
  const html = urls.map((url) => `<img src="${url.replaceAll('&', '&amp;')}">`).join('');
  await t.sendSmtp({ to: agent.address, subject: 'Pictures', text: 'See.', html });
  const { messages } = (await agent.api.get(`/v1/email/inbox?address=${agent.address}&wait=30`)).body;
  return { agent, path: `/v1/email/messages/${messages[0].message_id}/pictures?address=${agent.address}` };
}

const LIMITS = { picture_loads_per_hour: 3 };

onEngines('any', 'POST /v1/email/messages/{id}/pictures', { limits: LIMITS }, (suite) => {
  let host: Awaited<ReturnType<typeof pictureServer>>;
  before(async () => {
    host = await pictureServer(FILES);
  });
  after(() => host?.close());
  const at = (path: string): string => host.url + path;

  it('gets pictures that the mail names, through three redirects, and nothing else; the host learns nothing of the reader', async () => {
    const urls = [...Object.keys(FILES), '/gone.png'].map(at);
    const { agent, path } = await withMail(suite.t, urls);
    assert.equal(host.asked.length, 0, 'mail that arrives or is read asks for nothing');
    const secret = { cookie: 'a=b', referer: 'https://console.example/', 'x-forwarded-for': '203.0.113.7' };
    const reply = await agent.api.post(path, { urls: [...urls, ...urls.slice(0, 1), at('/unnamed.png')] }, secret);
    assert.equal(reply.status, 200, reply.text);
    const picture = { content_type: 'image/png', content: DOT.toString('base64') };
    const expected = ['/a.png?x=1&y=2', '/moved'].map((one) => ({ url: at(one), ...picture }));
    assert.deepEqual(reply.body.pictures, expected);
    assert.ok(!host.asked.includes('/unnamed.png'), 'the mail does not name it');
    assert.equal(host.asked.filter((one) => one === '/loop').length, 4);
    for (const { cookie, referer, authorization, ...others } of host.headers)
      assert.deepEqual(
        [cookie, referer, authorization, others['x-forwarded-for']],
        [undefined, undefined, undefined, undefined],
      );
  });

  it('a part of an address, another scheme and a user name are not asked for', async () => {
    const named = [at('/a.png?x=1&y=2'), 'file:///etc/passwd', 'http://u@127.0.0.1:9/a.png', 'data:image/png;base64,x'];
    const { agent, path } = await withMail(suite.t, named);
    const before = host.asked.length;
    const reply = await agent.api.post(path, { urls: [...named.slice(1), at('/a.png'), at('/a.png?x=1'), ''] });
    assert.deepEqual([reply.status, reply.body.pictures, host.asked.length], [200, [], before]);
    assert.equal((await agent.api.post(path, { urls: Array(21).fill(named[0]) })).status, 400);
    const stranger = await createAgent(suite.t);
    const missing = path.replace(/msg_\w+/, `msg_${'0'.repeat(26)}`);
    const foreign = await stranger.api.post(path, { urls: named });
    assert.deepEqual(
      [foreign.status, host.asked.length],
      [(await stranger.api.post(missing, { urls: named })).status, before],
    );
  });

  it('429 after some loads of an account in an hour', async () => {
    const urls = [at('/a.png?x=1&y=2')];
    const { agent, path } = await withMail(suite.t, urls);
    for (let i = 0; i < 3; i++) assert.equal((await agent.api.post(path, { urls })).body.pictures.length, 1);
    const refused = await agent.api.post(path, { urls });
    assert.deepEqual([refused.status, refused.body.limit.name], [429, 'picture_loads_per_hour']);
    suite.t.clock.advance(3_600_000);
    assert.equal((await agent.api.post(path, { urls })).status, 200);
  });

  it('the pictures of a call are 10 MiB at most, and what does not fit is left out', async () => {
    const large = await pictureServer(
      Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`/${n}.png`, { content: LARGE }])),
    );
    try {
      const urls = Array.from({ length: 20 }, (_, n) => `${large.url}/${n}.png`);
      const { agent, path } = await withMail(suite.t, urls);
      // The second finds the room that the first had.
      for (let calls = 0; calls < 2; calls++) {
        const { status, body } = await agent.api.post(path, { urls });
        assert.equal(status, 200);
        assert.ok(body.pictures.length > 0 && body.pictures.length < 10, `${body.pictures.length}`);
      }
    } finally {
      await large.close();
    }
  });

  it('429 for a third call of an account while two of its calls wait for hosts, and it spends nothing', async () => {
    const { promise: until, resolve: answer } = Promise.withResolvers<void>();
    const { promise: bothAsked, resolve: ask } = Promise.withResolvers<void>();
    let waiting = 0;
    const files = {
      '/slow.png': {
        content: DOT,
        get until() {
          waiting += 1;
          if (waiting === 2) ask();
          return until;
        },
      },
    };
    const slow = await pictureServer(files);
    try {
      const urls = [`${slow.url}/slow.png`];
      const { agent, path } = await withMail(suite.t, urls);
      const first = [agent.api.post(path, { urls }), agent.api.post(path, { urls })];
      await bothAsked;
      for (let calls = 0; calls < 3; calls++) {
        const { status, body, headers } = await agent.api.post(path, { urls });
        assert.deepEqual([status, body.error, headers.get('retry-after')], [429, 'rate_limited', '5']);
        assert.deepEqual(body.limit, { name: 'picture_loads_at_once', used: 2, max: 2 });
      }
      answer();
      for (const { body } of await Promise.all(first)) assert.equal(body.pictures.length, 1);
      assert.equal((await agent.api.post(path, { urls })).body.pictures.length, 1);
    } finally {
      await slow.close();
    }
  });

  it('a service that is live asks no private host, also not by way of a name', async () => {
    if (suite.t.engine !== 'sqlite') return;
    const live = await startTestApp('sqlite', { env: { DEVELOPMENT: 'off' } });
    try {
      const urls = [at('/a.png?x=1&y=2'), at('/a.png?x=1&y=2').replace('127.0.0.1', 'localhost')];
      const { agent, path } = await withMail(live, urls);
      const before = host.asked.length;
      const reply = await agent.api.post(path, { urls });
      assert.deepEqual([reply.status, reply.body.pictures, host.asked.length], [200, [], before]);
    } finally {
      await live.stop();
    }
  });
});

describe('pictures of a mail', () => {
  it('are those that stand in either kind of quotes, whole', () => {
    const html = `<img src="http://a/1?x=1&amp;y"><img src='http://a/"2"'><p>http://a/3 "HTTP://a/4" "x http://a/5"`;
    const named = ['http://a/1?x=1&y', 'http://a/"2"', 'HTTP://a/4'];
    assert.deepEqual(namedIn(html, new Set([...named, 'http://a/', 'http://a/3', 'http://a/5'])), named);
    const long = `http://a/${'x'.repeat(2039)}`;
    assert.deepEqual([namedIn(`"${long}"`, new Set([long])), long.length], [[long], 2048]);
  });

  it('are not loaded from private hosts by a redirect, or by a name that is public and has a private address', async () => {
    const host = await pictureServer({ '/a.png': { content: DOT } });
    const { port } = new URL(host.url);
    const inner = `http://inner.example:${port}/a.png`;
    const targets = { name: inner, literal: `${host.url}/a.png`, local: `http://localhost:${port}/a.png` };
    const redirects = Object.entries(targets).map(([to, location]) => [`/${to}`, { status: 302, location }]);
    const outer = await pictureServer(Object.fromEntries([...redirects, ['/a.png', { content: DOT }]]));
    const here: Resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    const live = publicGuard(here);
    // One name counts as public, so that it can be a server of this test.
    const guard: HostGuard = {
      refusesHost: live.refusesHost,
      lookup: (name, ...rest) => (name === 'outer.example' ? openGuard(here) : live).lookup(name, ...rest),
    };
    const load = (url: string) =>
      fetchPicture(guard, new URL(url), {
        hold: () => {},
        signal: AbortSignal.timeout(60_000),
        mayAsk: (host) => host !== 'barred.example',
      });
    const at = (path: string): string => `http://outer.example:${new URL(outer.url).port}${path}`;
    try {
      assert.deepEqual((await load(at('/a.png'))).content, DOT);
      for (const url of [inner, at('/name')]) await assert.rejects(load(url), RefusedHostError);
      for (const url of [targets.literal, at('/literal'), at('/local')])
        await assert.rejects(load(url), /^Error: refused$/);
      assert.deepEqual([host.asked, outer.asked], [[], ['/a.png', '/name', '/literal', '/local']]);
    } finally {
      await Promise.all([host.close(), outer.close()]);
    }
  });
});

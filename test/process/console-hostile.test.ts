import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { type Browser, chromium, type Page } from 'playwright-core';
import { DAY_MS } from '../../src/base/period.ts';
import { HIDING } from '../corpus/hidden-text.ts';
import { ATTACKS } from '../corpus/hostile-html.ts';
import { HOSTILE_MAILS } from '../corpus/hostile-mails.ts';
import { confirmOperator, createAgent, type TestAgent } from '../support/agents.ts';
import {
  CHROMIUM,
  closePages,
  launchChromium,
  openConsole,
  openPage,
  shot,
  skipWithoutChromium,
  type WatchedPage,
} from '../support/console.ts';
import { startTestApp, type TestApp } from '../support/harness.ts';
import { followLink, loginLinks, newPerson } from '../support/operators.ts';

/** Ends what it may stand in, runs if it is taken as markup, and turns the text after it round. */
const MARKUP = `--></script></style><img src=x onerror=alert(1)>"'\u202egpj.exe\u2066`;
const LONG = 'W'.repeat(900);
/** A text of a field with a limit of its own. */
const filled = (max: number): string => `${MARKUP}${LONG}`.slice(0, max);

/** Found by the names that they have in the corpus. */
const CORPUS = ['NUL in headers, names, boundaries and the body', 'HTML of 200,000 unclosed tags', 'unknown charsets'];

/** Elements whose text is written out as it is: their mails hold a link in it that tells the browser to connect. */
const HINTING = ['xmp', 'noembed'];

/** A picture of each page would take longer than all else. */
const PICTURES = ['money', 'webhooks', 'agents'];

/**
 * Runs in the page: draws each mail in a frame and looks at it. WORD must be seen as it is, HIDE on a tint with its label, and
 * SHOW beside it.
 */
const judgeFrames = `async (mails) => {
  const module = document.querySelector('script[type="module"]').src.replace(/[^/]+$/, 'mail-frame.js');
  const { mailFrame } = await import(module);
  const own = new Set(['class', 'style', 'title', 'colspan', 'dir', 'lang', 'start', 'src', 'alt', 'width', 'height']);
  const found = [];
  for (const [name, html] of Object.entries(mails)) {
    const say = (fault) => found.push(name + ': ' + fault);
    const frame = mailFrame(html);
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
    document.body.append(frame);
    await loaded;
    const page = frame.contentDocument;
    const seen = page.defaultView.getComputedStyle.bind(page.defaultView);
    for (const one of [...page.body.querySelectorAll('*')].slice(0, 500)) {
      if (/^(script|style|link|meta|base|iframe|form|input|button|object|embed|svg|math|dialog)$/.test(one.localName)) say(one.localName);
      for (const { name: attribute, value } of one.attributes) {
        if (!own.has(attribute)) say('attribute ' + attribute);
        if (attribute === 'colspan' && Number(value) > 50) say('colspan ' + value);
        if (attribute === 'title' && one.parentElement.closest('.link')) say('a title in a link');
        if (/url|[\u202a-\u202e]/.test(value)) say(attribute + ' ' + value);
      }
      const { position, float, opacity, display, visibility, transform, overflow, fontSize, lineHeight } = seen(one);
      if ([position, float, opacity, visibility, transform, overflow].join() !== 'static,none,1,visible,none,visible') say(one.outerHTML.slice(0, 99));
      if ((one.style.color || one.style.backgroundColor) && one.closest('.bare')) say('a colour on a page that may be dark');
      if (display === 'none' && !/^col/.test(one.localName)) say('not displayed');
      if (parseFloat(fontSize) < 10 || parseFloat(fontSize) > 50 || parseFloat(lineHeight) < 10) say(fontSize + '/' + lineHeight);
    }
    const texts = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
    const words = { WORD: 0, SHOW: 0, HIDE: 0 };
    while (texts.nextNode()) {
      const { data, parentElement } = texts.currentNode;
      const [word] = /WORD|SHOW|HIDE/.exec(data) ?? [];
      if (word === undefined) continue;
      words[word] += 1;
      const range = page.createRange();
      range.selectNodeContents(texts.currentNode);
      const { width, height, left, top } = range.getBoundingClientRect();
      if (width < 20 || height < 10 || left < 0 || top < 0 || left > 900) say(word + ' is at ' + [left, top, width, height]);
      const tint = parentElement.closest('.unseen');
      if ((tint !== null) !== (word === 'HIDE')) say(word + (tint ? ' is tinted' : ' is not tinted'));
      if (tint && tint.querySelector('.label')?.textContent !== 'Hidden by the sender') say('no label');
      if (seen(parentElement).color === 'rgb(255, 255, 255)') say(word + ' is white');
    }
    if (html.includes('WORD') ? words.WORD === 0 : html.includes('HIDE') && (words.HIDE !== 1 || words.SHOW !== 1)) say(JSON.stringify(words));
    if ('ran' in globalThis) say('it ran');
    if (frame.getAttribute('sandbox') !== 'allow-same-origin') say('sandbox');
    const { position, width } = getComputedStyle(frame);
    if (position !== 'static' || frame.offsetHeight > 6100) say('the frame is ' + position + ' ' + frame.offsetHeight);
    if (document.querySelectorAll('#app').length !== 1 || !location.pathname.startsWith('/dashboard')) say('the page changed');
    frame.remove();
  }
  return found;
}`;

/** Every page of an agent, filled with what strangers and a hostile agent may write. */
describe('hostile data in the console, in Chromium', { skip: skipWithoutChromium }, () => {
  let t: TestApp;
  let browser: Browser;
  let watched: WatchedPage;
  let page: Page;
  let agent: TestAgent;
  let connections = 0;
  /** Sees also the connections that the browser opens ahead of a request. */
  const stranger = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });

  /** Makes things through the API that a person will see. */
  async function fillAgent(): Promise<void> {
    const { api, address } = agent;
    const made = async (method: string, path: string, body: object): Promise<void> => {
      const { status, text } = await api(method, path, body);
      assert.ok(status < 300, `${method} ${path}: ${text}`);
    };
    await made('PATCH', '/v1/agents/profile', { description: filled(280), capabilities: [filled(60)] });
    await made('POST', '/v1/charge', { amount: '1.00', category: 'c'.repeat(60), description: filled(250) });
    await made('POST', '/v1/webhooks', {
      url: `https://example.com/${'p'.repeat(900)}?<script>`,
      events: ['email.received'],
    });
    await made('PUT', `/v1/vault/${'k'.repeat(64)}`, {
      ciphertext: 'AAAA',
      metadata: { ['m'.repeat(60)]: filled(200) },
    });
    const [start, end] = [t.clock.now(), t.clock.now() + DAY_MS / 24].map((at) => new Date(at).toISOString());
    await made('POST', '/v1/calendar/events', { summary: filled(190), location: filled(190), start, end });
    await made('POST', '/v1/account/keys', { name: filled(60), scopes: ['mail:read'] });
    await made('POST', '/v1/pods', { name: filled(60) });
    await made('POST', '/v1/email/drafts', { from: address, to: ['a@b.example'], subject: filled(900), text: MARKUP });
    await made('POST', '/v1/tokens/issue', {
      audience: `https://x.example/${'q'.repeat(180)}`,
      scopes: ['a'.repeat(120)],
    });
    await made('POST', '/v1/email/send', { from: address, to: 'a@b.example', subject: filled(900), text: filled(900) });
  }

  /** Mails of strangers, one of them as HTML with files. */
  async function fillMailbox(): Promise<void> {
    const { api, address: to } = agent;
    const html = `<style>*{width:9999px}</style><div style="width:5000px" onclick="x()">${MARKUP}</div><table width=4000><tr><td>${LONG}</td></tr></table><a href="https://evil.example/${'q'.repeat(800)}">ok</a>`;
    const attachments = [{ filename: `${'n'.repeat(240)}<b>\u202egpj.exe`, content: 'x' }];
    const text = `${LONG} http://evil.example/${'a'.repeat(600)} code 123456`;
    await t.sendSmtp({
      to,
      subject: `${MARKUP}${LONG}`,
      text,
      html,
      attachments,
      from: `"${'N'.repeat(200)}" <eve@x.example>`,
    });
    const there = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
    const hints = ['preconnect', 'prefetch'].map((rel) => `<link rel="${rel}" href="${there}">`).join('');
    // The character U+E000 is the one that the console itself marks names with.
    for (const name of HINTING)
      await t.sendSmtp({ to, subject: name, text: 'hi', html: `<${name}><\ue000/${name}>${hints}</${name}>` });
    await t.sendSmtp({ to, subject: 'frames', text: 'hi', html: `<frameset><frame src="${there}"></frameset>` });
    for (const { what, raw } of HOSTILE_MAILS) if (CORPUS.includes(what)) await t.sendSmtp({ to, raw: raw() });
    // Waits until all have been read.
    await api.get(`/v1/email/inbox?address=${to}&wait=30`);
  }

  before(async () => {
    t = await startTestApp('sqlite');
    await once(stranger.listen(0, '127.0.0.1'), 'listening');
    agent = await createAgent(t, {}, await t.createAccount({ name: filled(60) }));
    await fillAgent();
    await fillMailbox();
    const email = newPerson(t);
    await confirmOperator(t, agent, email);
    const asked = { description: filled(200), vault_key: 'k'.repeat(60) };
    assert.equal((await agent.api.post('/v1/credentials/request', asked)).status, 201);
    browser = await launchChromium();
    watched = await openPage(browser, t);
    page = watched.page;
    page.on('dialog', (dialog) => watched.faults.push(`a dialog: ${dialog.message()}`));
    await page.clock.setFixedTime(t.clock.now());
    const [link] = await loginLinks(t, email);
    await openConsole(watched, t, await followLink(t, link as string));
  });
  after(async () => {
    await closePages(browser).finally(async () => {
      stranger.close();
      await t?.stop();
    });
  });

  const found: string[] = [];
  /** Looks at what the page shows now, in both widths. */
  async function look(name: string): Promise<void> {
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      if (wide > 0) found.push(`${name} ${width}: ${wide} px too wide`);
      if (PICTURES.includes(name)) await shot(page, `hostile-${name}-${width}`);
    }
    if (/[\u202a-\u202e\u2066-\u2069]/.test(await page.evaluate<string>('document.body.innerText')))
      found.push(`${name}: text is turned round`);
  }

  it('no page of the console runs it, loads it, turns its text round or grows too wide', async () => {
    const { messages } = (await agent.api.get(`/v1/email/inbox?address=${agent.address}`)).body;
    assert.equal(messages.length, CORPUS.length + 4);
    const { webhooks } = (await agent.api.get('/v1/webhooks')).body;
    const mail = (...parts: string[]): string => `mail/${encodeURIComponent(agent.address)}/${parts.join('/')}`;
    const own = (path: string): string => `${agent.accountId}/${path}`;
    const titled = (title: string): [string, string] => [own(title.toLowerCase()), `h1:has-text("${title}")`];
    // Each with what only this page shows, so that what is left of the one before does not count as ready.
    const views: [path: string, ready: string][] = [
      ['home', '.agent-card'],
      [own('overview'), '#set-up'],
      [own(mail('inbox')), '.letters a'],
      ...messages.map(({ message_id: id }: { message_id: string }): [string, string] => [
        own(mail('inbox', id)),
        `.message a[href*="${id}"]`,
      ]),
      [own(mail('drafts')), '.view:has(.folders a[aria-current]:has-text("Drafts")) .entries .badge'],
      [own(mail('sent')), '.view:has(.folders a[aria-current]:has-text("Sent")) .entries .badge'],
      ...['Money', 'Vault', 'Calendar', 'Identity', 'Activity', 'Keys', 'Webhooks'].map(titled),
      [own(`webhooks/${webhooks[0].id}`), '.view > .actions button:has-text("Delete")'],
      ...['Requests', 'Domains', 'Pods', 'Audit', 'Settings'].map(titled),
    ];
    for (const [path, ready] of views) {
      await page.evaluate(`location.hash = '#/${path}'`);
      await page.waitForSelector(`#main:not([aria-busy]) ${ready}`);
      const html = page.locator('button:has-text("Show the HTML part")');
      if (await html.count()) {
        await html.click();
        await page.waitForSelector('iframe.mail-frame');
      }
      await look(path.replace(agent.accountId, '').split('/').slice(0, 3).join(' ').trim());
    }
    assert.deepEqual([watched.faults, found], [[], []]);
  });

  /** Shows mails by the module that the console has loaded, and tells of each what is wrong with what is drawn. */
  async function draw(mails: Readonly<Record<string, string>>): Promise<string[]> {
    await page.goto('about:blank');
    await openConsole(watched, t, agent.key);
    return page.evaluate<string[]>(`(${judgeFrames})(${JSON.stringify(mails)})`);
  }

  it('D: the frame of a mail runs nothing, asks for nothing, covers nothing and hides no word', async () => {
    const host = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
    const named = Object.entries(ATTACKS).map(([name, html]) => [name, html.replaceAll('HOST', host)]);
    assert.deepEqual(await draw(Object.fromEntries(named)), []);
    assert.deepEqual([watched.faults, connections], [[], 0]);
  });

  it('D: what the sender hides shows on a tint that says so, by the rule of the screening', async () => {
    assert.deepEqual(await draw(HIDING), []);
  });

  it('D: a width without a unit counts, and only pictures that a mail shows are asked for', async () => {
    await page.goto('about:blank');
    await openConsole(watched, t, agent.key);
    const unseen = ['<noscript>', '<object>', '<svg><foreignObject>'].map(
      (tags) => `<p>${tags}<img src="https://x.example/b">`,
    );
    const html = `<table width="300"><tr><td>x</td></tr></table><img src="https://x.example/a">${unseen.join('</svg></object></noscript>')}`;
    const drawn = await page.evaluate(`(async (html) => {
      const module = document.querySelector('script[type="module"]').src.replace(/[^/]+$/, 'mail-frame.js');
      const { mailFrame, remoteIn } = await import(module);
      const frame = mailFrame(html);
      const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
      document.body.append(frame);
      await loaded;
      const { width } = frame.contentDocument.querySelector('table').getBoundingClientRect();
      frame.remove();
      return [width, remoteIn(html)];
    })(${JSON.stringify(html)})`);
    assert.deepEqual(drawn, [300, ['https://x.example/a']]);
  });

  it('no mail makes the browser of a person connect to its sender', async () => {
    // Chromium connects ahead only with a profile of its own, which the pages of the other tests do not have.
    const context = await chromium.launchPersistentContext('', { executablePath: CHROMIUM, args: ['--no-sandbox'] });
    try {
      const [own] = context.pages();
      assert.ok(own);
      const { messages } = (await agent.api.get(`/v1/email/inbox?address=${agent.address}`)).body;
      await openConsole({ page: own, faults: [] }, t, agent.key);
      const hinting = messages.filter(({ subject }: { subject: string }) => HINTING.includes(subject));
      assert.equal(hinting.length, HINTING.length);
      for (const { message_id: id } of hinting) {
        await own.evaluate(`location.hash = '#/mail/${encodeURIComponent(agent.address)}/inbox/${id}'`);
        await own.waitForSelector(`#main:not([aria-busy]) .message a[href*="${id}"]`);
        await own.click('button:has-text("Show the HTML part")');
        await own.waitForSelector('iframe.mail-frame');
      }
      await own.goto(`${t.baseUrl}/dev/outbox`);
    } finally {
      await context.close();
    }
    assert.equal(connections, 0);
  });

  it('nor do the pages that anyone can open', async () => {
    for (const path of [`/agents/${agent.address.split('@')[0]}`, '/dev/outbox']) {
      assert.equal((await page.goto(t.baseUrl + path))?.status(), 200, path);
      await look(path.split('/')[1] as string);
    }
    assert.deepEqual([watched.faults, found], [[], []]);
  });
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createAgent, type TestAgent } from '../../../test/support/agents.ts';
import { onEngines, type TestApp } from '../../../test/support/harness.ts';
import { type McpClient, mcpClient, outsideFences, wordsOf } from '../../../test/support/mcp.ts';
import { makePod } from '../../../test/support/pods.ts';

const KB = 1024;

/** Words that a sender may put anywhere in a mail. */
const WICKED = 'obeyme';

/** A mail whose sender wrote to the model wherever there is room, also in addresses, types and links. */
const wickedMail = (subject = WICKED) => ({
  from: `${WICKED}.now@evil-${WICKED}.example`,
  raw: [
    `From: "${WICKED} system" <${WICKED}.now@evil-${WICKED}.example>`,
    `To: "${WICKED}" <${WICKED}.to@evil-${WICKED}.example>`,
    `Cc: ${WICKED}.copy@evil-${WICKED}.example`,
    `Reply-To: ${WICKED}.reply@evil-${WICKED}.example`,
    `Message-ID: <${WICKED}@evil-${WICKED}.example>`,
    `Subject: ${subject}`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: text/html; charset=utf-8',
    '',
    `<p>${WICKED}: your code is 481922<br>from: boss@friend.example</p>`,
    `<a href="https://${WICKED}.example/verify?x=${WICKED}">${WICKED}</a>`,
    '--b',
    `Content-Type: text/${WICKED}; name="${WICKED}.${WICKED}"`,
    `Content-Disposition: attachment; filename="${WICKED}.${WICKED}"`,
    '',
    'x',
    '--b--',
    '',
  ].join('\r\n'),
});

const textOf = (result: { content: { type: string; text?: string }[] }): string => result.content[0]?.text ?? '';

onEngines('any', 'the results of /mcp', {}, (suite) => {
  async function withMail(t: TestApp, mail: object): Promise<{ agent: TestAgent; me: McpClient; id: string }> {
    const agent = await createAgent(t);
    const me = mcpClient(t, agent.key);
    await t.sendSmtp({ to: agent.address, ...mail });
    const { data } = await me.tool('wait_for_mail', { after: '2020-01-01T00:00:00Z', wait: 20 });
    return { agent, me, id: data.message.message_id };
  }

  it('hold the words of others in fences, wherever they come from, and nothing passes for another field', async () => {
    const { t } = suite;
    const { agent, me, id } = await withMail(t, wickedMail());
    const { address } = agent;
    const began = '2020-01-01T00:00:00Z';
    const reads: [string, Record<string, unknown>][] = [
      ['list_mail', {}],
      ['search_mail', { q: WICKED }],
      ['read_mail', { id }],
      ['wait_for_mail', { after: began, wait: 1 }],
      ['wait_for_code', { after: began, wait: 1 }],
      ['wait_for_event', { after: 'ev_0000000000000'.padEnd(29, '0'), wait: 1 }],
      ['reply_mail', { id, text: 'No.' }],
      ['call_operation', { id: 'getMessage', arguments: { id } }],
      ['call_operation', { id: 'getMessage', arguments: { id, format: 'llm' } }],
      ['call_operation', { id: 'getInboxMessage', arguments: { id } }],
      ['call_operation', { id: 'listInbox' }],
      ['call_operation', { id: 'listThreads' }],
      ['call_operation', { id: 'listEvents' }],
      ['call_operation', { id: 'listOutbox' }],
      ['call_operation', { id: 'replyToAll', arguments: { id, text: 'No.' } }],
      ['call_operation', { id: 'forwardMessage', arguments: { id, to: [address] } }],
      ['activity', {}],
    ];
    for (const [name, args] of reads) {
      const { result, isError, answer } = await me.tool(name, args);
      const what = `${name} ${args.id ?? ''}`;
      assert.equal(isError, false, `${what}: ${answer.text}`);
      assert.doesNotMatch(outsideFences(JSON.stringify(result)), new RegExp(WICKED, 'i'), what);
      const isSilent = ['activity', 'wait_for_code'].includes(name) || args.id === 'forwardMessage';
      if (!isSilent) assert.match(answer.text, new RegExp(WICKED), what);
    }
    const words = wordsOf((await me.tool('read_mail', { id })).data);
    assert.match(words.from ?? '', new RegExp(`^${WICKED}.now@`), 'the sender of the text is the sender of the mail');
    assert.match(words.text ?? '', /boss@friend/);
    assert.equal(words['links.0.url'], `https://${WICKED}.example/verify?x=${WICKED}`);
    assert.equal(words['attachments.0.content_type'], `text/${WICKED}`);
  });

  it('name no recipient of others outside a fence when a mail to them is refused', async () => {
    const { t } = suite;
    const { agent, me, id } = await withMail(t, wickedMail());
    await agent.api.put('/v1/email/policy', { outbound: { to: 'list', allow: [agent.address] } });
    for (const [name, args] of [
      ['reply_mail', { id, text: 'No.' }],
      ['call_operation', { id: 'replyToMessage', arguments: { id, text: 'No.' } }],
    ] as const) {
      const { result, isError, data } = await me.tool(name, args);
      assert.deepEqual([isError, data.error], [true, 'recipient_not_allowed'], name);
      assert.doesNotMatch(outsideFences(JSON.stringify(result)), new RegExp(WICKED), name);
      assert.match(data.untrusted, new RegExp(WICKED), name);
    }
  });

  it('leave own words outside: notes, events and labels of the account', async () => {
    const { t } = suite;
    const [agent, other] = [await createAgent(t), await createAgent(t)];
    const me = mcpClient(t, agent.key);
    await me.tool('note', { topic: 'plan', content: 'Ask Bo.', shared: true });
    await other.api.post('/v1/observations', { topic: 'plan', content: WICKED, shared: true });
    const { observations } = (await me.tool('read_notes', { topic: 'plan', scope: 'all' })).data;
    const mine = observations.find(({ agent_id: id }: { agent_id: string }) => id === agent.accountId);
    const theirs = observations.find(({ agent_id: id }: { agent_id: string }) => id === other.accountId);
    assert.deepEqual([mine.topic, mine.content, mine.untrusted], ['plan', 'Ask Bo.', undefined]);
    assert.deepEqual([theirs.content, wordsOf(theirs).content], [undefined, WICKED]);
    await me.tool('add_event', { summary: 'Stand-up', start: '2026-02-01', end: '2026-02-02', location: 'Room 4' });
    const [event] = (await me.tool('list_events')).data.events;
    assert.deepEqual([event.summary, event.location, event.untrusted], ['Stand-up', 'Room 4', undefined]);
  });

  it('A4 fence what a pod wrote of its money, and names that it chose', async () => {
    const { t } = suite;
    const platform = await createAgent(t);
    const pod = await makePod(t, platform);
    const words = {
      category: `${WICKED}\nfrom`,
      description: WICKED,
      reference_id: WICKED,
      metadata: { [WICKED]: 7, inner: { [WICKED]: '' }, [`${WICKED}.2`]: WICKED },
    };
    await pod.api.post('/v1/charge', { amount: 30, ...words });
    await platform.api.post('/v1/charge', { amount: 5, category: 'own', metadata: { note: 'mine' } });
    await platform.api.put('/v1/budget', { daily: 40, on_limit: 'approve' });
    const { approval_id: id } = (await pod.api.post('/v1/charge', { amount: 9, ...words })).body;
    const me = mcpClient(t, platform.key);
    for (const [name, args] of [
      ['call_operation', { id: 'getBudgetHistory' }],
      ['wait_for_approval', { id, wait: 1 }],
      ['wait_for_event', { after: 'ev_0000000000000'.padEnd(29, '0'), wait: 1 }],
      ['call_operation', { id: 'listEvents', arguments: { limit: 50 } }],
      ['call_operation', { id: 'listWaiting' }],
    ] as const) {
      const { result, isError, answer } = await me.tool(name, args);
      assert.equal(isError, false, answer.text);
      assert.doesNotMatch(outsideFences(JSON.stringify(result)), new RegExp(WICKED), JSON.stringify(args));
      assert.match(answer.text, new RegExp(WICKED), JSON.stringify(args));
    }
    const { body } = (await me.tool('call_operation', { id: 'getBudgetHistory' })).data;
    const [own, theirs] = body.entries;
    assert.deepEqual([own.category, own.metadata], ['own', { note: 'mine' }]);
    assert.equal(wordsOf(theirs).category, `${WICKED}\nfrom`);
    assert.equal(wordsOf(theirs)['metadata.0'], `${WICKED}: 7`);
    const { 'summary.by_category.0': one, 'summary.by_category.1': two } = wordsOf(body);
    assert.deepEqual([one, two].sort(), [`${WICKED}\nfrom: 30`, 'own: 5']);
    const approval = (await me.tool('wait_for_approval', { id, wait: 1 })).data;
    assert.deepEqual([approval.id, approval.status, approval.amount_usdc], [id, 'pending', 9]);
    assert.equal(wordsOf(approval)['metadata.0'], `${WICKED}: 7`);
  });

  it('are at most 6 KB for a list, whatever its entries hold, and say what was cut', async (test) => {
    const { t } = suite;
    const agent = await createAgent(t);
    const me = mcpClient(t, agent.key);
    const long = '"\\漢字 '.repeat(150);
    for (let n = 0; n < 12; n++)
      await t.sendSmtp({ from: `"${long}" <e@example.com>`, to: agent.address, subject: long, text: long });
    await t.app.provided.arrivals.idle();
    for (let n = 0; n < 12; n++)
      await agent.api.post('/v1/observations', { topic: 'long', content: long.repeat(5), shared: true });
    for (let n = 0; n < 12; n++)
      await me.tool('add_event', {
        summary: 'x'.repeat(400),
        description: long,
        start: '2026-02-01',
        end: '2026-02-02',
      });
    const lists: [string, Record<string, unknown>, string][] = [
      ['list_mail', {}, 'messages'],
      ['search_mail', { q: '漢字' }, 'messages'],
      ['read_notes', {}, 'observations'],
      ['list_events', {}, 'events'],
      ['wait_for_event', { after: 'ev_0000000000000'.padEnd(29, '0'), wait: 1 }, 'events'],
      ['activity', {}, 'entries'],
      ['call_operation', { id: 'listThreads' }, 'threads'],
      ['call_operation', { id: 'listInbox' }, 'messages'],
      ['call_operation', { id: 'listEvents' }, 'events'],
      ['call_operation', { id: 'listObservations' }, 'observations'],
    ];
    for (const [name, args, member] of lists) {
      const { data, result, answer } = await me.tool(name, args);
      const bytes = Buffer.byteLength(textOf(result));
      test.diagnostic(`${name} ${args.id ?? ''}: ${bytes} bytes`);
      assert.ok(bytes <= 6 * KB, `${name} ${args.id ?? ''}: ${bytes} bytes`);
      const entries = (data.body ?? data)[member];
      assert.ok(entries.length >= 8, answer.text);
      if (!['wait_for_event', 'activity'].includes(name) && args.id !== 'listEvents')
        assert.ok(
          entries.some(({ cut }: { cut?: boolean }) => cut),
          `${name} ${args.id ?? ''}`,
        );
    }
    const more = (await me.tool('list_mail', { limit: 12 })).data.messages;
    assert.equal(more.length, 12);
  });

  it('show a long mail a page at a time, and say how much is left', async (test) => {
    const { t } = suite;
    const text = Array.from({ length: 4_000 }, (_, n) => `${n} 👋`).join('\n');
    const { me, id } = await withMail(t, { subject: 'Long', text });
    const first = await me.tool('read_mail', { id });
    test.diagnostic(`a page of ${text.length} characters: ${Buffer.byteLength(textOf(first.result))} bytes`);
    let read = '';
    let page = first.data;
    for (let pages = 0; pages < 50; pages++) {
      const { text: part = '' } = wordsOf(page);
      read += part;
      if (page.next === undefined) break;
      assert.ok(part.length >= 7990 && part.length <= 8001, String(part.length));
      assert.equal(page.text_left, text.length - read.length);
      page = (await me.tool('read_mail', { id, ...page.next })).data;
      assert.deepEqual([page.message_id, page.subject], [id, undefined]);
    }
    assert.equal(read, text);
    assert.equal(page.text_left, 0);
    const beyond = (await me.tool('read_mail', { id, offset: 10_000_000 })).data;
    assert.deepEqual([beyond.text_left, beyond.next], [0, undefined]);
    for (const offset of [-1, 1.5, '8000'])
      assert.equal((await me.tool('read_mail', { id, offset })).data.error, 'invalid_request');
  });

  it('attach files by content and by link: to a new mail, an answer and a draft', async () => {
    const { t } = suite;
    const { agent, me, id } = await withMail(t, {
      subject: 'Logs',
      text: 'See',
      attachments: [{ filename: 'log.csv', content: 'a;b' }],
    });
    const { result } = await me.tool('read_mail', { id });
    const link = result.content.find(({ type }: { type: string }) => type === 'resource_link');
    const own = { name: 'plan.txt', content_base64: Buffer.from('the plan').toString('base64') };
    const attachments = [own, { name: 'their-log.csv', resource: link.uri }];
    const mail = { subject: 'Files', text: 'Here.', attachments };
    const received = async (subject: string) => {
      const { messages } = (await agent.api.get(`/v1/email/inbox?address=${agent.address}&q=subject:${subject}`)).body;
      const { body } = await agent.api.get(`/v1/email/messages/${messages[0].message_id}?address=${agent.address}`);
      return Promise.all(
        body.attachments.map(async ({ filename, content_type, url }: Record<string, string>) => [
          filename,
          content_type,
          (await agent.api.get(url as string)).text,
        ]),
      );
    };
    const wanted = [
      ['plan.txt', 'text/plain', 'the plan'],
      ['their-log.csv', 'text/csv', 'a;b'],
    ];
    const sent = await me.tool('send_mail', { to: agent.address, ...mail });
    assert.equal(sent.isError, false, sent.answer.text);
    assert.deepEqual(await received('Files'), wanted);
    const { message_id: filed } = (await me.tool('search_mail', { q: 'subject:Files' })).data.messages[0];
    const answered = await me.tool('reply_mail', { id: filed, text: 'Again.', attachments });
    assert.equal(answered.isError, false, answered.answer.text);
    assert.deepEqual(await received('"Re: Files"'), wanted);
    const draft = await me.tool('draft_mail', { to: agent.address, ...mail, subject: 'Drafted' });
    assert.deepEqual(
      draft.data.attachments.map(({ filename }: { filename: string }) => filename),
      ['plan.txt', 'their-log.csv'],
    );
    const done = await me.tool('call_operation', { id: 'sendDraft', arguments: { id: draft.data.draft_id } });
    assert.equal(done.isError, false, done.answer.text);
    assert.deepEqual(await received('Drafted'), wanted);
    const byOperation = { id: 'createDraft', arguments: { ...mail, to: agent.address } };
    assert.equal((await me.tool('call_operation', byOperation)).isError, false);
  });

  it('attach nothing of others, and name the mistake', async () => {
    const { t } = suite;
    const { id, agent } = await withMail(t, {
      subject: 'Logs',
      text: 'See',
      attachments: [{ filename: 'log.csv', content: 'a;b' }],
    });
    const uri = `${t.baseUrl}/v1/email/messages/${id}/attachments/0?address=${agent.address}`;
    const stranger = await createAgent(t);
    const them = mcpClient(t, stranger.key);
    const attempt = (file: unknown) =>
      them.tool('send_mail', { to: stranger.address, subject: 'x', text: 'x', attachments: [file] });
    const missing = uri.replace('msg_', 'msg_0');
    const [theirs, none] = [
      await attempt({ name: 'x', resource: uri }),
      await attempt({ name: 'x', resource: missing }),
    ];
    assert.deepEqual([theirs.data.error, theirs.data], ['not_found', none.data]);
    for (const file of [
      { name: 'x' },
      { name: 'x', content_base64: '!' },
      { name: 'x', content_base64: 'eA==', resource: uri },
      { name: 'x', resource: 'file:///etc/passwd' },
      { name: 'x', resource: `${t.baseUrl}/v1/account/me` },
      { name: 7, content_base64: 'eA==' },
      { name: 'x', content_base64: 'eA==', mode: 'x' },
      'x',
    ])
      assert.equal((await attempt(file)).data.error, 'invalid_request', JSON.stringify(file));
    assert.equal((await them.tool('list_mail')).data.messages.length, 0);
  });

  it('are errors for a mail that no recipient got', async () => {
    const { t } = suite;
    const { key } = await createAgent(t);
    const me = mcpClient(t, key);
    const mail = { to: 'nobody-at-all@agents.localhost', subject: 'x', text: 'x' };
    const sent = await me.tool('send_mail', mail);
    assert.deepEqual([sent.isError, sent.data.status], [true, 'failed'], sent.answer.text);
    const called = await me.tool('call_operation', { id: 'sendEmail', arguments: mail });
    assert.deepEqual([called.isError, called.data.body.status], [true, 'failed'], called.answer.text);
  });
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { measured } from '../../../../test/contract/work-meter.ts';
import { confirmOperator, openSession } from '../../../../test/support/agents.ts';
import { delegate, tokenFor } from '../../../../test/support/delegations.ts';
import { type Api, onEngines, type TestApp, tokenIn } from '../../../../test/support/harness.ts';
import { createHeldAgent, type HeldAgent, holdMail, sendTo } from '../../../../test/support/held-mail.ts';
import { mcpClient, outsideFences } from '../../../../test/support/mcp.ts';
import { manyAgents, newPerson } from '../../../../test/support/operators.ts';
import { makePod } from '../../../../test/support/pods.ts';
import { SCOPE_NAMES } from '../../../api/scopes.ts';
import { DAY_MS, HOUR_MS } from '../../../base/period.ts';

const WAITING = '/v1/account/waiting';
const OPERATOR = '/v1/operator/waiting';
const CODE = '481922';

interface Item {
  kind: string;
  id: string;
  since: string;
  expires_at: string | null;
  for: string;
  summary: string;
  do: { operation: string; method: string; path: string; body?: object } | null;
}

const itemsOf = async (api: Api, path = WAITING): Promise<Item[]> => {
  const { status, body, text } = await api.get(path);
  assert.equal(status, 200, text);
  return body.items;
};
const kindsOf = async (api: Api): Promise<string[]> => (await itemsOf(api)).map(({ kind }) => kind);

/** Asks for a credential, which the operator denies. */
async function deniedRequest(
  t: TestApp,
  { api, boss }: HeldAgent,
): Promise<{ request_id: string; device_code: string }> {
  const { body } = await api.post('/v1/credentials/request', { description: 'A wish' });
  await t.api().post('/v1/credentials/verify-email', { user_code: body.user_code });
  const mail = (await t.outboxMails()).findLast((text) => text.includes(boss) && text.includes('/credentials#'));
  const proof = { user_code: body.user_code, token: tokenIn(mail ?? '') };
  const denied = await t.api().post('/v1/credentials/approve', { ...proof, decision: 'deny' });
  assert.equal(denied.status, 200, denied.text);
  return body;
}

/** An agent of which something of every kind waits, but for its deletion. Each a second after the one before. */
async function createWorld(t: TestApp) {
  const ada = await createHeldAgent(t, { hold: 'never' });
  const { api, address, operator } = ada;
  const ids: Record<string, string> = {};
  const step = async (kind: string, make: () => Promise<string>): Promise<void> => {
    t.clock.advance(1000);
    ids[kind] = await make();
  };
  await api.post('/v1/auth/keys/generate-backup', {});
  t.clock.advance(2 * HOUR_MS);
  await step('removal', async () => {
    await api.delete('/v1/auth/keys/backup');
    return (await api.get('/v1/account/notices')).body.notices.find(
      (one: { what: string }) => one.what === 'backup_key',
    ).id;
  });
  await step(
    'failed_mail',
    async () => (await sendTo(ada, `none-${ada.accountId.slice(4)}@${t.config.mailDomain}`)).body.id,
  );
  await step('paused_webhook', async () => {
    const hook = (await api.post('/v1/webhooks', { url: 'https://hooks.example/a', events: ['email.sent'] })).body;
    await api.patch(`/v1/webhooks/${hook.id}`, { status: 'disabled' });
    return hook.id;
  });
  await step('confirmation', async () => {
    await api.post('/v1/account/recovery-email', { email: 'late@example.com' });
    return '';
  });
  await step('expiring_key', async () => {
    const made = { name: 'ci', scopes: ['mail:read'], expires_in_seconds: 3 * 86_400 };
    return (await api.post('/v1/account/keys', made)).body.id;
  });
  await api.put('/v1/budget', { caps: { daily: 1_000_000 }, on_limit: 'approve' });
  await api.post('/v1/charge', { amount: 900_000 });
  await step('approval', async () => (await api.post('/v1/charge', { amount: 500_000 })).body.approval_id);
  await step('answer', async () => (await deniedRequest(t, ada)).request_id);
  await step(
    'credential_request',
    async () => (await api.post('/v1/credentials/request', { description: 'A card' })).body.request_id,
  );
  await step('unread_code', async () => {
    await t.sendSmtp({ to: address, subject: 'Sign in', text: `Your verification code is ${CODE}.` });
    await t.app.provided.intake.idle();
    return (await api.get(`/v1/email/inbox?address=${address}`)).body.messages[0].message_id;
  });
  await operator.put('/v1/email/policy', { inbound: { unauthenticated: 'quarantine' }, outbound: { hold: 'always' } });
  await step('quarantined_mail', async () => {
    await t.sendSmtp({ to: address, subject: 'Hello', text: 'Hello.' });
    await t.app.provided.intake.idle();
    return (await api.get('/v1/email/quarantine')).body.messages[0].message_id;
  });
  await step('held_mail', () => holdMail(ada, 'bob@other.example'));
  return { ada, ids };
}

interface OperatorItem extends Item {
  account_id: string;
  agent: { account_id: string; name: string | null };
  about: Record<string, unknown> | null;
}

/** In the order in which {@link createWorld} makes them; what has no time comes first. */
const KINDS = [
  'low_budget',
  'removal',
  'failed_mail',
  'paused_webhook',
  'confirmation',
  'expiring_key',
  'approval',
  'answer',
  'credential_request',
  'unread_code',
  'quarantined_mail',
  'held_mail',
];
/** The own list of each kind; null: none, so for the whole account alone. */
const OWN_LISTS: Record<string, string | null> = {
  low_budget: '/v1/budget',
  removal: '/v1/account/notices',
  failed_mail: '/v1/email/outbox',
  paused_webhook: '/v1/webhooks',
  confirmation: '/v1/account/notices',
  expiring_key: '/v1/account/keys',
  approval: '/v1/approvals',
  answer: null,
  credential_request: '/v1/credentials/requests',
  unread_code: '/v1/email/inbox?address=',
  quarantined_mail: '/v1/email/quarantine',
  held_mail: '/v1/email/reviews',
};
/** Who acts next, and by which call, as the primary key and as the operator see it. */
const EXPECTED: Record<string, [string, string | null, string, string | null]> = {
  low_budget: ['you', 'setBudget', 'you', 'setBudget'],
  removal: ['operator', null, 'you', 'undoNotice'],
  failed_mail: ['you', 'getSentEmail', 'other', null],
  paused_webhook: ['you', 'updateEventWebhook', 'other', null],
  confirmation: ['other', null, 'other', null],
  expiring_key: ['you', 'createNamedKey', 'other', null],
  approval: ['you', 'approveCharge', 'you', 'approveCharge'],
  answer: ['you', 'pollCredential', 'other', null],
  credential_request: ['operator', null, 'you', null],
  unread_code: ['you', 'getMessage', 'other', null],
  quarantined_mail: ['you', 'releaseQuarantined', 'you', 'releaseQuarantined'],
  held_mail: ['operator', null, 'you', 'approveReview'],
};

onEngines('both', 'B: what waits, and for whom, in one call', {}, (suite) => {
  let made: ReturnType<typeof createWorld> | undefined;
  /** One for the first tests, which leave it as it is. */
  const theWorld = () => {
    made ??= createWorld(suite.t);
    return made;
  };

  it('B: lists every kind, oldest first, with who acts next and how, without codes, and marks nothing read', async () => {
    const { ada, ids } = await theWorld();
    const { api, operator } = ada;
    const items = await itemsOf(api);
    assert.deepEqual(
      items.map(({ kind }) => kind),
      KINDS,
    );
    for (const [i, { kind, since }] of items.entries()) {
      assert.ok(i === 0 || since >= (items[i - 1] as Item).since, `${kind} is out of order`);
      if (ids[kind]) assert.equal(items[i]?.id, ids[kind], kind);
    }
    const seenBy = (list: Item[]) => list.map((one) => [one.kind, one.for, one.do?.operation ?? null]);
    assert.deepEqual(
      seenBy(items),
      KINDS.map((kind) => [kind, ...(EXPECTED[kind] as string[]).slice(0, 2)]),
    );
    assert.deepEqual(
      seenBy(await itemsOf(operator)),
      KINDS.map((kind) => [kind, ...(EXPECTED[kind] as string[]).slice(2)]),
    );
    const { text } = await api.get(WAITING);
    assert.ok(!text.includes(CODE) && !/signet_(live|key)_|device_/.test(text));
    assert.deepEqual((await api.get('/v1/account/me?include=waiting')).body.waiting, {
      total: KINDS.length,
      by_kind: Object.fromEntries(KINDS.map((kind) => [kind, 1])),
    });
    assert.equal((await api.get('/v1/account/me')).body.waiting, undefined);
    const { data, result } = await mcpClient(suite.t, ada.key).tool('what_waits', { limit: 20 });
    const told = data.items.map((one: Item) => [one.kind, one.for, one.do?.operation ?? null]);
    assert.deepEqual(told, seenBy(items));
    assert.ok(!outsideFences(JSON.stringify(result)).includes('ada@example.com'), 'a stranger is named in the fence');
    const [message] = (await api.get(`/v1/email/inbox?address=${ada.address}`)).body.messages;
    assert.deepEqual([message.message_id, message.read], [ids.unread_code, false]);
  });

  it('B: a key sees the kinds whose own lists it may read, a key for one address only what that has', async () => {
    const { t } = suite;
    const { ada } = await theWorld();
    const second = (await ada.api.post('/v1/email/claim', { address: `w2-${ada.accountId.slice(4)}` })).body.address;
    const named = async (scopes: string[], addresses?: string[]): Promise<Api> => {
      const made = await ada.api.post('/v1/account/keys', { name: 'helper', scopes, ...(addresses && { addresses }) });
      assert.equal(made.status, 201, made.text);
      return t.api(made.body.api_key);
    };
    const sees = async (...given: Parameters<typeof named>) => kindsOf(await named(...given));
    const read = 'account:read';
    const own = ['removal', 'confirmation'];
    assert.deepEqual(await sees([read]), own);
    assert.deepEqual(await sees([read, 'money:read']), ['low_budget', 'removal', 'confirmation', 'approval']);
    assert.deepEqual(await sees([read, 'mail:read']), ['removal', 'failed_mail', 'confirmation', 'held_mail']);
    assert.deepEqual(await sees([read, 'mail:read', 'mail:codes']), [
      ...['removal', 'failed_mail', 'confirmation', 'unread_code', 'held_mail'],
    ]);
    assert.deepEqual(await sees([read, 'webhooks:manage']), ['removal', 'paused_webhook', 'confirmation']);
    assert.deepEqual(await sees([read, 'credentials:request']), own);
    assert.deepEqual(await sees([read, 'mail:read', 'mail:codes', 'webhooks:manage'], [second]), []);
    assert.deepEqual(await sees([read, 'mail:read', 'mail:codes', 'webhooks:manage'], [ada.address]), [
      ...['failed_mail', 'unread_code', 'held_mail'],
    ]);
    const money = await named([read, 'money:read']);
    const approval = (await itemsOf(money)).find(({ kind }) => kind === 'approval');
    assert.deepEqual([approval?.for, approval?.do], ['other', null], 'a key that may not approve');
    const made = await ada.api.post('/v1/account/keys', { name: 'me', scopes: [read], expires_in_seconds: 86_400 });
    const itself = (await itemsOf(t.api(made.body.api_key))).filter(({ kind }) => kind === 'expiring_key');
    assert.deepEqual(
      itself.map(({ id, for: whom }) => [id, whom]),
      [[made.body.id, 'other']],
      'a key knows of its own end alone',
    );
    await ada.api.delete(`/v1/account/keys/${made.body.id}`);
    const stranger = await t.createAccount();
    const rights = { scopes: [read, 'mail:read', 'money:read'] };
    await ada.operator.put('/v1/account/policy', { ways: { delegate: 'open' } });
    const { id } = await delegate(t, ada.api, stranger, rights);
    const { access_token: token } = await tokenFor(t, stranger.key, id);
    assert.deepEqual(await kindsOf(t.api(token)), [
      ...['low_budget', 'removal', 'failed_mail', 'confirmation', 'approval', 'held_mail'],
    ]);
    assert.deepEqual(await kindsOf(stranger.api), []);
    assert.equal((await (await named(['mail:read'])).get(WAITING)).body.error, 'insufficient_scope');
  });

  it('A3: a lesser key sees of every kind only what the list of the kind gives it, and a platform nothing of pods', async () => {
    const { t } = suite;
    const { ada, ids } = await theWorld();
    const second = (await ada.api.post('/v1/email/claim', { address: `w3-${ada.accountId.slice(4)}` })).body.address;
    const scopes = SCOPE_NAMES.filter((scope) => scope !== 'account:manage');
    for (const addresses of [undefined, [ada.address], [second]]) {
      const made = await ada.api.post('/v1/account/keys', { name: 'all', scopes, ...(addresses && { addresses }) });
      const key = t.api(made.body.api_key);
      const seen = await itemsOf(key);
      for (const kind of KINDS) {
        const path = OWN_LISTS[kind];
        const list = path === null ? null : await key.get(path?.endsWith('=') ? path + ada.address : `${path}`);
        const item = seen.find((one) => one.kind === kind);
        const id = kind === 'low_budget' || kind === 'confirmation' ? null : ids[kind];
        const isListed = list?.status === 200 && (id === null || list.text.includes(id as string));
        const what = `${kind}, limited to ${addresses}: ${list?.status} ${item?.summary}`;
        if (item) assert.ok(isListed, what);
        // These say why they are not shown: a lesser key learns only of its own end, and of people in another list.
        else if (kind !== 'expiring_key' && kind !== 'confirmation') assert.ok(!isListed, what);
      }
      const OF_MONEY = ['low_budget', 'approval'];
      if (addresses?.[0] === second)
        assert.deepEqual(
          seen.map(({ kind }) => kind),
          OF_MONEY,
        );
      const { waiting } = (await key.get('/v1/account/me?include=waiting')).body;
      assert.equal(waiting.total, seen.length);
      await ada.api.delete(`/v1/account/keys/${made.body.id}`);
    }
    const platform = await createHeldAgent(t);
    const pod = await makePod(t, platform);
    const asked = await pod.api.post('/v1/credentials/request', { description: 'Of the pod' });
    assert.equal(asked.status, 201, asked.text);
    assert.deepEqual(await itemsOf(platform.api), []);
    for (const by of [platform.operator, pod.api])
      assert.deepEqual(
        (await itemsOf(by)).map(({ id }) => id),
        [asked.body.request_id],
      );
  });

  it('lists what each has and what the address is asked to confirm, with what a decision needs', async () => {
    const { t } = suite;
    const { ada } = await theWorld();
    const bob = await createHeldAgent(t);
    await confirmOperator(t, bob, ada.boss);
    const held = await holdMail(bob, 'carol@other.example', { subject: 'Terms' });
    const eve = await t.createAccount({ name: 'Eve' });
    await eve.api.post('/v1/account/operator-email', { email: ada.boss });
    const other = await createHeldAgent(t);
    await holdMail(other, 'x@other.example');
    const items = (await itemsOf(ada.operator, OPERATOR)) as OperatorItem[];
    const of = (id: string) => items.filter(({ account_id }) => account_id === id);
    assert.deepEqual(
      of(ada.accountId).map(({ kind, for: whom }) => [kind, whom]),
      KINDS.map((kind) => [kind, EXPECTED[kind]?.[2]]),
    );
    const [bobs] = of(bob.accountId).filter(({ kind }) => kind === 'held_mail');
    assert.deepEqual([bobs?.id, bobs?.for, bobs?.about?.subject], [held, 'you', 'Terms']);
    const [asked] = of(eve.accountId);
    assert.deepEqual(
      [asked?.kind, asked?.for, asked?.agent.name, asked?.about?.role, asked?.do?.operation],
      ['confirmation', 'you', 'Eve', 'operator', 'confirmPerson'],
    );
    assert.deepEqual(of(other.accountId), []);
    assert.equal((await ada.operator.post(asked?.do?.path as string, asked?.do?.body)).status, 200);
    const approval = of(ada.accountId).find(({ kind }) => kind === 'approval');
    assert.equal(approval?.about?.amount_usdc, 500_000);
    assert.equal((await ada.api.get(OPERATOR)).body.error, 'session_required');
    assert.equal((await t.api().get(OPERATOR)).status, 401);
  });

  it('an account’s own session sees what its address is asked to confirm, and nothing of the account', async () => {
    const { t } = suite;
    const { ada } = await theWorld();
    const email = newPerson(t);
    await ada.api.post('/v1/account/recovery-email', { email });
    const session = await openSession(t, email);
    assert.deepEqual(await itemsOf(session, OPERATOR), []);
    assert.ok((await kindsOf(session)).includes('approval'));
  });
  it('B: pages go on where the last one ended, whatever comes in between', async () => {
    const { ada } = await theWorld();
    const whole = (await itemsOf(ada.api)).map(({ id }) => id);
    const walked: string[] = [];
    let cursor: string | null = null;
    do {
      const at: string = cursor === null ? '' : `&cursor=${cursor}`;
      const { body } = await ada.api.get(`${WAITING}?limit=1${at}`);
      walked.push(...body.items.map(({ id }: Item) => id));
      cursor = body.next_cursor;
      if (walked.length !== 3) continue;
      suite.t.clock.advance(1000);
      await holdMail(ada, 'eve@other.example');
    } while (cursor !== null);
    assert.deepEqual(walked.slice(0, -1), whole);
    assert.equal(walked.length, whole.length + 1, 'what came in between is the newest');
    for (const bad of ['nonsense', Buffer.from('[1,"a",2]').toString('base64url')])
      assert.equal((await ada.api.get(`${WAITING}?cursor=${bad}`)).body.error, 'invalid_cursor');
    assert.equal((await ada.api.get(`${WAITING}?limit=201`)).status, 400);
  });

  it('B: every `do` that is complete works as it is', async () => {
    const { ada, ids } = await theWorld();
    for (const by of [ada.api, ada.operator])
      for (const { kind, do: next } of await itemsOf(by)) {
        if (!next || ['setBudget', 'createNamedKey', 'pollCredential'].includes(next.operation)) continue;
        const call = next.method.toLowerCase() as 'get' | 'post' | 'patch';
        const done = await (call === 'get' ? by.get(next.path) : by[call](next.path, next.body ?? {}));
        assert.equal(done.status, 200, `${kind}: ${done.text}`);
      }
    const left = await itemsOf(ada.api);
    const gone = ['removal', 'paused_webhook', 'approval', 'unread_code', 'quarantined_mail', 'held_mail'];
    assert.deepEqual(
      left.filter(({ kind, id }) => gone.includes(kind) && ids[kind] === id),
      [],
    );
  });

  it('B: what is overdue is ended, and no longer waits', async () => {
    const { t } = suite;
    const ada = await createHeldAgent(t);
    await ada.api.put('/v1/budget', { caps: { daily: 5 }, on_limit: 'approve' });
    const { approval_id: approval } = (await ada.api.post('/v1/charge', { amount: 10 })).body;
    const review = await holdMail(ada, 'bob@other.example');
    t.clock.advance(8 * DAY_MS);
    // The mail that nobody let go has failed now.
    assert.deepEqual(await kindsOf(ada.api), ['failed_mail']);
    assert.equal((await t.sql('select status from approvals where id = ?', approval))[0]?.status, 'expired');
    assert.equal((await t.sql('select status from reviews where id = ?', review))[0]?.status, 'expired');
    const types = (await ada.api.get('/v1/events?order=desc')).body.events.map(({ type }: { type: string }) => type);
    assert.ok(types.includes('approval.resolved') && types.includes('email.rejected'));
  });

  it('B: an answer waits until its agent has asked for it, and a deletion for whom can cancel it', async () => {
    const { t } = suite;
    const ada = await createHeldAgent(t);
    const request = await deniedRequest(t, ada);
    assert.deepEqual(await kindsOf(ada.api), ['answer']);
    const poll = () => ada.api.post('/v1/credentials/poll', { device_code: request.device_code });
    assert.equal((await poll()).body.status, 'denied');
    assert.deepEqual(await kindsOf(ada.api), []);
    assert.equal((await poll()).body.status, 'denied');
    assert.equal((await ada.api.delete('/v1/account')).status, 202);
    const [own] = await itemsOf(ada.api);
    assert.deepEqual([own?.kind, own?.for, own?.do?.operation], ['deletion', 'you', 'cancelAccountDeletion']);
    assert.equal((await ada.api.post(own?.do?.path as string, {})).status, 200);
    await ada.api.put('/v1/budget', { authority: 'operator' });
    t.clock.advance(30 * DAY_MS);
    const operator = await openSession(t, ada.boss);
    assert.equal((await operator.delete('/v1/account')).status, 202);
    const seen = [(await itemsOf(ada.api))[0], (await itemsOf(operator))[0]];
    assert.deepEqual(
      seen.map((one) => [one?.kind, one?.for, one?.do?.operation ?? null]),
      [
        ['deletion', 'operator', null],
        ['deletion', 'you', 'cancelAccountDeletion'],
      ],
    );
  });
});

onEngines('any', 'the cost of what waits', {}, (suite) => {
  it('takes as many statements for six agents as for two', async () => {
    const { t } = suite;
    const costOf = async (many: number): Promise<number> => {
      const { agents, token } = await manyAgents(t, many);
      for (const { api } of agents) await api.delete('/v1/auth/keys/backup');
      const { reply, work } = await measured(() => t.api(token).get(OPERATOR));
      assert.equal(reply.body.items.length, many);
      return work.statements;
    };
    assert.equal(await costOf(6), await costOf(2));
  });

  it('a flood in the quarantine hides nothing that is younger', async () => {
    const { t } = suite;
    const ada = await createHeldAgent(t);
    for (let n = 0; n < 30; n++)
      await t.sql(
        `insert into quarantined_messages (message_id, account_id, address, content_id, from_address, reason, received_at)
         values (?, ?, ?, 'none', 'eve@evil.example', 'blocked', ?)`,
        ...[`msg_0${String(n).padStart(25, '0')}`, ada.accountId, ada.address, t.clock.now() - 30_000 + n],
      );
    const held = await holdMail(ada, 'bob@other.example');
    const items = await itemsOf(ada.api);
    assert.deepEqual([items.length, items.at(-1)?.id], [21, held]);
  });
});

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { bounce, type Fate, report } from '../../../../test/support/delivery-reports.ts';
import { onEngines, type TestAccount, type TestApp } from '../../../../test/support/harness.ts';
import { startReturnPathRelay } from '../../../../test/support/return-path-relay.ts';
import { MimeParser } from '../../../mail/reading/mime-parser.ts';

const relay = await startReturnPathRelay();
after(relay.close);
const { taken, deferred, paths } = relay;
const env = { SMTP_RELAY_URL: relay.url };

type Sender = TestAccount & { address: string };
let names = 0;

async function sender(t: TestApp): Promise<Sender> {
  taken.length = 0;
  deferred.clear();
  const account = await t.createAccount();
  const { body } = await account.api.post('/v1/email/claim', { address: `bouncing-${names++}` });
  return { ...account, address: body.address };
}

/** Sends a mail and runs its job. @returns the entry's id, the return path and the Message-ID */
async function sent(t: TestApp, { api, address }: Sender, to: string[]) {
  const { status, body } = await api.post('/v1/email/send', { from: address, to, subject: 'out', text: 'hello' });
  assert.equal(status, 201);
  await t.app.worker.runDue();
  const pathOf = (recipient: string): string => paths.get(recipient.toLowerCase()) as string;
  return {
    id: body.id as string,
    pathOf,
    returnPath: pathOf(to[0] as string),
    messageId: body.rfc_message_id as string,
  };
}

const entryOf = async ({ api }: TestAccount, id: string) =>
  (await api.get('/v1/email/outbox')).body.messages.find((entry: { id: string }) => entry.id === id);
const typesOf = async ({ api }: TestAccount): Promise<string[]> =>
  (await api.get('/v1/events')).body.events.map(({ type }: { type: string }) => type);
const inboxOf = async ({ api, address }: Sender) => (await api.get(`/v1/email/inbox?address=${address}`)).body.messages;

const OPTIONS = { env };

onEngines('any', 'mail that comes back', OPTIONS, (suite) => {
  it('has its own return path, which no agent can claim', async () => {
    const { t } = suite;
    const ada = await sender(t);
    const first = await sent(t, ada, ['bob@out.example']);
    const second = await sent(t, ada, ['bob@out.example']);
    assert.match(first.returnPath, /^bounce\+[0-9a-z]{52}@agents\.localhost$/);
    assert.notEqual(first.returnPath, second.returnPath);
    assert.equal((await ada.api.post('/v1/email/claim', { address: first.returnPath })).status, 400);
    assert.match((taken[0] as (typeof taken)[number]).raw, new RegExp(`^From: ${ada.address}\\r$`, 'm'));
  });

  it('fails the entry with the reason, appends email.failed once and shows no message', async () => {
    const { t } = suite;
    const ada = await sender(t);
    const { id, returnPath, messageId } = await sent(t, ada, ['Bob@out.example']);
    const before = await entryOf(ada, id);
    assert.deepEqual(before.recipients, [{ address: 'Bob@out.example', status: 'sent', error: null }]);
    for (let times = 0; times < 2; times++)
      assert.equal(await bounce(t, returnPath, report([{ address: 'bob@out.example' }], messageId)), 250);
    const entry = await entryOf(ada, id);
    const error = '5.1.1 550 <bob@out.example>: no such user';
    assert.deepEqual([entry.status, entry.error], ['failed', error]);
    assert.deepEqual(entry.recipients, [{ address: 'Bob@out.example', status: 'failed', error }]);
    assert.equal(entry.sent_at, before.sent_at);
    const { delivery } = (await ada.api.get(`/v1/email/outbox/${id}`)).body;
    assert.deepEqual(
      delivery.map(({ step, reply }: { step: string; reply: string | null }) => [step, reply?.slice(0, 3)]),
      [
        ['queued', undefined],
        ['accepted', '250'],
        ['bounced', '5.1'],
      ],
    );
    const { events } = (await ada.api.get('/v1/events')).body;
    assert.deepEqual(
      events.map(({ type }: { type: string }) => type),
      ['email.sent', 'email.failed', 'email.suppressed'],
    );
    assert.deepEqual(events[1].data, {
      id,
      from: ada.address,
      to: ['Bob@out.example'],
      subject: 'out',
      error,
      status: 'failed',
      recipients: [{ address: 'Bob@out.example', error }],
    });
    assert.deepEqual(await inboxOf(ada), []);
  });

  it('is posted to a webhook that watches email.failed, and not to one that watches the default', async () => {
    const { t } = suite;
    const ada = await sender(t);
    const hook = { address: ada.address, url: 'http://127.0.0.1:9/hook' };
    const { body: silent } = await ada.api.post('/v1/email/webhooks', hook);
    assert.deepEqual(silent.events, ['email.received']);
    const { body: notified } = await ada.api.post('/v1/email/webhooks', { ...hook, events: ['email.failed'] });
    const { id, returnPath, messageId } = await sent(t, ada, ['bob@out.example']);
    await bounce(t, returnPath, report([{ address: 'bob@out.example' }], messageId));
    const deliveries = async (webhook: string) => (await ada.api.get(`/v1/email/webhooks/${webhook}/deliveries`)).body;
    assert.equal((await deliveries(silent.id)).count, 0);
    const [delivery] = (await deliveries(notified.id)).deliveries;
    assert.equal(delivery.event, 'email.failed');
    const [row] = await t.sql('select body from webhook_deliveries where webhook_id = ?', notified.id);
    const posted = JSON.parse(String(row?.body));
    assert.deepEqual([posted.type, posted.address, posted.mail.id], ['email.failed', ada.address, id]);
    assert.equal(posted.mail.recipients[0].address, 'bob@out.example');
  });

  it('is sent while one of three recipients has it, names each that came back, and then fails', async () => {
    const { t } = suite;
    const ada = await sender(t);
    const all = ['a@out.example', 'b@out.example', 'c@out.example'] as const;
    const { id, pathOf, messageId } = await sent(t, ada, [...all]);
    assert.equal(new Set(all.map(pathOf)).size, 3);
    // Whatever a report says about others: its return path is that of one recipient.
    const said = [{ address: all[0] }, { address: all[1] }];
    assert.equal(await bounce(t, pathOf(all[0]), report(said, messageId)), 250);
    const one = await entryOf(ada, id);
    assert.deepEqual([one.status, one.error], ['sent', 'a@out.example: 5.1.1 550 <a@out.example>: no such user']);
    assert.deepEqual(
      one.recipients.map(({ status }: { status: string }) => status),
      ['failed', 'sent', 'sent'],
    );
    // Behind a forwarder, the report names somebody else.
    const passedOn = { address: 'x@elsewhere.example' };
    assert.equal(await bounce(t, pathOf(all[1]), report([passedOn], messageId)), 250);
    assert.equal(await bounce(t, pathOf(all[2]), report([{ address: all[2] }], messageId)), 250);
    assert.equal((await entryOf(ada, id)).status, 'failed');
    const { events } = (await ada.api.get('/v1/events')).body;
    assert.deepEqual(
      events
        .filter(({ type }: { type: string }) => type === 'email.failed')
        .map(({ data }: { data: { status: string; recipients: Fate[] } }) => [
          data.status,
          data.recipients.map(({ address }) => address),
        ]),
      [
        ['sent', ['a@out.example']],
        ['sent', ['b@out.example']],
        ['failed', ['c@out.example']],
      ],
    );
  });

  it('is refused at RCPT and changes nothing with a forged, unknown or expired return path', async () => {
    const { t } = suite;
    const ada = await sender(t);
    const { id, returnPath, messageId } = await sent(t, ada, ['bob@out.example']);
    const [local = ''] = returnPath.split('@');
    const flipped = local.slice(0, -1) + (local.endsWith('0') ? '1' : '0');
    const other = local.replace(/^(bounce\+.{25})(.)/, (_all, head, last) => head + (last === '0' ? '1' : '0'));
    for (const forged of [flipped, other, 'bounce+', `bounce+${id.slice(4)}`, local.slice(0, -1), `${local}0`])
      assert.equal(await bounce(t, `${forged}@agents.localhost`, 'x'), 550, forged);
    assert.equal(
      await bounce(t, returnPath.toUpperCase(), report([{ address: 'x' }], messageId)),
      250,
      'case is folded',
    );
    t.clock.advance(14 * 86_400_000 + 1);
    assert.equal(await bounce(t, returnPath, report([{ address: 'bob@out.example' }], messageId)), 550);
    assert.equal((await entryOf(ada, id)).status, 'sent');
  });

  it('is parsed once, however many return paths it has', async (context) => {
    const { t } = suite;
    const ada = await sender(t);
    const recipients = Array.from({ length: 8 }, (_, n) => `r${n}@out.example`);
    const { pathOf, messageId } = await sent(t, ada, recipients);
    const parse = context.mock.method(MimeParser.prototype, 'parse');
    const about = report([{ address: 'nobody@out.example' }], messageId);
    assert.equal(await bounce(t, [...recipients.map(pathOf), ada.address], about), 250);
    const parsed = parse.mock.calls.filter(({ arguments: [raw] }) => Buffer.from(raw).includes(messageId));
    assert.equal(parsed.length, 1);
  });

  it('is an ordinary mail when the report is sent to the agent’s own address', async () => {
    const { t } = suite;
    const ada = await sender(t);
    const { id, messageId } = await sent(t, ada, ['bob@out.example']);
    assert.equal(await bounce(t, ada.address, report([{ address: 'bob@out.example' }], messageId)), 250);
    assert.equal((await inboxOf(ada)).length, 1);
    assert.equal((await entryOf(ada, id)).status, 'sent');
    assert.deepEqual(await typesOf(ada), ['email.sent', 'email.received']);
  });

  it('changes nothing and shows nothing for reports of delay and success', async () => {
    const { t } = suite;
    const ada = await sender(t);
    const { id, returnPath, messageId } = await sent(t, ada, ['bob@out.example']);
    for (const action of ['delayed', 'delivered', 'relayed', 'expanded'])
      assert.equal(await bounce(t, returnPath, report([{ address: 'bob@out.example', action }], messageId)), 250);
    assert.equal((await entryOf(ada, id)).error, null);
    assert.deepEqual(await typesOf(ada), ['email.sent']);
    assert.deepEqual(await inboxOf(ada), []);
  });

  it('reaches the sender when it is an absence note or a report about another mail', async () => {
    const { t } = suite;
    const ada = await sender(t);
    const { id, returnPath, messageId } = await sent(t, ada, ['a@out.example', 'b@out.example']);
    const absence = `From: Bob <b@out.example>\r\nSubject: Away\r\nAuto-Submitted: auto-replied\r\nIn-Reply-To: ${messageId}\r\n\r\nUntil Monday.\r\n`;
    const notOurs = report([{ address: 'a@out.example' }], '<other@agents.localhost>');
    for (const raw of [absence, notOurs]) {
      assert.equal(await bounce(t, returnPath, raw), 250);
      t.clock.advance(1);
    }
    const messages = await inboxOf(ada);
    assert.deepEqual(
      messages.map(({ subject }: { subject: string }) => subject),
      ['Undelivered Mail Returned to Sender', 'Away'],
    );
    const entry = await entryOf(ada, id);
    assert.equal(messages[1].thread_id, entry.thread_id);
    assert.deepEqual([entry.status, entry.error], ['sent', null]);
  });

  it('is attributed to the only recipient behind a forwarder, and to the mail of a relay with its own Message-ID', async () => {
    const { t } = suite;
    const ada = await sender(t);
    const { id, returnPath } = await sent(t, ada, ['bob@out.example']);
    const passedOn = report([{ address: 'x@elsewhere.example' }], '<RELAY1234@relay.example>');
    assert.equal(await bounce(t, returnPath, passedOn), 250);
    assert.match((await entryOf(ada, id)).error, /^5\.1\.1 550 <x@elsewhere\.example>/);
  });

  it('is never answered: an undeliverable bounce is refused in the SMTP dialogue and nothing is queued', async () => {
    const { t } = suite;
    await sender(t);
    assert.equal(await bounce(t, 'nobody@agents.localhost', 'x'), 550);
    assert.equal(await bounce(t, 'noreply@agents.localhost', 'x'), 550);
    await t.app.worker.runDue();
    assert.deepEqual(taken, []);
    assert.deepEqual(await t.sql(`select id from jobs where kind like 'mail.%'`), []);
  });

  it('does not come from our own automatic mail, which has the null sender, Auto-Submitted and one Message-ID', async () => {
    const { t } = suite;
    const email = `ada-${names++}@out.example`;
    await t.createAccount({ email });
    await sender(t);
    deferred.add(email);
    assert.equal((await t.api().post('/v1/auth/login', { email })).status, 200);
    await t.app.worker.runDue();
    const [job] = await t.sql(`select id, attempts from jobs where kind = 'mail.login'`);
    assert.equal(Number(job?.attempts), 1);
    deferred.clear();
    t.clock.advance(60_000);
    await t.app.worker.runDue();
    // Beside the mail that asks to confirm the address.
    const messageId = `Message-ID: <${job?.id}@agents.localhost>\r\n`;
    const mail = taken.find(({ raw }) => raw.includes(messageId));
    assert.equal(mail?.from, '');
    assert.match(mail?.raw ?? '', /^Auto-Submitted: auto-generated\r$/m);
  });
});

onEngines('both', 'mail that comes back: what the database decides', OPTIONS, (suite) => {
  it('is not retried for a recipient that came back while another one is pending, and counts at the end', async () => {
    const { t } = suite;
    const ada = await sender(t);
    deferred.add('later@out.example');
    const { id, returnPath, messageId } = await sent(t, ada, ['now@out.example', 'later@out.example']);
    assert.equal(await bounce(t, returnPath, report([{ address: 'now@out.example' }], messageId)), 250);
    const entry = await entryOf(ada, id);
    assert.deepEqual(
      [entry.status, ...entry.recipients.map(({ status }: { status: string }) => status)],
      ['pending', 'failed', 'pending'],
    );
    deferred.clear();
    t.clock.advance(60_000);
    await t.app.worker.runDue();
    const end = await entryOf(ada, id);
    assert.deepEqual([end.status, end.error], ['sent', 'now@out.example: 5.1.1 550 <now@out.example>: no such user']);
    assert.deepEqual(await typesOf(ada), ['email.suppressed', 'email.sent', 'email.failed']);
    assert.equal(taken.length, 2);
  });

  it('ends a pending mail, which is then not sent again', async () => {
    const { t } = suite;
    const ada = await sender(t);
    deferred.add('later@out.example');
    const both = ['now@out.example', 'later@out.example'];
    const { id, pathOf, messageId } = await sent(t, ada, both);
    for (const address of both) assert.equal(await bounce(t, pathOf(address), report([{ address }], messageId)), 250);
    assert.equal((await entryOf(ada, id)).status, 'failed');
    deferred.clear();
    t.clock.advance(60_000);
    await t.app.worker.runDue();
    assert.equal(taken.length, 1);
    assert.deepEqual(await t.sql('select id from jobs where payload like ?', `%${id}%`), []);
    const unkept = `select id from mail_contents where id not in (select content_id from messages)
      and id not in (select content_id from sent_contents)`;
    assert.deepEqual(await t.sql(unkept), []);
  });
});

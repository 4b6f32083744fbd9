import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, it } from 'node:test';
import { SMTPServer } from 'smtp-server';
import { bounce, report } from '../../../../test/support/delivery-reports.ts';
import { onEngines, type TestAccount, type TestApp, tokenIn } from '../../../../test/support/harness.ts';
import { DAY_MS } from '../../../base/period.ts';

const PATH = '/v1/email/suppressions';

/** Envelope senders of the mail that the relay took. */
const taken: string[] = [];
/** What the relay took for each recipient last: the return path and the bytes. */
const copies = new Map<string, { from: string; raw: string }>();
/** The service's own mails to people. */
const told: string[] = [];
const refusals: Record<string, string> = {
  'gone@out.example': '5.1.1 no such user',
  'full@out.example': '5.2.2 mailbox full',
  'policy@out.example': '5.7.1 looks like spam, see 5.1.1',
};
const relay = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onRcptTo: ({ address }, _session, callback) => {
    const words = refusals[address];
    callback(words === undefined ? null : Object.assign(new Error(words), { responseCode: 550 }));
  },
  onData: (stream, session, callback) => {
    const { mailFrom, rcptTo } = session.envelope;
    const from = mailFrom === false ? '' : mailFrom.address;
    taken.push(from);
    void text(stream).then((raw) => {
      if (from === '') told.push(raw);
      for (const { address } of rcptTo) copies.set(address.toLowerCase(), { from, raw });
      callback(null, 'Ok');
    });
  },
});
await new Promise<void>((resolve) => void relay.listen(0, '127.0.0.1', resolve));
after(() => new Promise<void>((resolve) => relay.close(resolve)));
const env = { SMTP_RELAY_URL: `smtp://127.0.0.1:${(relay.server.address() as AddressInfo).port}` };

/** A complaint in the form of RFC 5965, appendix B. */
const complaint = ({ type = 'abuse', to = null as string | null, messageId = null as string | null } = {}): string =>
  [
    'From: <abusedesk@provider.example>',
    'Subject: FW: Earn money',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=feedback-report; boundary="part1"',
    '',
    '--part1',
    'Content-Type: text/plain; charset="US-ASCII"',
    '',
    'This is an email abuse report.',
    '--part1',
    'Content-Type: message/feedback-report',
    '',
    `Feedback-Type: ${type}`,
    'User-Agent: SomeGenerator/1.0',
    'Version: 1',
    ...(to === null ? [] : [`Original-Rcpt-To: <${to}>`]),
    '--part1',
    'Content-Type: message/rfc822',
    'Content-Disposition: inline',
    '',
    ...(messageId === null ? [] : [`Message-ID: ${messageId}`]),
    'Subject: Earn money',
    '',
    'Spam Spam Spam',
    '--part1--',
    '',
  ].join('\r\n');

type Sender = TestAccount & { address: string };
let names = 0;

async function sender(t: TestApp): Promise<Sender> {
  const account = await t.createAccount();
  const { body } = await account.api.post('/v1/email/claim', { address: `sending-${names++}` });
  return { ...account, address: body.address };
}

const post = ({ api, address }: Sender, to: string | string[], more: object = {}) =>
  api.post('/v1/email/send', { from: address, to, subject: 'out', text: 'hello', ...more });

async function sent(t: TestApp, from: Sender, to: string | string[], more: object = {}) {
  const { status, body } = await post(from, to, more);
  assert.equal(status, 201, JSON.stringify(body));
  await t.app.worker.runDue();
  // Other mails may leave beside it, in any order.
  const { from: returnPath = '' } = copies.get([to].flat()[0]?.toLowerCase() as string) ?? {};
  return { id: body.id as string, messageId: body.rfc_message_id as string, returnPath };
}

const listOf = async ({ api }: TestAccount): Promise<{ address: string; reason: string }[]> =>
  (await api.get(PATH)).body.suppressions.map(({ address, reason }: { address: string; reason: string }) => ({
    address,
    reason,
  }));
const eventsOf = async ({ api }: TestAccount, type: string): Promise<Record<string, unknown>[]> =>
  (await api.get(`/v1/events?type=${type}`)).body.events.map(({ data }: { data: unknown }) => data);

onEngines('any', 'suppressed recipients', { env }, (suite) => {
  it('a mail that comes back because the address does not exist is the last one to it, until it is taken off the list', async () => {
    const { t } = suite;
    const ada = await sender(t);
    const mail = await sent(t, ada, 'Bob@out.example');
    for (let times = 0; times < 2; times++)
      assert.equal(await bounce(t, mail.returnPath, report([{ address: 'bob@out.example' }], mail.messageId)), 250);
    assert.deepEqual(await listOf(ada), [{ address: 'bob@out.example', reason: 'hard_bounce' }]);
    const suppressed = { id: mail.id, from: ada.address, recipient: 'bob@out.example', reason: 'hard_bounce' };
    assert.deepEqual(await eventsOf(ada, 'email.suppressed'), [suppressed]);

    const before = taken.length;
    for (const to of ['bob@out.example', ['eve@out.example', 'BOB@out.example']]) {
      const refused = await post(ada, to);
      assert.deepEqual([refused.status, refused.body.error], [409, 'recipient_suppressed']);
      assert.deepEqual(refused.body.recipients, [{ address: [to].flat().at(-1), reason: 'hard_bounce' }]);
    }
    const short = await ada.api.post(`/v1/inbox/${ada.address}/send`, {
      to: 'bob@out.example',
      subject: 's',
      body: 'b',
    });
    assert.deepEqual([short.status, short.body.error], [409, 'recipient_suppressed']);
    await t.app.worker.runDue();
    assert.equal(taken.length, before);

    const eve = await sender(t);
    assert.deepEqual(await listOf(eve), []);
    assert.equal((await eve.api.delete(`${PATH}/bob@out.example`)).status, 404);
    assert.equal((await post(eve, 'bob@out.example')).status, 201);
    const taken_off = await ada.api.delete(`${PATH}/BOB@out.example`);
    assert.deepEqual([taken_off.status, taken_off.body], [200, { deleted: true, address: 'bob@out.example' }]);
    assert.equal((await ada.api.delete(`${PATH}/bob@out.example`)).status, 404);
    assert.equal((await post(ada, 'bob@out.example')).status, 201);
  });

  it('an address that the relay refuses is suppressed too, but not for a full mailbox or a policy', async () => {
    const { t } = suite;
    const ada = await sender(t);
    await sent(t, ada, ['gone@out.example', 'full@out.example', 'policy@out.example', 'well@out.example']);
    assert.deepEqual(await listOf(ada), [{ address: 'gone@out.example', reason: 'hard_bounce' }]);
  });

  it('a complaint about a mail stops mail to its recipient, and only one that came by the return path counts', async () => {
    const { t } = suite;
    const ada = await sender(t);
    const mail = await sent(t, ada, 'cleo@out.example');
    assert.equal(await bounce(t, `bounce+${'0'.repeat(50)}@agents.localhost`, complaint()), 550);
    assert.equal(await bounce(t, ada.address, complaint({ to: 'cleo@out.example' })), 250);
    for (const type of ['not-spam', 'dmarc'])
      assert.equal(await bounce(t, mail.returnPath, complaint({ type, to: 'cleo@out.example' })), 250);
    assert.equal(await bounce(t, mail.returnPath, complaint({ messageId: '<another@out.example>' })), 250);
    await t.app.provided.intake.idle();
    assert.deepEqual(await listOf(ada), []);
    assert.equal((await ada.api.get(`/v1/email/inbox?address=${ada.address}`)).body.messages.length, 4);

    for (let times = 0; times < 2; times++) {
      // Without the recipient, as most providers write it: the mail had only one.
      assert.equal(await bounce(t, mail.returnPath, complaint({ messageId: mail.messageId })), 250);
    }
    await t.app.provided.intake.idle();
    assert.deepEqual(await listOf(ada), [{ address: 'cleo@out.example', reason: 'complaint' }]);
    assert.equal((await eventsOf(ada, 'email.suppressed')).length, 1);
    assert.equal((await ada.api.get(`/v1/email/inbox?address=${ada.address}`)).body.messages.length, 4);
    assert.equal((await post(ada, 'cleo@out.example')).status, 409);
  });

  it('of several recipients, one can stop mail to himself only, whomever his complaint names', async () => {
    const { t } = suite;
    const ada = await sender(t);
    const mail = await sent(t, ada, ['dan@out.example', 'eli@out.example']);
    const path = copies.get('dan@out.example')?.from as string;
    assert.equal(await bounce(t, path, complaint({ to: 'Eli@out.example', messageId: mail.messageId })), 250);
    await t.app.provided.intake.idle();
    assert.deepEqual(await listOf(ada), [{ address: 'dan@out.example', reason: 'complaint' }]);
    assert.deepEqual((await ada.api.get(`/v1/email/inbox?address=${ada.address}`)).body.messages, []);
  });

  it('a link in bulk mail unsubscribes its recipient alone, with one click and no more than that', async () => {
    const { t } = suite;
    const ada = await sender(t);
    await sent(t, ada, ['fay@out.example', 'gus@out.example'], { unsubscribe: true });
    const linkOf = (recipient: string): string => {
      const { raw } = copies.get(recipient) as { raw: string };
      assert.match(raw, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
      assert.match(raw, /^DKIM-Signature:[\s\S]*?\bh=[^;]*List-Unsubscribe:List-Unsubscribe-Post/im);
      return /^List-Unsubscribe: <(http[^>]+)>\r$/m.exec(raw)?.[1] as string;
    };
    const link = linkOf('fay@out.example');
    assert.notEqual(link, linkOf('gus@out.example'));
    // A program that checks links opens them.
    const page = await fetch(link);
    assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
    assert.deepEqual(await listOf(ada), []);
    const form = new FormData();
    form.set('List-Unsubscribe', 'One-Click');
    for (const body of [form, new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }), null])
      assert.equal((await fetch(link, { method: 'POST', body })).status, 200);
    assert.deepEqual(await listOf(ada), [{ address: 'fay@out.example', reason: 'unsubscribed' }]);
    assert.equal((await eventsOf(ada, 'email.suppressed')).length, 1);
    assert.equal((await post(ada, 'fay@out.example')).status, 409);
    assert.equal((await post(ada, 'gus@out.example')).status, 201);
    const flipped = link.slice(0, -1) + (link.endsWith('0') ? '1' : '0');
    for (const wrong of [flipped, link.slice(0, -1), `${link}0`])
      assert.equal((await fetch(wrong, { method: 'POST' })).status, 404, wrong);
    // Not bulk: no link.
    await sent(t, ada, 'gus@out.example');
    assert.doesNotMatch(copies.get('gus@out.example')?.raw ?? '', /unsubscribe/i);
  });
});

onEngines('both', 'suppressed recipients', { env }, (suite) => {
  it('lists them in pages; a limited key sees none of them, and a key without the scope takes none off', async () => {
    const { t } = suite;
    const ada = await sender(t);
    const to = ['a@out.example', 'b@out.example', 'c@out.example'];
    const mail = await sent(t, ada, to);
    for (const address of to) {
      const path = copies.get(address)?.from as string;
      assert.equal(await bounce(t, path, report([{ address }], mail.messageId)), 250);
    }
    const first = (await ada.api.get(`${PATH}?limit=2`)).body;
    const rest = (await ada.api.get(`${PATH}?limit=2&cursor=${first.next_cursor}`)).body;
    const all = [...first.suppressions, ...rest.suppressions].map(({ address }: { address: string }) => address);
    assert.deepEqual([all, rest.next_cursor], [to, null]);
    assert.equal((await ada.api.get(`${PATH}?cursor=x`)).body.error, 'invalid_cursor');
    const { api_key: key } = (await ada.api.post('/v1/account/keys', { name: 'r', scopes: ['mail:read'] })).body;
    assert.equal((await t.api(key).get(PATH)).status, 200);
    assert.equal((await t.api(key).delete(`${PATH}/a@out.example`)).status, 403);
  });
});

onEngines('both', 'mail that comes back too often', { env, limits: { bounces_counted_from: 10 } }, (suite) => {
  const fail = async (t: TestApp, ada: Sender, local: string) => {
    const mail = await sent(t, ada, `${local}@out.example`);
    assert.equal(await bounce(t, mail.returnPath, report([{ address: `${local}@out.example` }], mail.messageId)), 250);
  };
  const group = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}${i}@out.example`);

  it('pauses sending to other services above the share, tells the people and the log once, and ends by the clock', async () => {
    const { t } = suite;
    const ada = await sender(t);
    await ada.api.post('/v1/account/operator-email', { email: 'ops@out.example' });
    await t.app.worker.runDue();
    const token = tokenIn(told.at(-1) as string);
    assert.equal((await t.api().post('/v1/people/confirm', { token, decision: 'confirm' })).status, 200);
    await fail(t, ada, 'one');
    await sent(t, ada, group('w', 8));
    assert.deepEqual(await eventsOf(ada, 'sending.paused'), []);
    // The tenth: one of ten is more than 5 %.
    told.length = 0;
    await sent(t, ada, 'ten@out.example');
    const [paused] = await eventsOf(ada, 'sending.paused');
    assert.deepEqual(paused, { sent: 10, bad: 1, resumes_at: '2026-01-21T00:00:00.000Z' });
    const refused = await post(ada, 'more@out.example');
    assert.deepEqual([refused.status, refused.body.error], [403, 'sending_paused']);
    assert.deepEqual(refused.body.limit, { name: 'bounced_percent', used: 10, max: 5 });
    assert.equal(refused.body.resumes_at, paused?.resumes_at);
    assert.equal((await post(ada, ada.address)).status, 201);
    await t.app.worker.runDue();
    const mails = told.filter((raw) => raw.includes('Subject: Sending of mail is paused'));
    assert.equal(mails.length, 1);
    assert.match(mails[0] as string, /^To: ops@out\.example\r$/m);
    t.clock.advance(7 * DAY_MS);
    assert.equal((await post(ada, 'more@out.example')).status, 201);
    assert.equal((await eventsOf(ada, 'sending.paused')).length, 1);
  });

  it('counts a mail once, whoever reports how often, and another account’s mail not at all', async () => {
    const { t } = suite;
    const ada = await sender(t);
    const mail = await sent(t, ada, group('x', 9));
    await sent(t, ada, group('y', 9));
    await sent(t, ada, group('z', 3));
    const first = report([{ address: 'x1@out.example' }], mail.messageId);
    const path = copies.get('x1@out.example')?.from as string;
    for (let times = 0; times < 4; times++) assert.equal(await bounce(t, path, first), 250);
    assert.equal((await post(ada, 'more@out.example')).status, 201);
    const alone = await sent(t, ada, 'w@out.example');
    assert.equal(await bounce(t, alone.returnPath, complaint({ to: 'w@out.example' })), 250);
    assert.equal((await post(ada, 'more@out.example')).status, 403);
    assert.equal((await post(await sender(t), 'more@out.example')).status, 201);
  });
});

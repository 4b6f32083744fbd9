import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, it } from 'node:test';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { SMTPServer } from 'smtp-server';
import { createAgent } from '../../../../test/support/agents.ts';
import { confirmAt } from '../../../../test/support/confirmed.ts';
import { onEngines, type TestAccount, type TestApp, tokenIn } from '../../../../test/support/harness.ts';
import { followLink, newPerson } from '../../../../test/support/operators.ts';
import { makePod } from '../../../../test/support/pods.ts';
import { readableMail } from '../../../../test/support/readable-mail.ts';

interface Taken {
  recipients: string[];
  raw: Buffer;
}
/** The relay's reply code to each recipient; 250 by default. */
const answers = new Map<string, number>();
const taken: Taken[] = [];
/** The Message-IDs of all mail sent to the relay, accepted or not. */
const offered: string[] = [];
/** The relay's reply code to DATA. */
let dataCode = 250;

/** A relay by other authors: the smtp-server package. */
const relay = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onRcptTo: ({ address }, _session, callback) => {
    const code = answers.get(address) ?? 250;
    callback(code === 250 ? null : Object.assign(new Error(`relay says ${code}`), { responseCode: code }));
  },
  onData: (stream, session, callback) => {
    void buffer(stream).then((raw) => {
      offered.push(messageIdIn(raw));
      if (dataCode !== 250) {
        callback(Object.assign(new Error(`relay says ${dataCode}`), { responseCode: dataCode }));
        return;
      }
      taken.push({ recipients: session.envelope.rcptTo.map(({ address }) => address), raw });
      callback(null, 'Ok: queued as RELAY1234');
    });
  },
});
await new Promise<void>((resolve) => void relay.listen(0, '127.0.0.1', resolve));
after(() => new Promise<void>((resolve) => relay.close(resolve)));
const { port } = relay.server.address() as AddressInfo;

const dir = mkdtempSync(join(tmpdir(), 'signet-dispatch-'));
after(() => rmSync(dir, { recursive: true }));
const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
writeFileSync(join(dir, 'dkim.pem'), privateKey);
const env = { SMTP_RELAY_URL: `smtp://127.0.0.1:${port}`, DKIM_KEY: join(dir, 'dkim.pem'), DKIM_SELECTOR: 'k1' };

const MINUTE = 60_000;
const DELAYS = [1, 5, 30, 120, 480, 1440].map((minutes) => minutes * MINUTE);
let names = 0;

async function sender(t: TestApp): Promise<TestAccount & { address: string }> {
  taken.length = 0;
  offered.length = 0;
  answers.clear();
  dataCode = 250;
  const account = await t.createAccount();
  const { body } = await account.api.post('/v1/email/claim', { address: `sender-${names++}` });
  return { ...account, address: body.address };
}

async function send({ api, address }: { api: TestAccount['api']; address: string }, to: string[]): Promise<string> {
  const { status, body } = await api.post('/v1/email/send', { from: address, to, subject: 'out', text: 'hello' });
  assert.deepEqual([status, body.status], [201, 'pending']);
  return body.id;
}
const entryOf = async ({ api }: TestAccount, id: string) =>
  (await api.get('/v1/email/outbox')).body.messages.find((entry: { id: string }) => entry.id === id);
const messageIdIn = (raw: Buffer): string => /^Message-ID: (.+)\r$/im.exec(raw.toString('latin1'))?.[1] ?? '';

onEngines('any', 'mail sent through a relay', { env }, (suite) => {
  it('has a signature that an independent verifier accepts, and a reply by SMTP joins its thread', async () => {
    const { t } = suite;
    const ada = await sender(t);
    const id = await send(ada, ['bob@out.example']);
    await t.app.worker.runDue();
    const entry = await entryOf(ada, id);
    assert.deepEqual([entry.status, entry.error], ['sent', null]);
    assert.deepEqual(
      taken.map(({ recipients }) => recipients),
      [['bob@out.example']],
    );
    const { raw } = taken[0] as Taken;
    const asked: string[] = [];
    const { results } = await dkimVerify(raw, {
      resolver: async (name) => {
        asked.push(name);
        return [[`v=DKIM1; k=rsa; p=${publicKey.replace(/-----[^-]+-----|\s/g, '')}`]];
      },
    });
    assert.deepEqual(asked, ['k1._domainkey.agents.localhost']);
    assert.deepEqual(
      results.map(({ status }) => [status.result, status.aligned]),
      [['pass', 'agents.localhost']],
    );

    const headers = { 'In-Reply-To': messageIdIn(raw), References: messageIdIn(raw) };
    await t.sendSmtp({ from: 'bob@out.example', to: ada.address, subject: 'Re: out', text: 'hi', headers });
    const [reply] = (await ada.api.get(`/v1/email/inbox?address=${ada.address}`)).body.messages;
    const [row] = await t.sql('select thread_id from outbox where id = ?', id);
    assert.equal(reply.thread_id, row?.thread_id);
  });

  it('is checked again when it leaves: a mail policy that became narrower stops what waits', async () => {
    const { t } = suite;
    const ada = await sender(t);
    for (const to of ['bob@out.example', 'eve@stranger.example']) answers.set(to, 451);
    const id = await send(ada, ['bob@out.example', 'eve@stranger.example']);
    await t.app.worker.runDue();
    const outbound = { to: 'list', allow: ['out.example'] };
    assert.equal((await ada.api.put('/v1/email/policy', { outbound })).status, 200);
    answers.clear();
    t.clock.advance(MINUTE);
    await t.app.worker.runDue();
    assert.deepEqual(
      taken.map(({ recipients }) => recipients),
      [['bob@out.example']],
    );
    const { status, error } = await entryOf(ada, id);
    assert.deepEqual(
      [status, error.split(': ').slice(0, 2)],
      ['sent', ['eve@stranger.example', 'recipient_not_allowed']],
    );
  });

  it('is checked again: mail that would need a review stays, and mail that an operator approved leaves', async () => {
    const { t } = suite;
    const ada = await sender(t);
    const boss = newPerson(t);
    await confirmAt(t, ada.accountId, boss, t.clock.now(), 'operator');
    await t.api().post('/v1/auth/login', { email: boss });
    await t.app.worker.runDue();
    const login = taken.findLast(({ recipients }) => recipients.includes(boss)) as Taken;
    const operator = t.api(await followLink(t, tokenIn(readableMail(login.raw.toString()))));
    const set = (outbound: object) => operator.put('/v1/email/policy', { outbound });
    for (const to of ['bob@out.example', 'eve@stranger.example']) answers.set(to, 451);
    await set({ to: 'list', otherwise: 'review' });
    const mail = { from: ada.address, to: 'bob@out.example', subject: 'out', text: 'hello' };
    const held = (await ada.api.post('/v1/email/send', mail)).body;
    assert.equal((await operator.post(`/v1/email/reviews/${held.review_id}/approve`, {})).status, 200);
    await set({ to: 'open' });
    const unseen = await send(ada, ['eve@stranger.example']);
    await t.app.worker.runDue();
    await set({ to: 'list' });
    answers.clear();
    t.clock.advance(MINUTE);
    await t.app.worker.runDue();
    assert.deepEqual([(await entryOf(ada, held.id)).status, (await entryOf(ada, unseen)).status], ['sent', 'failed']);
    assert.match((await entryOf(ada, unseen)).error, /^recipient_not_allowed: /);
  });

  it('G1: is checked again for a pod when its platform became narrower', async () => {
    const { t } = suite;
    const platform = await sender(t);
    const pod = await createAgent(t, {}, await makePod(t, platform));
    const to = ['bob@out.example', 'eve@stranger.example'];
    const allow = ['out.example'];
    await platform.api.put('/v1/email/policy', {});
    const set = (outbound: object) =>
      t.sql('update mail_policies set outbound = ? where account_id = ?', JSON.stringify(outbound), platform.accountId);
    for (const outbound of [{ to: 'list', allow }, { block: ['stranger.example'] }, { hold: 'first_contact', allow }]) {
      await set({});
      for (const recipient of to) answers.set(recipient, 451);
      const id = await send(pod, to);
      await t.app.worker.runDue();
      await set(outbound);
      answers.clear();
      t.clock.advance(MINUTE);
      await t.app.worker.runDue();
      const { status, error } = await entryOf(pod, id);
      assert.equal(status, 'sent');
      assert.match(error, /^eve@stranger\.example: recipient_not_allowed: .* of the platform /);
    }
    assert.deepEqual(
      taken.flatMap(({ recipients }) => recipients),
      ['bob@out.example', 'bob@out.example', 'bob@out.example'],
    );
  });

  it('has the same Message-ID in every attempt', async () => {
    const { t } = suite;
    const ada = await sender(t);
    dataCode = 451;
    const id = await send(ada, ['bob@out.example']);
    await t.app.worker.runDue();
    const [{ rfc_message_id } = {}] = await t.sql('select rfc_message_id from outbox where id = ?', id);
    dataCode = 250;
    t.clock.advance(MINUTE);
    await t.app.worker.runDue();
    assert.equal((await entryOf(ada, id)).status, 'sent');
    assert.deepEqual(offered, [rfc_message_id, rfc_message_id]);
  });

  for (const at of ['RCPT', 'DATA'] as const)
    it(`fails at once with the relay’s reason after 550 to ${at}`, async () => {
      const { t } = suite;
      const ada = await sender(t);
      if (at === 'RCPT') answers.set('bob@out.example', 550);
      else dataCode = 554;
      const id = await send(ada, ['bob@out.example']);
      await t.app.worker.runDue();
      const entry = await entryOf(ada, id);
      assert.equal(entry.status, 'failed');
      assert.match(entry.error, /relay says 55[04]/);
      assert.deepEqual(await t.sql('select id from jobs where payload like ?', `%${id}%`), []);
    });

  it('is sent when an internal recipient has it, and the entry and email.failed name the refused one', async () => {
    const { t } = suite;
    const ada = await sender(t);
    const bob = await sender(t);
    answers.set('no@out.example', 550);
    const id = await send(ada, [bob.address, 'no@out.example']);
    const before = (await entryOf(ada, id)).recipients.map(({ status }: { status: string }) => status);
    assert.deepEqual(before, ['sent', 'pending']);
    await t.app.worker.runDue();
    const entry = await entryOf(ada, id);
    assert.equal(entry.status, 'sent');
    assert.match(entry.error, /^no@out\.example: 550 .*relay says 550$/);
    const { events } = (await ada.api.get('/v1/events')).body;
    assert.deepEqual(
      events.map(({ type }: { type: string }) => type),
      ['email.sent', 'email.failed'],
    );
    assert.deepEqual([events[1].data.status, events[1].data.recipients[0].address], ['sent', 'no@out.example']);
  });

  it('is sent when one recipient has it, and the error names the one that was deferred to the end', async () => {
    const { t } = suite;
    const ada = await sender(t);
    answers.set('later@out.example', 451);
    const id = await send(ada, ['yes@out.example', 'later@out.example']);
    await t.app.worker.runDue();
    for (const delay of DELAYS) {
      t.clock.advance(delay);
      await t.app.worker.runDue();
    }
    const entry = await entryOf(ada, id);
    assert.equal(entry.status, 'sent');
    assert.match(entry.error, /^later@out\.example: 451 /);
    assert.equal(taken.length, 1);
  });
});

onEngines('both', 'mail sent through a relay', { env }, (suite) => {
  it('is retried after 1 m, 5 m, 30 m, 2 h, 8 h and 24 h while the relay is busy, then fails', async () => {
    const { t } = suite;
    const ada = await sender(t);
    answers.set('bob@out.example', 451);
    const id = await send(ada, ['bob@out.example']);
    await t.app.worker.runDue();
    for (const delay of DELAYS) {
      assert.equal((await entryOf(ada, id)).status, 'pending');
      const [before] = await t.sql('select attempts, run_at from jobs where payload like ?', `%${id}%`);
      assert.equal(Number(before?.run_at), t.clock.now() + delay);
      t.clock.advance(delay - 1);
      await t.app.worker.runDue();
      const [early] = await t.sql('select attempts from jobs where payload like ?', `%${id}%`);
      assert.equal(early?.attempts, before?.attempts, 'not a moment too early');
      t.clock.advance(1);
      await t.app.worker.runDue();
    }
    const entry = await entryOf(ada, id);
    assert.equal(entry.status, 'failed');
    assert.match(entry.error, /relay says 451/);
    const { events } = (await ada.api.get('/v1/events')).body;
    assert.deepEqual(
      events.map(({ type }: { type: string }) => type),
      ['email.failed'],
    );
  });

  it('D: the entry tells the delivery step by step, in the words of the server', async () => {
    const { t } = suite;
    const ada = await sender(t);
    const bob = await createAgent(t);
    answers.set('busy@out.example', 451);
    answers.set('gone@out.example', 550);
    const to = [bob.address, 'cleo@out.example', 'gone@out.example', 'busy@out.example'];
    const id = await send(ada, to);
    const start = t.clock.now();
    await t.app.worker.runDue();
    answers.delete('busy@out.example');
    t.clock.advance(MINUTE);
    await t.app.worker.runDue();
    const { delivery } = (await ada.api.get(`/v1/email/outbox/${id}`)).body;
    const at = (ms: number): string => new Date(start + ms).toISOString();
    const step = (
      name: string,
      ms: number,
      recipients: string[],
      reply: string | null,
      next_at: string | null = null,
    ) => ({
      at: at(ms),
      step: name,
      recipients,
      reply,
      next_at,
    });
    const taken = '250 Ok: queued as RELAY1234';
    assert.deepEqual(delivery.slice(0, 1), [step('queued', 0, to, null)]);
    const rest = new Map(
      delivery.slice(1).map((one: { recipients: string[]; step: string }) => [`${one.step} ${one.recipients}`, one]),
    );
    assert.deepEqual(rest.get(`delivered ${bob.address}`), step('delivered', 0, [bob.address], null));
    assert.deepEqual(rest.get('accepted cleo@out.example'), step('accepted', 0, ['cleo@out.example'], taken));
    assert.deepEqual(
      rest.get('failed gone@out.example'),
      step('failed', 0, ['gone@out.example'], '550 relay says 550'),
    );
    assert.deepEqual(
      rest.get('deferred busy@out.example'),
      step('deferred', 0, ['busy@out.example'], '451 relay says 451', at(MINUTE)),
    );
    assert.deepEqual(rest.get('accepted busy@out.example'), step('accepted', MINUTE, ['busy@out.example'], taken));
    assert.equal(rest.size, 5);
  });

  it('retries only the deferred one of three recipients, and sends to no recipient twice', async () => {
    const { t } = suite;
    const ada = await sender(t);
    answers.set('no@out.example', 550);
    answers.set('later@out.example', 451);
    const id = await send(ada, ['yes@out.example', 'no@out.example', 'later@out.example']);
    await t.app.worker.runDue();
    assert.equal((await entryOf(ada, id)).status, 'pending');
    answers.delete('later@out.example');
    t.clock.advance(MINUTE);
    await t.app.worker.runDue();
    const entry = await entryOf(ada, id);
    assert.equal(entry.status, 'sent');
    assert.match(entry.error, /^no@out\.example: 550 .*relay says 550$/);
    assert.deepEqual(
      taken.map(({ recipients }) => recipients),
      [['yes@out.example'], ['later@out.example']],
    );
    assert.equal(new Set(taken.map(({ raw }) => messageIdIn(raw))).size, 1);
    assert.deepEqual(
      entry.recipients.map(({ address, status }: { address: string; status: string }) => [address, status]),
      [
        ['yes@out.example', 'sent'],
        ['no@out.example', 'failed'],
        ['later@out.example', 'sent'],
      ],
    );
  });
});

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { it } from 'node:test';
import { bytesFrom, refuses, shownOnTerminal, succeeds } from '../../../../test/process/command-line.ts';
import { createAgent } from '../../../../test/support/agents.ts';
import { createTestDns, publish } from '../../../../test/support/dns.ts';
import { onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { Dialogue } from '../../../../test/support/smtp-dialogue.ts';
import { DAY_MS } from '../../../base/period.ts';

const dns = createTestDns();
const POSTMASTER = 'postmaster@agents.localhost';
const mail = (subject: string): string =>
  `From: Mallory <mallory@out.example>\r\nTo: ${POSTMASTER}\r\nSubject: ${subject}\r\n\r\nYour agent sends me spam.\r\n`;

/** Sends one mail. @returns the codes of the RCPTs, and of the message if one was accepted */
async function deliver(t: TestApp, to: readonly string[], raw: string | Buffer, from = 'mallory@out.example') {
  const client = await Dialogue.open(t.app.smtpPort as number);
  try {
    await client.say('EHLO out.example');
    await client.say(`MAIL FROM:<${from}>`);
    const codes: number[] = [];
    for (const address of to) codes.push(await client.say(`RCPT TO:<${address}>`));
    if (!codes.includes(250)) return codes;
    await client.say('DATA');
    client.send(raw);
    codes.push(await client.say('.'));
    return codes;
  } finally {
    client.close();
  }
}

/** The mails that an administrator finds in the list. */
async function kept(t: TestApp): Promise<string[]> {
  const env = { DATA_DIR: t.config.dataDir, DATABASE_URL: t.config.databaseUrl ?? '' };
  const { mails } = (await succeeds(env, 'postmaster', 'list', '--json')).json();
  const texts: string[] = [];
  for (const { id } of mails) texts.push((await succeeds(env, 'postmaster', 'read', id)).stdout);
  return texts;
}

const keptCount = async (t: TestApp): Promise<number> => (await t.sql('select id from role_mails')).length;

/** An account with a verified domain. */
async function domainOwner(t: TestApp) {
  const { api } = await t.createAccount();
  const domain = `roles-${t.engine}.example`;
  const stack = (await api.post('/v1/stack', { domain })).body;
  publish(dns, stack);
  assert.equal((await api.post(`/v1/stack/${stack.id}/verify`)).body.status, 'active');
  return { api, domain };
}

const forwarding = {
  env: { POSTMASTER_MAIL: 'ops@elsewhere.example' },
  resolveDns: dns.resolve,
  limits: { free: { stacks: 5 } },
};

onEngines('any', 'mail to postmaster and abuse', forwarding, (suite) => {
  it('is forwarded as an attachment, from the null sender, for each spelling that RFC 5321 asks for', async () => {
    const { t } = suite;
    const spellings = ['Postmaster', POSTMASTER, 'POSTMASTER@Agents.Localhost', 'abuse@agents.localhost'];
    for (const [n, address] of spellings.entries())
      assert.deepEqual(await deliver(t, [address], mail(`complaint ${n}`)), [250, 250], address);
    const mails = await t.outboxMails();
    assert.equal(mails.length, spellings.length);
    for (const n of spellings.keys()) {
      const forwarded = mails.find((text) => text.includes(`Subject: complaint ${n}`)) as string;
      const [header = ''] = forwarded.split('\r\n\r\n');
      assert.match(header, /^Delivered-To: (?:postmaster|abuse)@agents\.localhost$/m);
      assert.match(header, /^To: ops@elsewhere\.example$/m);
      assert.match(header, /^From: Signet <noreply@agents\.localhost>$/m);
      assert.match(header, /^Reply-To: mallory@out\.example$/m);
      // A stranger's words are in the attachment only.
      assert.doesNotMatch(header, /complaint/);
      assert.match(forwarded, /message\/rfc822[\s\S]*Your agent sends me spam\./);
    }
    assert.equal(await keptCount(t), 0);
    assert.deepEqual(await t.sql("select id from jobs where kind = 'mail.postmaster'"), []);
    assert.deepEqual(await t.sql('select id from mail_contents'), []);
  });

  it('is taken for a verified domain too, unless its owner has claimed the address', async () => {
    const { t } = suite;
    const { api, domain } = await domainOwner(t);
    await api.post('/v1/email/claim', { address: `abuse@${domain}` });
    const before = (await t.outboxMails()).length;
    assert.deepEqual(await deliver(t, [`postmaster@${domain}`, `abuse@${domain}`], mail('both')), [250, 250, 250]);
    const added = (await t.outboxMails()).filter((text) => text.includes('Subject: both'));
    assert.equal(added.length, 1);
    assert.equal((await t.outboxMails()).length, before + 1);
    assert.match(added[0] as string, new RegExp(`^Delivered-To: postmaster@${domain}\r$`, 'm'));
    assert.equal((await api.get(`/v1/inbox/abuse@${domain}`)).body.total, 1);
  });

  it('does not make the server a relay: other names and other domains get 550', async () => {
    const { t } = suite;
    for (const address of [
      'hostmaster@agents.localhost',
      'postmaster@elsewhere.example',
      'abuse@ops.agents.localhost',
      'postmaster%elsewhere.example@agents.localhost',
      'postmaster+x@agents.localhost',
    ])
      assert.deepEqual(await deliver(t, [address], mail('relay')), [550], address);
    // RFC 5321 4.1.1.3: only postmaster may come without a domain.
    assert.deepEqual(await deliver(t, ['abuse'], mail('relay')), [501]);
  });

  it('arrives from an agent of this service too, once, beside the other recipients, who get theirs', async () => {
    const { t } = suite;
    const { x } = generateKeyPairSync('x25519').publicKey.export({ format: 'jwk' });
    const [ada, bob] = [await createAgent(t), await createAgent(t, { public_key: x })];
    const contents = async () => (await t.sql('select id from mail_contents')).length;
    const before = await contents();
    const to = [POSTMASTER, 'Abuse@agents.localhost', bob.address, 'x@out.example'];
    const mailTo = { from: ada.address, to, subject: 'from inside', text: 'Somebody floods me.' };
    const sent = await ada.api.post('/v1/email/send', mailTo);
    const delivered = [POSTMASTER, 'abuse@agents.localhost', bob.address].map((address) => ({
      address,
      delivered: true,
      error: null,
    }));
    assert.deepEqual([sent.status, sent.body.internal_recipients], [201, delivered], sent.text);
    const mails = (await t.outboxMails()).filter((text) => text.includes('from inside'));
    const [forwarded] = mails.filter((text) => text.includes('Delivered-To:'));
    assert.equal(mails.length, 2, 'one for the postmaster, one for the recipient outside');
    assert.match(forwarded ?? '', /^To: ops@elsewhere\.example\r$[\s\S]*Somebody floods me\./m);
    assert.match(forwarded ?? '', new RegExp(`^Reply-To: ${ada.address}\r$`, 'm'));
    assert.equal((await bob.api.get(`/v1/inbox/${bob.address}`)).body.total, 1);
    const alone = await ada.api.post('/v1/email/send', { ...mailTo, to: 'postmaster', subject: 'bare' });
    assert.deepEqual([alone.status, alone.body.status], [201, 'sent'], alone.text);
    assert.equal((await t.outboxMails()).filter((text) => text.includes('Subject: bare')).length, 1);
    // What the inbox holds, sealed, is left of the first, and of the second what its sender keeps.
    assert.equal(await contents(), before + 2);
  });

  it('ends a loop: a mail that was forwarded here comes back and is refused; a bounce is forwarded once', async () => {
    const { t } = suite;
    const mails = await t.outboxMails();
    const forwarded = mails.find((text) => text.includes('Delivered-To:')) as string;
    const before = mails.length;
    assert.deepEqual(await deliver(t, [POSTMASTER], forwarded, ''), [250, 554]);
    assert.deepEqual(await deliver(t, ['abuse@agents.localhost'], forwarded, ''), [250, 554]);
    assert.equal((await t.outboxMails()).length, before);
    assert.deepEqual(await deliver(t, [POSTMASTER], mail('undeliverable'), ''), [250, 250]);
    assert.equal((await t.outboxMails()).length, before + 1);
  });
});

onEngines('any', 'mail to postmaster without POSTMASTER_MAIL', {}, (suite) => {
  it('is kept for signet postmaster list, with a line in the log, until there is no room', async () => {
    const { t } = suite;
    assert.deepEqual(await deliver(t, [POSTMASTER], mail('read me')), [250, 250]);
    const ada = await createAgent(t);
    const inside = { from: ada.address, to: 'abuse', subject: 'from inside', text: 'Somebody floods me.' };
    assert.equal((await ada.api.post('/v1/email/send', inside)).body.status, 'sent');
    await t.app.worker.runDue();
    const texts = await kept(t);
    assert.ok(texts.some((text) => /Subject: from inside[\s\S]*Somebody floods me\./.test(text)));
    assert.ok(texts.some((text) => /Subject: read me[\s\S]*Your agent sends me spam\./.test(text)));
    assert.ok(t.faults.some(({ message }) => message.includes('postmaster')));
    const big = `${mail('big')}${'x'.repeat(76)}\r\n`.padEnd(20_000_000, `${'y'.repeat(76)}\r\n`);
    const codes: number[][] = [];
    for (let n = 0; n < 6; n++) codes.push(await deliver(t, [POSTMASTER], `${big}\r\n`));
    assert.deepEqual(codes.at(-1), [250, 451]);
    assert.equal(codes.filter(([, code]) => code === 250).length, 5);
    const before = await keptCount(t);
    const attachments = [{ filename: 'a.bin', content: Buffer.alloc(6_000_000).toString('base64') }];
    const { body } = await ada.api.post('/v1/email/send', { ...inside, attachments });
    const [{ delivered, error }] = body.internal_recipients;
    assert.deepEqual([body.status, delivered, error], ['failed', false, 'This mailbox is full, try again later.']);
    await t.app.worker.runDue();
    assert.equal(await keptCount(t), before);
    const env = { DATA_DIR: t.config.dataDir, DATABASE_URL: t.config.databaseUrl ?? '' };
    for (const { id } of await t.sql('select id from role_mails'))
      await succeeds(env, 'postmaster', 'delete', id as string);
    await refuses(env, 1, /there is no mail mail_1/, 'postmaster', 'read', 'mail_1');
    // The sender keeps what it sent.
    const others = 'select id from mail_contents where id not in (select content_id from sent_contents)';
    assert.deepEqual(await t.sql(others), []);
    assert.deepEqual(await deliver(t, [POSTMASTER], mail('room again')), [250, 250]);
  });

  it('is printed with every byte, but on a terminal with nothing that could control it', async () => {
    const { t } = suite;
    await t.sql('delete from role_mails');
    const raw = Buffer.from('Subject: caf\xe9\r\n\r\na\tb \x1b]0;owned\x07\x9b2J\r\n', 'latin1');
    assert.deepEqual(await deliver(t, [POSTMASTER], raw), [250, 250]);
    const [{ id = '' } = {}] = await t.sql('select id from role_mails');
    const env = { DATA_DIR: t.config.dataDir, DATABASE_URL: t.config.databaseUrl ?? '' };
    const read = ['postmaster', 'read', String(id)];
    assert.deepEqual(bytesFrom(env, ...read).subarray(-raw.length), raw);
    const shown = await shownOnTerminal(env, ...read);
    assert.match(shown, /Subject: caf.\n\na\tb .\]0;owned.{2}2J\n$/);
    assert.doesNotMatch(shown.replace(/[\n\t]/g, ''), /\p{Cc}/u);
  });
});

onEngines(
  'both',
  'mail to postmaster whose forwarding fails',
  {
    env: { POSTMASTER_MAIL: 'ops@elsewhere.example', SMTP_RELAY_URL: 'smtp://127.0.0.1:1' },
  },
  (suite) => {
    it('is tried again, and kept after the last attempt', async () => {
      const { t } = suite;
      assert.deepEqual(await deliver(t, [POSTMASTER], mail('patience')), [250, 250]);
      await t.app.worker.runDue();
      assert.equal(await keptCount(t), 0);
      for (let n = 0; n < 8; n++) {
        t.clock.advance(DAY_MS);
        await t.app.worker.runDue();
      }
      const texts = await kept(t);
      assert.equal(texts.length, 1);
      assert.match(texts[0] as string, /Subject: patience/);
      assert.equal((await t.sql('select id from mail_contents where copies = 1')).length, 1);
    });

    it('is refused while too much of it waits, and dropped after the last attempt when there is no room', async () => {
      const { t } = suite;
      await t.sql('update role_mails set size_bytes = ?', 104_857_600);
      assert.deepEqual(await deliver(t, [POSTMASTER], mail('one too many')), [250, 250]);
      const [{ payload }] = (await t.sql("select payload from jobs where kind = 'mail.postmaster'")) as [
        { payload: string },
      ];
      const big = JSON.stringify({ ...JSON.parse(payload), sizeBytes: 104_857_600 });
      await t.sql("update jobs set payload = ? where kind = 'mail.postmaster'", big);
      assert.deepEqual(await deliver(t, [POSTMASTER], mail('and another')), [250, 451]);
      const ada = await createAgent(t);
      const inside = { from: ada.address, to: 'abuse', subject: 'from inside', text: 'Somebody floods me.' };
      const { internal_recipients: told } = (await ada.api.post('/v1/email/send', inside)).body;
      assert.deepEqual([told[0].delivered, told[0].error], [false, 'This mailbox is full, try again later.']);
      for (let n = 0; n < 8; n++) {
        t.clock.advance(DAY_MS);
        await t.app.worker.runDue();
      }
      assert.equal(await keptCount(t), 1);
      assert.ok(t.faults.some(({ message }) => message.includes('was dropped')));
      assert.deepEqual(await t.sql("select id from jobs where kind = 'mail.postmaster'"), []);
      assert.equal((await t.sql('select id from mail_contents')).length, 1);
    });
  },
);

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, it } from 'node:test';
import { promisify } from 'node:util';
import { createTransport } from 'nodemailer';
import { createAgent, suspend, type TestAgent } from '../../../../../test/support/agents.ts';
import { begin } from '../../../../../test/support/deletions.ts';
import { onEngines, type Suite, type TestApp } from '../../../../../test/support/harness.ts';
import { approveMail, createHeldAgent } from '../../../../../test/support/held-mail.ts';
import { readableMail } from '../../../../../test/support/readable-mail.ts';
import { Dialogue } from '../../../../../test/support/smtp-dialogue.ts';
import {
  Program,
  sendingKey,
  startTestSubmission,
  type TestSubmission,
} from '../../../../../test/support/submission.ts';
import { DAY_MS } from '../../../../base/period.ts';

const running = new Map<TestApp, Promise<TestSubmission>>();
const submissionOf = (t: TestApp): Promise<TestSubmission> => {
  const known = running.get(t) ?? startTestSubmission(t);
  running.set(t, known);
  return known;
};
const programs: Program[] = [];
after(async () => {
  for (const program of programs) program.close();
  for (const submission of running.values()) await (await submission).close();
});

/** A program of an agent, logged in. */
async function programOf(suite: Suite, agent: TestAgent, key?: string): Promise<Program> {
  const { port } = await submissionOf(suite.t);
  const program = await Program.open(port, agent, key ?? (await sendingKey(agent)));
  programs.push(program);
  return program;
}

const outbox = async ({ api }: TestAgent) => (await api.get('/v1/email/outbox')).body.messages;

/** The mails that left, with this text. */
const leftWith = async (t: TestApp, text: string): Promise<string[]> =>
  (await t.outboxMails()).filter((mail) => mail.includes(text));

/** A text that no other test has. */
let texts = 0;
const unique = (): string => `text-${process.pid}-${texts++}`;

onEngines('any', 'mail that a program hands over', {}, (suite) => {
  it('leaves as it was written, with what is missing, and names no machine of its user', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const program = await programOf(suite, ada);
    const text = unique();
    const raw = program.letter({ 'X-Odd': 'kept  as\r\n\tit is', Bcc: 'carl@out.example' }, `${text}\r\n..dots`);
    const answer = await program.send(['bob@out.example', 'carl@out.example'], raw);
    assert.match(answer, /^250 2\.0\.0 Queued as out_[0-9a-z]{26}$/);
    const [mail = '', ...others] = await leftWith(t, text);
    assert.equal(others.length, 0);
    const asWritten = raw.replace('Bcc: carl@out.example\r\n', '').replace('..dots', '.dots');
    assert.ok(mail.endsWith(asWritten), mail);
    const added = mail.slice(0, -asWritten.length);
    assert.match(added, /^Received: by \S+ with ESMTPA id \S+;\r\n\tWed, 14 Jan 2026 12:00:00 \+0000\r\n/m);
    assert.match(added, /^Message-ID: <\S+@\S+>\r\nDate: Wed, 14 Jan 2026 12:00:00 \+0000\r\n$/m);
    assert.doesNotMatch(added, /127\.0\.0\.1|laptop/);
    const [entry] = await outbox(ada);
    assert.equal(`250 2.0.0 Queued as ${entry.id}`, answer);
    assert.deepEqual(entry.to, ['bob@out.example', 'carl@out.example']);
    assert.equal(entry.subject, 'Hello');
    const { body: audit } = await ada.api.get('/v1/audit?limit=5');
    const noted = audit.entries.find((each: { action: string }) => each.action === 'email.sent');
    assert.equal(noted.resource_id, entry.id);
    assert.equal(noted.summary, 'Sent a mail to 2 recipients');
  });

  it('keeps its own Message-ID and Date; another address of the account is the author', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const second = await createAgent(t, {}, ada);
    const program = await programOf(suite, ada);
    const text = unique();
    const own = { From: second.address, 'Message-ID': `<${text}@laptop>`, Date: 'Tue, 13 Jan 2026 09:00:00 +0100' };
    assert.match(await program.send(['bob@out.example'], program.letter(own, text)), /^250 /);
    const [mail = ''] = await leftWith(t, text);
    assert.equal(mail.match(/^(message-id|date):/gim)?.length, 2);
    const [entry] = await outbox(ada);
    assert.deepEqual([entry.from, entry.rfc_message_id], [second.address, `<${text}@laptop>`]);
  });

  it('reaches an inbox of this service, answers a message there and stays in its conversation', async () => {
    const { t } = suite;
    const [ada, bob] = [await createAgent(t), await createAgent(t)];
    await ada.api.post('/v1/email/send', { from: ada.address, to: bob.address, subject: 'Question', text: 'Why?' });
    const inboxOf = async ({ api, address }: TestAgent) =>
      (await api.get(`/v1/email/inbox?address=${address}`)).body.messages;
    const [question] = await inboxOf(bob);
    const program = await programOf(suite, bob);
    const headers = { To: ada.address, Subject: 'Re: Question', 'In-Reply-To': question.rfc_message_id };
    assert.match(await program.send([ada.address.toUpperCase()], program.letter(headers)), /^250 /);
    const [read] = await inboxOf(bob);
    assert.equal(read.answered, true);
    assert.equal((await outbox(bob))[0].thread_id, read.thread_id);
    const [answer] = await inboxOf(ada);
    assert.deepEqual([answer.subject, answer.from], ['Re: Question', bob.address]);
    assert.equal(answer.thread_id, (await outbox(ada))[0].thread_id);
  });

  it('that is held says so, and leaves as it was written once it is released', async () => {
    const { t } = suite;
    const ada = await createHeldAgent(t);
    const program = await programOf(suite, ada);
    const text = unique();
    const raw = program.letter({ 'X-Odd': 'kept  as it is' }, text);
    const answer = await program.send(['bob@out.example'], raw);
    const id = /^250 2\.0\.0 Held for review (rev_[0-9a-z]{26})$/.exec(answer)?.[1];
    assert.ok(id, answer);
    assert.deepEqual(await leftWith(t, text), []);
    await approveMail(ada, id);
    const [mail = ''] = await leftWith(t, text);
    assert.ok(mail.endsWith(raw), mail);
  });

  it('by nodemailer and by smtplib of Python, over TLS', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const key = await sendingKey(ada);
    const { port } = await submissionOf(t);
    const text = unique();
    const transport = createTransport({
      host: '127.0.0.1',
      port,
      requireTLS: true,
      tls: { rejectUnauthorized: false },
      auth: { user: ada.address, pass: key },
    });
    const attachments = [{ filename: 'note.txt', content: 'a note' }];
    const sent = await transport.sendMail({
      from: ada.address,
      to: 'bob@out.example',
      subject: 'Grüße',
      text,
      attachments,
    });
    transport.close();
    assert.match(sent.response, /^250 2\.0\.0 Queued as out_/);
    const script = `
import smtplib, ssl, sys
from email.message import EmailMessage
context = ssl.create_default_context(); context.check_hostname = False; context.verify_mode = ssl.CERT_NONE
message = EmailMessage()
message['From'], message['To'], message['Bcc'], message['Subject'] = sys.argv[2], 'bob@out.example', 'carl@out.example', 'Grüße'
message.set_content('Häuser ' + sys.argv[4])
with smtplib.SMTP('127.0.0.1', int(sys.argv[1])) as smtp:
    smtp.starttls(context=context); smtp.login(sys.argv[2], sys.argv[3]); print(smtp.send_message(message))
`;
    const { stdout } = await promisify(execFile)('python3', ['-c', script, String(port), ada.address, key, text]);
    assert.equal(stdout.trim(), '{}');
    const readable = (await t.outboxMails()).filter((mail) => readableMail(mail).includes(text));
    assert.equal(readable.length, 2);
    for (const mail of readable) assert.doesNotMatch(mail, /carl/);
    assert.deepEqual(
      (await outbox(ada)).map(({ subject, to }: { subject: string; to: string[] }) => `${subject} ${to.length}`).sort(),
      ['Grüße 1', 'Grüße 2'],
    );
  });
});

onEngines('any', 'the replies of submission', {}, (suite) => {
  /** Asserts the answers to mails with these headers, and that none was stored. */
  async function refused(
    program: Program,
    ada: TestAgent,
    cases: readonly [Record<string, string | null>, RegExp, string?][],
  ) {
    const before = (await outbox(ada)).length;
    for (const [headers, answer, body] of cases)
      assert.match(
        await program.send(['bob@out.example'], program.letter(headers, body)),
        answer,
        JSON.stringify(headers),
      );
    assert.equal((await outbox(ada)).length, before);
  }

  it('535 for a wrong key, and for one without mail:send, in the same words', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const { port } = await submissionOf(t);
    const answers: string[] = [];
    for (const key of ['wrong', await sendingKey(ada, ['mail:read'])]) {
      const program = await Program.open(port, ada, key).catch((err: Error) => err.message);
      assert.equal(program, 'no login: 535');
      const raw = await Dialogue.open(port);
      await raw.say('EHLO x');
      raw.send(`AUTH PLAIN ${Buffer.from(`\0${ada.address}\0${key}`).toString('base64')}\r\n`);
      answers.push((await raw.reply()).lines.join());
      raw.close();
    }
    assert.match(answers[0] ?? '', /^535 5\.7\.8 .*mail:send/);
    assert.equal(answers[0], answers[1]);
  });

  it('550 5.7.1 for a reverse path or an author that is not the login’s', async () => {
    const { t } = suite;
    const [ada, eve] = [await createAgent(t), await createAgent(t)];
    const second = await createAgent(t, {}, ada);
    const program = await programOf(suite, ada);
    for (const from of ['', eve.address, 'bob@out.example', 'nobody-has-this@agents.example'])
      assert.match(await program.send(['bob@out.example'], '\r\n', from), /^550 5\.7\.1 /, from);
    await refused(program, ada, [
      [{ From: null }, /^550 5\.7\.1 /],
      [{ From: eve.address }, /^550 5\.7\.1 /],
      [{ From: `${ada.address}, ${second.address}` }, /^550 5\.7\.1 /],
      [{ From: `${eve.address} <${ada.address}>` }, /^550 5\.7\.1 /],
      [{ From: `(") <${ada.address}> (") <${eve.address}>` }, /^550 5\.7\.1 /],
      [{ From: `"${eve.address}" <${ada.address}>` }, /^550 5\.7\.1 /],
      [{ Sender: eve.address }, /^550 5\.7\.1 /],
      [{ 'Resent-From': ada.address, 'resent-from': eve.address }, /^550 5\.7\.1 /],
      [{ 'Resent-Sender': eve.address }, /^550 5\.7\.1 /],
      [{ from: eve.address }, /^554 5\.6\.0 /],
    ]);
    // A key that is limited to an address cannot write in the name of the other.
    const limited = await programOf(suite, ada, await sendingKey(ada, ['mail:send'], { addresses: [ada.address] }));
    await refused(limited, ada, [[{ From: second.address }, /^550 5\.7\.1 /]]);
    assert.match(await limited.send(['bob@out.example'], '\r\n', second.address), /^550 5\.7\.1 /);
    assert.match(await program.send(['bob@out.example'], program.letter({ Sender: second.address })), /^250 /);
  });

  it('550 5.7.1 for a secret, wherever it is hidden', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const program = await programOf(suite, ada);
    const base64 = (text: string): string => Buffer.from(text).toString('base64');
    const part = (type: string, body: string) =>
      `--b\r\nContent-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64(body)}\r\n`;
    const mixed = { 'MIME-Version': '1.0', 'Content-Type': 'multipart/mixed; boundary=b' };
    const own = ada.key;
    const wrong = /^550 5\.7\.1 .*key of this service/;
    await refused(program, ada, [
      [{ Subject: own }, wrong],
      [{ 'X-Note': own }, wrong],
      [{ [`X-${own}`]: 'y' }, wrong],
      [{ 'X-Note': `=?utf-8?B?${base64(own.slice(0, 20))}?=\r\n =?utf-8?B?${base64(own.slice(20))}?=` }, wrong],
      [{}, wrong, `see ${own}`],
      [{ 'MIME-Version': '1.0', 'Content-Transfer-Encoding': 'base64' }, wrong, base64(`see ${own}`)],
      [
        { 'MIME-Version': '1.0', 'Content-Transfer-Encoding': 'quoted-printable' },
        wrong,
        `${own.slice(0, 20)}=\r\n${own.slice(20)}`,
      ],
      [mixed, wrong, `${part('application/octet-stream', `\0\0${own}`)}--b--`],
      [mixed, wrong, `${part('text/html', `<p hidden>${own}</p>`)}--b--`],
      [mixed, wrong, `preamble ${own}\r\n${part('text/plain', 'x')}--b--`],
    ]);
    const operatorless = await ada.api.put('/v1/email/policy', { outbound: { secrets: 'reject' } });
    assert.equal(operatorless.status, 200, operatorless.text);
    await refused(program, ada, [[{}, /^550 5\.7\.1 .*AWS access key/, 'AKIAABCDEFGHIJKLMNOP']]);
  });

  it('554 for what recipients could read in another way than who checks it', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const program = await programOf(suite, ada);
    await refused(program, ada, [
      [{}, /^554 5\.6\.0 /, 'one\r\n.\n.\r\ntwo'],
      [{}, /^554 5\.6\.0 /, 'one\rtwo'],
      [{ 'X-A': 'b\nBcc: eve@out.example' }, /^554 5\.6\.0 /],
      [{ subject: 'another' }, /^554 5\.6\.0 /],
      [
        { 'MIME-Version': '1.0', 'Content-Type': 'multipart/mixed; boundary=b' },
        /^554 5\.6\.0 .*too_many/,
        '--b\r\n\r\n'.repeat(1100),
      ],
    ]);
    assert.match(await program.send(['bob@out.example'], 'no header\r\n\r\nx\r\n'), /^554 5\.6\.0 /);
    assert.match(
      await program.send(['bob@out.example'], `${'Received: x\r\n'.repeat(60)}${program.letter()}`),
      /^554 5\.4\.6 /,
    );
  });

  it('550 for a recipient that the policy bars or that is suppressed, alone; 5.1.1 for an unknown one', async () => {
    const { t } = suite;
    const [ada, bob] = [await createAgent(t), await createAgent(t)];
    await ada.api.put('/v1/email/policy', { outbound: { block: ['barred.example'] } });
    await t.sql(
      "insert into suppressions (account_id, address, reason, created_at) values (?, 'gone@out.example', 'hard_bounce', 1)",
      ada.accountId,
    );
    const program = await programOf(suite, ada);
    await program.say(`MAIL FROM:<${ada.address}>`);
    const rcpt = async (to: string) => (await program.say(`RCPT TO:<${to}>`)).lines.join();
    assert.match(await rcpt('eve@barred.example'), /^550 5\.7\.1 .*policy of the account/);
    assert.match(await rcpt('Gone@out.example'), /^550 5\.7\.1 .*suppressed.*hard_bounce/);
    assert.match(await rcpt(`nobody@${bob.address.split('@')[1]}`), /^550 5\.1\.1 /);
    assert.match(await rcpt('a..b@out.example'), /^50?[15]/);
    for (const to of [bob.address, 'fine@out.example', `postmaster@${bob.address.split('@')[1]}`])
      assert.match(await rcpt(to), /^250 2\.1\.5 /, to);
    assert.equal((await program.say('DATA')).code, 354);
    program.dialogue.send(`${program.letter()}.\r\n`);
    assert.match((await program.dialogue.reply()).lines.join(), /^250 /);
    assert.equal((await outbox(ada))[0].to.length, 3);
  });

  it('a recipient here that refuses the mail: nobody gets it, and nothing is stored or counted', async () => {
    const { t } = suite;
    const [ada, bob] = [await createAgent(t), await createAgent(t)];
    const put = await bob.api.put('/v1/email/policy', { inbound: { block: [ada.address] } });
    assert.equal(put.status, 200, put.text);
    const program = await programOf(suite, ada);
    const answer = await program.send([bob.address, 'carl@out.example'], program.letter());
    assert.match(answer, /^550 5\.7\.1 .*does not take this mail/);
    assert.deepEqual(await outbox(ada), []);
    assert.equal((await ada.api.get('/v1/usage')).body.emails.daily_used, 0);
  });

  it('421 when the account is suspended, or the key deleted, while the session is open', async () => {
    const { t } = suite;
    for (const end of [
      (agent: TestAgent) => suspend(t, agent.accountId),
      async (agent: TestAgent) => {
        const { body } = await agent.api.get('/v1/account/keys');
        const { id } = body.keys.find(({ name }: { name: string }) => name === 'mail program');
        assert.equal((await agent.api.delete(`/v1/account/keys/${id}`)).status, 200);
      },
    ]) {
      const ada = await createAgent(t);
      const program = await programOf(suite, ada);
      await program.say(`MAIL FROM:<${ada.address}>`);
      await program.say('RCPT TO:<bob@out.example>');
      await program.say('DATA');
      await end(ada);
      program.dialogue.send(`${program.letter()}.\r\n`);
      assert.match((await program.dialogue.reply()).lines.join(), /^421 4\.7\.0 /);
      assert.deepEqual(await t.sql('select id from outbox where account_id = ?', ada.accountId), []);
    }
  });

  it('550 while a deletion of the account waits, also when it is asked for in the session', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const program = await programOf(suite, ada);
    await begin(ada.api);
    assert.match(
      await program.send(['bob@out.example'], program.letter()),
      /^550 5\.7\.1 This account will be deleted/,
    );
  });

  it('the door of the service itself: a mail, and 421 as soon as the key ends', async () => {
    const { t } = suite;
    const port = t.app.provided.programPorts().submission;
    assert.ok(port);
    const ada = await createAgent(t);
    const key = await sendingKey(ada);
    const program = await Program.open(port, ada, key);
    assert.match(await program.send(['bob@out.example'], program.letter()), /^250 2\.0\.0 Queued as out_/);
    const { keys } = (await ada.api.get('/v1/account/keys')).body;
    const { id } = keys.find(({ name }: { name: string }) => name === 'mail program');
    assert.equal((await ada.api.delete(`/v1/account/keys/${id}`)).status, 200);
    assert.match((await program.dialogue.reply()).lines.join(), /^421 4\.7\.0 /);
    assert.equal((await program.dialogue.reply()).code, 0);
  });
});

onEngines(
  'any',
  'the limits of submission',
  { limits: { free: { recipients_per_send: 2 }, tried_recipients_per_hour: 2 } },
  (suite) => {
    it('452 4.5.3 for one recipient more than the tier allows; the others get the mail', async () => {
      const ada = await createAgent(suite.t);
      const program = await programOf(suite, ada);
      await program.say(`MAIL FROM:<${ada.address}>`);
      for (const [to, answer] of [
        ['a@out.example', 250],
        ['b@out.example', 250],
        ['c@out.example', 452],
        ['a@out.example', 250],
      ] as const)
        assert.equal((await program.say(`RCPT TO:<${to}>`)).code, answer, to);
      assert.match((await program.say('RCPT TO:<d@out.example>')).lines.join(), /^452 4\.5\.3 /);
      await program.say('DATA');
      program.dialogue.send(`${program.letter()}.\r\n`);
      assert.match((await program.dialogue.reply()).lines.join(), /^250 /);
      assert.deepEqual((await outbox(ada))[0].to, ['a@out.example', 'b@out.example']);
    });

    it('an unknown address costs a try; then no more is told, with the limit and when it returns', async () => {
      const [ada, bob] = [await createAgent(suite.t), await createAgent(suite.t)];
      const program = await programOf(suite, ada);
      await program.say(`MAIL FROM:<${ada.address}>`);
      const domain = ada.address.split('@')[1];
      for (const n of [1, 2])
        assert.match((await program.say(`RCPT TO:<no-${n}@${domain}>`)).lines.join(), /^550 5\.1\.1 /);
      // Of an address that is there neither: else a refusal would say which are not.
      for (const to of [`no-3@${domain}`, bob.address])
        assert.match(
          (await program.say(`RCPT TO:<${to}>`)).lines.join(),
          /^452 4\.7\.1 The limit tried_recipients_per_hour is used up \(2 of 2\), try again at 2026-01-14T13:00:00/,
        );
      assert.equal((await program.say('RCPT TO:<bob@out.example>')).code, 250);
    });
  },
);

onEngines(
  'any',
  'the quotas of submission',
  { limits: { free: { emails_per_day: 1, storage_bytes: 3_000_000 } } },
  (suite) => {
    it('452 4.7.1 with the limit and when it returns, and no payment is asked for', async () => {
      const ada = await createAgent(suite.t);
      const program = await programOf(suite, ada);
      assert.match(await program.send(['bob@out.example'], program.letter()), /^250 /);
      assert.equal(
        await program.send(['bob@out.example'], program.letter()),
        '452 4.7.1 The limit emails_per_day is used up (1 of 1), try again at 2026-01-15T00:00:00.000Z',
      );
    });

    it('452 4.7.1 while sending is paused, until when it goes on', async () => {
      const { t } = suite;
      const ada = await createAgent(t);
      const day = t.clock.now() - (t.clock.now() % DAY_MS);
      await t.sql(
        'insert into sending_days (account_id, day, sent, bad) values (?, ?, 1000, 1000)',
        ada.accountId,
        day,
      );
      const program = await programOf(suite, ada);
      assert.match(
        await program.send(['bob@out.example'], program.letter()),
        /^452 4\.7\.1 The limit bounced_percent is used up .*try again at 2026-/,
      );
      assert.deepEqual(await outbox(ada), []);
    });

    it('452 4.2.2 when the own storage is full', async () => {
      const ada = await createAgent(suite.t);
      const program = await programOf(suite, ada);
      const lines = `${'x'.repeat(998)}\r\n`.repeat(1000);
      const file = `--b\r\nContent-Type: application/octet-stream\r\n\r\n${lines.repeat(4)}`;
      const mixed = { 'MIME-Version': '1.0', 'Content-Type': 'multipart/mixed; boundary=b' };
      assert.match(await program.send(['bob@out.example'], program.letter(mixed, `${file}\r\n--b--`)), /^452 4\.2\.2 /);
    });
  },
);

onEngines('any', 'a mail of 25 MiB that a program hands over', {}, (suite) => {
  it('is taken and leaves with every byte; one byte more is 552 5.3.4', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const program = await programOf(suite, ada);
    const mixed = { 'MIME-Version': '1.0', 'Content-Type': 'multipart/mixed; boundary=b' };
    const head = program.letter(
      mixed,
      '--b\r\n\r\nSee the file.\r\n--b\r\nContent-Type: application/octet-stream\r\nContent-Transfer-Encoding: base64\r\n',
    );
    const end = '--b--\r\n';
    const room = 26_214_400 - head.length - end.length;
    const lines = Buffer.alloc(room - (room % 78), `${'QUJD'.repeat(19)}\r\n`);
    const pad = `${'A'.repeat(Math.max((room % 78) - 2, 0))}\r\n`;
    const raw = Buffer.concat([Buffer.from(head), lines, Buffer.from(room % 78 < 2 ? '' : pad), Buffer.from(end)]);
    const padding = 26_214_400 - raw.length;
    const whole = Buffer.concat([raw.subarray(0, raw.length - 2), Buffer.alloc(padding, ' '), Buffer.from('\r\n')]);
    assert.equal(whole.length, 26_214_400);
    assert.match(await program.send(['bob@out.example'], whole), /^250 2\.0\.0 /);
    const [mail = ''] = await leftWith(t, 'See the file.');
    assert.ok(Buffer.from(mail).subarray(-whole.length).equals(whole));
    const more = Buffer.concat([whole.subarray(0, whole.length - 2), Buffer.from(' \r\n')]);
    assert.match(await program.send(['bob@out.example'], more), /^552 5\.3\.4 /);
    assert.equal((await outbox(ada)).length, 1);
  });
});

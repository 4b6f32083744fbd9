import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { freshDatabase } from '../support/harness.ts';
import { type DkimRecord, missingForDkimpy, passesDkimpy, passesMailauth } from './dkim-verifiers.ts';
import { missingForOpenSmtpd, type OpenSmtpd, startOpenSmtpd } from './opensmtpd.ts';
import { type OutsideWorld, startOutsideWorld } from './outside-world.ts';
import { ROOMY_LIMITS, type Service, startService } from './service.ts';

/** Runs swaks. Rejects with its output if the mail was refused. */
async function swaks(port: number, args: readonly string[]): Promise<void> {
  const child = spawn('swaks', ['--server', `127.0.0.1:${port}`, '--suppress-data', ...args]);
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (printed += text));
  const code = await new Promise((resolve, reject) => void child.once('error', reject).once('close', resolve));
  if (code !== 0) throw new Error(`swaks ended with ${code}:\n${printed}`);
}

const hasSwaks = await swaks(1, ['--version']).then(
  () => null,
  () => 'swaks is not installed',
);
const missing = missingForOpenSmtpd() ?? missingForDkimpy() ?? hasSwaks;

const dir = mkdtempSync(join(tmpdir(), 'signet-conversation-'));
after(() => rmSync(dir, { recursive: true }));

/** A signing key in a file, and its DNS record. */
function makeDkimKey(): { env: Record<string, string>; record: DkimRecord } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const path = join(dir, 'dkim.pem');
  writeFileSync(path, privateKey);
  return {
    env: { DKIM_KEY: path, DKIM_SELECTOR: 'k1' },
    record: { name: 'k1._domainkey.agents.localhost', text: `v=DKIM1; k=rsa; p=${publicKey.toString('base64')}` },
  };
}

/** An ordinary client that talks to a server like another server. */
async function nodemailer(port: number, mail: SendMailOptions): Promise<void> {
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
  await transport.sendMail(mail).finally(() => transport.close());
}

interface Full {
  from: string;
  body: string;
  html: string;
  reply_text: string;
  size: number;
  attachments: { filename: string; size: number; url: string }[];
}
interface Listed {
  message_id: string;
  thread_id: string;
  subject: string;
}

describe('a conversation through OpenSMTPD', { skip: missing ?? false }, () => {
  const { env: dkimEnv, record } = makeDkimKey();
  let service: Service;
  let relay: OpenSmtpd;
  let world: OutsideWorld;
  let drop: () => Promise<void>;
  let key: string;
  let agent: ReturnType<Service['api']>;

  before(async () => {
    const database = await freshDatabase('sqlite');
    drop = database.drop;
    world = await startOutsideWorld();
    const port = await freePort();
    const settings = { SMTP_RELAY_URL: `smtp://127.0.0.1:${port}`, LIMITS: ROOMY_LIMITS, ...dkimEnv };
    service = await startService({ ...database.env, ...settings });
    relay = await startOpenSmtpd({ port, mailDomain: 'agents.localhost', home: service.smtpPort, world: world.port });
    key = (await service.api().post('/v1/auth/keys')).body.api_key;
    agent = service.api(key);
    await agent.post('/v1/email/claim', { address: 'ada' });
  });
  after(async () => {
    await relay?.stop();
    await service?.kill('SIGKILL');
    await world?.close();
    await drop?.();
  });

  async function send(mail: Record<string, unknown>) {
    const { status, body, text } = await agent.post('/v1/email/send', { from: 'ada', ...mail });
    assert.equal(status, 201, text);
    return body as { id: string; thread_id: string; rfc_message_id: string };
  }
  /** Waits for a message with this subject. */
  const received = (subject: string): Promise<Listed> =>
    eventually(
      async () => {
        const { messages } = (await agent.get('/v1/email/inbox?address=ada')).body;
        return messages.find((message: Listed) => message.subject === subject) ?? assert.fail(relay.log());
      },
      `mail ${JSON.stringify(subject)}`,
    );
  const read = async ({ message_id }: Listed): Promise<Full> =>
    (await agent.get(`/v1/email/messages/${message_id}?address=ada`)).body;

  it('a mail with text, HTML and a file arrives outside; two verifiers accept its signature, and refuse a changed mail', async () => {
    const file = { filename: 'größe.bin', content: randomBytes(100_000).toString('base64') };
    const html = '<p>Grüße — <b>ada</b></p>';
    const sent = await send({
      to: 'bob@out.example',
      subject: 'Größe & Maß',
      text: 'Grüße\n.\n..\nada',
      html,
      attachments: [file],
    });
    const { raw, from, header } = await world.mailTo('bob@out.example');
    assert.match(from, /^bounce\+[0-9a-z]{52}@agents\.localhost$/);
    assert.equal(header('Message-ID'), sent.rfc_message_id);
    assert.match(header('Received') ?? '', /relay\.example/);
    assert.equal(passesDkimpy(raw, record), true);
    assert.equal(await passesMailauth(raw, record), true);
    const changed = Buffer.from(
      raw
        .toString('latin1')
        .replace('<p>', '<P>')
        .replace(/(\r\nSubject: .*)/, '$1x'),
      'latin1',
    );
    assert.equal(passesDkimpy(changed, record), false);
    assert.equal(await passesMailauth(changed, record), false);
  });

  it('a reply by swaks, one by nodemailer, and the agent’s own reply are one thread', async () => {
    const sent = await send({ to: 'carol@out.example', subject: 'Lunch?', text: 'At noon?' });
    const { header } = await world.mailTo('carol@out.example');
    const id = header('Message-ID') as string;
    assert.equal(id, sent.rfc_message_id);
    const answer = ['--h-In-Reply-To', id, '--h-References', id, '--h-Subject', 'Re: Lunch?', '--body', 'Yes.'];
    await swaks(service.smtpPort, ['--from', 'carol@out.example', '--to', 'ada@agents.localhost', ...answer]);
    assert.equal((await received('Re: Lunch?')).thread_id, sent.thread_id);

    const messageId = '<two@out.example>';
    const from = 'carol@out.example';
    const text = 'At one?\n\n> At noon?\n';
    const second = {
      from,
      to: 'ada@agents.localhost',
      subject: 'Re: Lunch? One!',
      text,
      inReplyTo: id,
      references: id,
    };
    await nodemailer(service.smtpPort, { ...second, messageId });
    const arrived = await received('Re: Lunch? One!');
    assert.equal(arrived.thread_id, sent.thread_id);
    assert.equal((await read(arrived)).reply_text.trim(), 'At one?');

    const last = {
      to: 'carol2@out.example',
      subject: 'Re: Lunch? One!',
      text: 'Fine.',
      in_reply_to: arrived.message_id,
    };
    assert.equal((await send(last)).thread_id, sent.thread_id);
    const outside = await world.mailTo('carol2@out.example');
    assert.equal(outside.header('In-Reply-To'), messageId);
    assert.equal(outside.header('References'), `${id} ${messageId}`);
    assert.equal(passesDkimpy(outside.raw, record), true);
  });

  it('a bounce from the relay marks the mail as failed, with the relay’s error, and puts no mail into the inbox', async () => {
    const { id } = await send({ to: 'nobody@out.example', subject: 'Anybody?', text: 'Hello?' });
    const failed = await eventually(async () => {
      const [entry] = (await agent.get('/v1/email/outbox?limit=1')).body.messages;
      return entry.status === 'failed' ? entry : assert.fail(relay.log());
    }, 'a bounce');
    assert.equal(failed.id, id);
    assert.match(failed.error, /5\.1\.1 no such user/);
    assert.equal(failed.recipients[0].status, 'failed');
    const { messages } = (await agent.get('/v1/email/inbox?address=ada&limit=100')).body;
    assert.ok(messages.every(({ subject }: Listed) => !/deliver/i.test(subject)));
  });

  const TO = ['--from', 'bob@out.example', '--to', 'ada@agents.localhost'];
  const swaksMails: [what: string, args: string[], subject: string, check: (mail: Full) => void][] = [
    ['plain text', ['--body', 'Just text.'], 'swaks plain', ({ body }) => assert.match(body, /^Just text\./)],
    [
      'multipart/alternative',
      [
        '--attach-type',
        'text/plain',
        '--attach-body',
        'plain',
        '--attach-type',
        'text/html',
        '--attach-body',
        '<b>rich</b>',
      ],
      'swaks alternative',
      ({ body, html }) => assert.ok(/plain/.test(body) && /<b>rich<\/b>/.test(html)),
    ],
    [
      'an attachment',
      ['--body', 'See file.', '--attach-name', 'a.bin', '--attach', '@/bin/true'],
      'swaks attachment',
      ({ attachments }) => assert.equal(attachments[0]?.filename, 'a.bin'),
    ],
    ['a subject of RFC 2047', ['--body', 'x'], '=?UTF-8?Q?Gr=C3=BC=C3=9Fe?= swaks', () => {}],
    ['a subject in bare UTF-8', ['--body', 'x'], 'Grüße bare swaks', () => {}],
  ];
  for (const [what, args, subject, check] of swaksMails)
    it(`swaks delivers ${what}`, async () => {
      await swaks(service.smtpPort, [...TO, '--h-Subject', subject, ...args]);
      check(await read(await received(subject.replace('=?UTF-8?Q?Gr=C3=BC=C3=9Fe?=', 'Grüße'))));
    });

  const file = { filename: 'données.bin', content: randomBytes(1000) };
  const clientMails: [what: string, mail: SendMailOptions][] = [
    ['plain text', { text: 'Just text.' }],
    ['multipart/alternative and an attachment', { text: 'plain', html: '<b>rich</b>', attachments: [file] }],
    ['a subject that RFC 2047 encodes', { subject: 'Übergrößenträger aus Nirgendwo, 漢字', text: 'x' }],
    ['a sender that needs SMTPUTF8', { from: 'jörg@out.example', subject: 'Jörgs Gruß', text: 'x' }],
  ];
  for (const [what, mail] of clientMails)
    it(`nodemailer delivers ${what}`, async () => {
      const subject = String(mail.subject ?? `nodemailer: ${what}`);
      await nodemailer(service.smtpPort, { from: 'bob@out.example', to: 'ada@agents.localhost', subject, ...mail });
      const got = await read(await received(subject));
      assert.equal(got.body.trim(), mail.text);
      assert.equal(got.from, mail.from ?? 'bob@out.example');
      if (mail.html) assert.equal(got.html.trim(), mail.html);
      if (mail.attachments)
        assert.deepEqual([got.attachments[0]?.filename, got.attachments[0]?.size], [file.filename, 1000]);
    });

  it('a mail of 20 MB by swaks and one by nodemailer arrive byte for byte', async () => {
    const content = randomBytes(14_600_000);
    const path = join(dir, 'large.bin');
    writeFileSync(path, content);
    const attach = ['--attach-type', 'application/octet-stream', '--attach-name', 'large.bin', '--attach', `@${path}`];
    await swaks(service.smtpPort, [...TO, '--h-Subject', 'large swaks', '--body', 'x', ...attach]);
    const attachments = [{ filename: 'large.bin', content }];
    await nodemailer(service.smtpPort, {
      from: 'bob@out.example',
      to: 'ada@agents.localhost',
      subject: 'large nodemailer',
      attachments,
    });
    for (const subject of ['large swaks', 'large nodemailer']) {
      const got = await read(await received(subject));
      assert.ok(got.size > 19_700_000, `${got.size}`);
      const { url = '' } = got.attachments.at(-1) ?? {};
      const response = await fetch(`${service.baseUrl}${url}`, { headers: { authorization: `Bearer ${key}` } });
      assert.ok(Buffer.from(await response.arrayBuffer()).equals(content), subject);
    }
  });
});

if (missing) console.error(`WARNING: SKIPPED the conversation with a real relay: ${missing}`);

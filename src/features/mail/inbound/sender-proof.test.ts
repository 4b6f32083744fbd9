import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, it } from 'node:test';
import { onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { MimeParser } from '../../../mail/reading/mime-parser.ts';
import { createSenderAuth, type SenderAuth } from '../../../mail/sender-auth/sender-auth-check.ts';
import { receivedHeader } from '../../../mail/smtp-in/smtp-trace.ts';
import { freeUnparsed } from '../mailboxes/content/mail-content.ts';
import { createArrivals } from '../mailboxes/pending-parses.ts';
import { Intake, QuotaExceededError } from './intake.ts';
import { ParsingMemory } from './parsing-memory.ts';

const TXT: Record<string, string> = {
  'example.com': 'v=spf1 ip4:203.0.113.9 ip4:198.18.0.9 -all',
  '_dmarc.example.com': 'v=DMARC1; p=reject',
};
const senderAuth = createSenderAuth({
  // How long a check may take is not what is tested here.
  deadlineMs: 60_000,
  resolve: async (name, type) => {
    const text = type === 'TXT' ? TXT[name] : undefined;
    if (text === undefined) throw Object.assign(new Error(name), { code: 'ENOTFOUND' });
    return [[text]];
  },
});
const parser = new MimeParser({ deadlineMs: 60_000 });
after(() => parser.close());

/** A second intake over the same database, with its own DNS. */
function intakeOf(t: TestApp, authenticate: SenderAuth = senderAuth, instanceId = 'ins_other') {
  const { provided } = t.app;
  return new Intake({
    ...provided,
    mailDomain: provided.config.mailDomain,
    postmasterMail: null,
    instance: { id: instanceId },
    appendEvents: provided.events.appendAll,
    enqueueJob: provided.jobs.enqueue,
    arrivals: createArrivals(),
    parser,
    authenticate,
    memory: new ParsingMemory(),
    onFault: () => {},
  });
}

let names = 0;
async function receive(
  t: TestApp,
  remoteAddress: string,
  claim: Record<string, string> = {},
  from = 'ada@example.com',
) {
  const { api } = await t.createAccount();
  const { address } = (await api.post('/v1/email/claim', { address: `proof-${names++}`, ...claim })).body;
  const trace = { helo: 'mx.example.com', remoteAddress, hostname: 'agents.localhost', esmtp: true, tls: false };
  const header = receivedHeader({ ...trace, smtpUtf8: false, id: 'x.1', recipients: [address], date: new Date(0) });
  const text = `From: ${from}\r\nTo: ${address}\r\nSubject: proof\r\n\r\nhello\r\n`;
  const mail = {
    envelopeFrom: 'ada@example.com',
    recipients: [address],
    network: remoteAddress,
    raw: Buffer.concat([header, Buffer.from(text)]),
  };
  const auth = async () => (await api.get(`/v1/email/inbox?address=${address}`)).body.messages[0].auth;
  return { mail, auth };
}

const PROVEN = { method: 'smtp', spf: 'pass', dkim: 'none', dmarc: 'pass', verified_from: true };
const FORGED = { method: 'smtp', spf: 'fail', dkim: 'none', dmarc: 'fail', verified_from: false };

/** So little that a sender reaches its share. */
const LIMITS = { limits: { free: { storage_bytes: 400_000 } } };

onEngines('any', 'auth of an external mail', LIMITS, (suite) => {
  it('is the result of SPF, DKIM and DMARC, and the From address is verified if one of them proves it', async () => {
    const { t } = suite;
    for (const [ip, expected] of [
      ['203.0.113.9', PROVEN],
      ['198.51.100.7', FORGED],
    ] as const) {
      const { mail, auth } = await receive(t, ip);
      const intake = intakeOf(t);
      assert.equal(await intake.accept(mail), 1);
      await intake.idle();
      assert.deepEqual(await auth(), expected);
    }
  });

  it('is stored with an encrypted mail too', async () => {
    const { t } = suite;
    const { x } = generateKeyPairSync('x25519').publicKey.export({ format: 'jwk' });
    const { mail, auth } = await receive(t, '203.0.113.9', { public_key: x as string });
    await intakeOf(t).accept(mail);
    assert.deepEqual(await auth(), PROVEN);
  });

  it('does not verify a From address other than the proven one', async () => {
    const { t } = suite;
    const { mail, auth } = await receive(t, '203.0.113.9', {}, 'boss@bank.example');
    const intake = intakeOf(t);
    await intake.accept(mail);
    await intake.idle();
    assert.deepEqual(await auth(), { method: 'smtp', spf: 'pass', dkim: 'none', dmarc: 'none', verified_from: false });
  });

  it('has the result `none` for a client on the same machine', async () => {
    const { t } = suite;
    const { api } = await t.createAccount();
    const { address } = (await api.post('/v1/email/claim', { address: `proof-${names++}` })).body;
    await t.sendSmtp({ to: address, subject: 'local' });
    const [{ auth }] = (await api.get(`/v1/email/inbox?address=${address}`)).body.messages;
    assert.deepEqual(auth, { method: 'smtp', spf: 'none', dkim: 'none', dmarc: 'none', verified_from: false });
  });
});

onEngines('both', 'auth of an external mail: what the database decides', LIMITS, (suite) => {
  it('is computed from the stored mail after a crash', async () => {
    const { t } = suite;
    const { mail, auth } = await receive(t, '203.0.113.9');
    const dying = intakeOf(t, () => Promise.reject(new Error('killed')), 'ins_dying');
    await dying.accept(mail);
    await dying.idle();
    const next = intakeOf(t);
    await next.recover();
    await t.app.database.transaction((tx) => freeUnparsed(tx, 'ins_dying'));
    await next.recover();
    await next.idle();
    assert.deepEqual(await auth(), PROVEN);
  });
});

onEngines('both', 'the share of a sender', LIMITS, (suite) => {
  it('is that of its proven domain, over all networks; a forged name takes nothing from it', async () => {
    const { t } = suite;
    const { mail } = await receive(t, '203.0.113.9');
    const from = (remoteAddress: string) => {
      const raw = Buffer.concat([mail.raw.subarray(0, -2), Buffer.from(`${'x'.repeat(70)}\r\n`.repeat(400))]);
      const text = raw.toString('latin1').replaceAll('203.0.113.9', remoteAddress);
      return { ...mail, network: remoteAddress, raw: Buffer.from(text, 'latin1') };
    };
    const intake = intakeOf(t);
    for (const ip of ['203.0.113.9', '198.18.0.9', '203.0.113.9']) {
      assert.equal(await intake.accept(from(ip)), 1);
      await intake.idle();
    }
    for (const ip of ['198.18.0.9', '203.0.113.9'])
      await assert.rejects(
        intake.accept(from(ip)),
        (err) => err instanceof QuotaExceededError && err.reason === 'sender_share',
      );
    assert.equal(await intake.accept(from('198.51.100.7')), 1);
    await intake.idle();
  });
});

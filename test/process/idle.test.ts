import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { freshDatabase } from '../support/harness.ts';
import { Dialogue } from '../support/smtp-dialogue.ts';
import { ROOMY_LIMITS, type Service, startService } from './service.ts';
import { mailOf } from './smtp-session.ts';

const IDLE = 2000;
/** The service allows 20 connections per client. */
const FROM_ONE = 20;
const SLOW = 100;

let service: Service;
let drop: () => Promise<void>;
let key: string;
let address: string;

before(async () => {
  const database = await freshDatabase('sqlite');
  drop = database.drop;
  service = await startService({ ...database.env, LIMITS: ROOMY_LIMITS });
  key = (await service.api().post('/v1/auth/keys')).body.api_key;
  address = (await service.api(key).post('/v1/email/claim', { address: 'busy' })).body.address;
});
after(async () => {
  await service.kill('SIGKILL');
  await drop();
});

/** The address of the nth of many clients. */
const client = (network: number, n: number): string => `127.${network}.${(n >> 8) & 255}.${(n & 255) + 1}`;

async function deliver(subject: string): Promise<number> {
  const dialogue = await Dialogue.open(service.smtpPort);
  assert.equal(await dialogue.begin('ada@example.com', address), 354, subject);
  dialogue.send(`${mailOf(subject, address)}\r\n.\r\n`);
  const { code } = await dialogue.reply();
  dialogue.close();
  return code;
}

const total = async (): Promise<number> => (await service.api(key).get(`/v1/inbox/${address}`)).body.total;
/** On a busy machine a mail is read after its 250. */
const untilTotal = (count: number) => eventually(async () => (await total()) === count, `${count} mails`);

describe('connections that do not block others', () => {
  it(`${IDLE} idle ones: the service still accepts mail, and the API replies`, async () => {
    const idle: Dialogue[] = [];
    for (let n = 0; n < IDLE; n += FROM_ONE) {
      const opened = Array.from({ length: FROM_ONE }, () => Dialogue.open(service.smtpPort, client(1, n / FROM_ONE)));
      idle.push(...(await Promise.all(opened)));
    }
    assert.equal(idle.length, IDLE);
    assert.equal(await deliver('beside the idle'), 250);
    await untilTotal(1);
    for (const dialogue of idle) dialogue.close();
  });

  it(`${SLOW} that send a message byte by byte: others deliver meanwhile, and the slow ones succeed too`, async () => {
    const slow = await Promise.all(
      Array.from({ length: SLOW }, (_, n) => Dialogue.open(service.smtpPort, client(2, n))),
    );
    const codes = await Promise.all(slow.map((dialogue) => dialogue.begin('slow@example.com', address)));
    assert.deepEqual(new Set(codes), new Set([354]));
    const before = await total();
    for (const byte of 'Subject: slow') for (const dialogue of slow) dialogue.send(byte);
    for (let n = 0; n < 5; n += 1) {
      for (const dialogue of slow) dialogue.send('x');
      assert.equal(await deliver(`beside the slow ${n}`), 250);
    }
    await untilTotal(before + 5);
    for (const dialogue of slow) dialogue.send('\r\n\r\nx\r\n.\r\n');
    const answers = await Promise.all(slow.map((dialogue) => dialogue.reply()));
    assert.deepEqual(new Set(answers.map(({ code }) => code)), new Set([250]));
    for (const dialogue of slow) dialogue.close();
    await untilTotal(before + 5 + SLOW);
  });
});

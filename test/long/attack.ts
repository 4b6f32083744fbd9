/**
 * Attacks a service on this machine until it is killed, from many loopback addresses:
 *
 *     node test/long/attack.ts HTTP_PORT SMTP_PORT CONNECTIONS KEY ADDRESS ADDRESS...
 *
 * KEY and the ADDRESSes are of an account of the attacker's own. Prints what it did when it gets SIGTERM. `ATTACKS` names the
 * ones to run, to find out which costs what: `connections,json,recipients,mail,two,many,one,calendar,large`.
 */
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { HOSTILE_MAILS } from '../corpus/hostile-mails.ts';
import { Dialogue } from '../support/smtp-dialogue.ts';

const [http = '', smtp = '', connections = '', key = '', address = '', ...others] = process.argv.slice(2);
const [httpPort, smtpPort] = [Number(http), Number(smtp)];
const domain = address.split('@')[1] as string;
const done: Record<string, number> = {};
const attacks = process.env.ATTACKS?.split(',');
type Attack = 'connections' | 'json' | 'recipients' | 'mail' | 'two' | 'many' | 'one' | 'calendar' | 'large';
const isOn = (attack: Attack): boolean => attacks?.includes(attack) ?? true;
const count = (what: string): void => {
  done[what] = (done[what] ?? 0) + 1;
};
const network = (n: number): string => `127.${1 + (n % 30)}.0.1`;

process.on('uncaughtException', () => count('broken'));
process.on('SIGTERM', () => {
  process.stdout.write(`${JSON.stringify(done)}\n`, () => process.exit(0));
});

/** Keeps a connection open that sends a byte each two seconds. */
function dribble(n: number, head: string): void {
  const socket = net.connect({ port: httpPort, host: '127.0.0.1', localAddress: network(n) });
  count('connections');
  const timer = setInterval(() => socket.write('x'), 2000);
  socket
    .on('error', () => {})
    .on('close', () => {
      clearInterval(timer);
      setTimeout(dribble, 500, n, head);
    });
  socket.resume().write(head);
}

const HALF_BODY =
  'POST /v1/register HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n{';
for (let n = 0; isOn('connections') && n < Number(connections); n++)
  dribble(n, n % 10 === 0 ? HALF_BODY : 'GET /health HTTP/1.1\r\nHost: x\r\nX-A: ');

async function forever(work: (n: number) => Promise<void>): Promise<void> {
  for (let n = 0; ; n++) {
    await work(n).catch(() => count('refused'));
    await sleep(1);
  }
}

const wide = (bytes: number): string => `[${'[],'.repeat(Math.floor(bytes / 3) - 1)}[]]`;
const [small, large] = [wide(16_000), wide(1_000_000)];
const post = async (path: string, body: string, authorization?: string): Promise<void> => {
  const headers = { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) };
  const reply = await fetch(`http://127.0.0.1:${httpPort}${path}`, { method: 'POST', body, headers });
  await reply.arrayBuffer();
  count(`${path} ${reply.status}`);
};
for (let n = 0; isOn('json') && n < 4; n++) {
  void forever(() => post('/v1/register', small));
  void forever(() => post('/v1/observations', large, `Bearer ${key}`));
}

for (let n = 0; isOn('recipients') && n < 20; n++)
  void forever(async (i) => {
    const client = await Dialogue.open(smtpPort, network(n));
    try {
      await client.say('EHLO guess');
      await client.say('MAIL FROM:<eve@out.example>');
      for (let guess = 0; guess < 30; guess++) {
        const code = await client.say(`RCPT TO:<name-${n}-${i}-${guess}@${domain}>`);
        count(`RCPT ${code}`);
        if (code === 421 || code === 0) return;
      }
    } finally {
      client.close();
    }
  });

/** Sends mail without end over four sessions at a time. */
function flood(attack: Attack, mailOf: (n: number, i: number) => { from: string; to: string; raw: string }): void {
  for (let n = 0; isOn(attack) && n < 4; n++)
    void forever(async (i) => {
      const { from, to, raw } = mailOf(n, i);
      const client = await Dialogue.open(smtpPort, from);
      try {
        if ((await client.begin('eve@out.example', to)) !== 354) return;
        client.send(Buffer.from(`\r\n${raw}`.replaceAll('\r\n.', '\r\n..').slice(2), 'latin1'));
        client.send('\r\n.\r\n');
        count(`${attack} ${(await client.reply()).code}`);
      } finally {
        client.close();
      }
    });
}

const bombs = HOSTILE_MAILS.map(({ raw }) => raw());
flood('mail', (n, i) => ({ from: network(n + 10), to: address, raw: bombs[(i + n) % bombs.length] as string }));

const all = [address, ...others];
const HEAD = 'From: Eve <eve@out.example>\r\nSubject: hi\r\nMIME-Version: 1.0\r\n';
const nested = `${HEAD}Content-Type: text/html\r\n\r\n${`${'<p><b><i><u>'.repeat(75)}\r\n`.repeat(1100)}`;
// Each from one network: to two addresses, to many, and to one.
flood('two', (n) => ({ from: '127.60.0.1', to: all[n % 2] as string, raw: nested }));
flood('many', (n, i) => ({ from: '127.61.0.1', to: all[(n + 4 * i) % all.length] as string, raw: nested }));
flood('one', () => ({ from: '127.62.0.1', to: address, raw: nested }));

const zone = ['BEGIN:VTIMEZONE', 'TZID:Home', 'BEGIN:STANDARD', 'DTSTART:19700101T000000', 'TZOFFSETFROM:+0200'];
const rules = ['TZOFFSETTO:+0100', 'RRULE:FREQ=SECONDLY', 'END:STANDARD', 'END:VTIMEZONE'];
const event = ['DTSTART;TZID=Home:20300114T090000', 'SUMMARY:Tea', 'ORGANIZER:mailto:eve@out.example', 'END:VEVENT'];
const invitation = (uid: string): string => {
  const calendar = ['BEGIN:VCALENDAR', 'METHOD:REQUEST', ...zone, ...rules, 'BEGIN:VEVENT', `UID:${uid}`, ...event];
  const part = `--b\r\nContent-Type: text/calendar; method=REQUEST\r\n\r\n${calendar.join('\r\n')}\r\nEND:VCALENDAR`;
  return `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n${part}\r\n--b--\r\n`;
};
flood('calendar', (n, i) => ({ from: network(n), to: all[i % all.length] as string, raw: invitation(`${n}-${i}`) }));

// 24 MB in lines of three bytes, from one network.
const lines = isOn('large') ? `${HEAD}\r\n${'x\r\n'.repeat(8_000_000)}` : '';
flood('large', (n, i) => ({ from: '127.63.0.1', to: all[(n + 4 * i) % all.length] as string, raw: lines }));

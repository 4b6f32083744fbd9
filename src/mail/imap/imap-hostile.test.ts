/** What a client with a login may cost others. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { eventually } from '../../../test/support/eventually.ts';
import { ImapDialogue, startTestImap, type TestImap } from '../../../test/support/imap-dialogue.ts';
import type { ImapListenerOptions } from './imap-listener.ts';

const open: TestImap[] = [];
after(() => Promise.all(open.map((listener) => listener.close(0))));

/** A client that has selected INBOX with these mails. */
async function selected(mails: readonly string[], options?: Partial<ImapListenerOptions>) {
  const listener = await startTestImap(options);
  open.push(listener);
  for (const mail of mails) listener.service.mailbox.add('INBOX', mail);
  const client = await ImapDialogue.loggedIn(listener.port);
  await client.say('SELECT INBOX');
  return { listener, client, mailbox: listener.service.mailbox };
}

const many = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));
const repeated = (item: string, count = 100): string => many(count, () => item).join(' ');

describe('imap session: hostile clients with a login', () => {
  it('others are served while a command asks for many pieces of a mail', async () => {
    const header = many(30_000, (n) => `X-${n}: y\r\n`).join('');
    const { client, listener } = await selected([`${header}\r\nhello`]);
    const bystander = await ImapDialogue.loggedIn(listener.port);
    const done: string[] = [];
    const pieces = client
      .say(`FETCH 1 (${repeated('BODY.PEEK[HEADER.FIELDS.NOT (A)]<0.1>')})`)
      .then(() => done.push('pieces'));
    const noop = bystander.say('NOOP').then(() => done.push('noop'));
    await Promise.all([pieces, noop]);
    assert.deepEqual(done, ['noop', 'pieces']);
    for (const each of [client, bystander]) each.close();
  });

  it('what a client does not read is not made ahead', async () => {
    const mail = `X: ${'y'.repeat(7900)}\r\n\r\nhello`;
    const { client, listener, mailbox } = await selected(
      many(50, () => mail),
      { limits: { stallMs: 300 } },
    );
    client.socket.pause();
    client.send(`a FETCH 1:* (${repeated('BODY.PEEK[HEADER]')})\r\n`);
    await eventually(() => listener.sessions() === 0 && mailbox.closed > 0);
    assert.ok(mailbox.spent > 1_000_000 && mailbox.spent < 20_000_000, `${mailbox.spent} of 40000000 bytes`);
    client.close();
  });

  it('the bytes of the day end within a mail, after a whole response', async () => {
    const { client, mailbox } = await selected([`Subject: x\r\n\r\n${'y'.repeat(100_000)}`]);
    mailbox.spendMax = 250_000;
    client.send(`a FETCH 1 (${repeated('BODY.PEEK[TEXT]', 20)})\r\n`);
    const said = await client.rest();
    assert.match(said, /^\* 1 FETCH \(BODY\[TEXT\] \{100000\}\r\ny+ .*y\)\r\n\* BYE \[LIMIT\] .*\r\n$/s);
    assert.ok(said.length < 500_000, `${said.length}`);
  });

  it('repeats no more of a command that it does not read than a tag', async () => {
    const { client, listener } = await selected([]);
    for (const begin of ['', 'a', 'a\0', '\x07', 'é', '{5}', '"', '+', 'a'.repeat(200)]) {
      client.send(`${begin}{99999999}\r\n`);
      assert.equal(await client.until(/\n/), '* BAD Command too long\r\n', begin);
    }
    client.send('a.1 NOOP {99999999}\r\n');
    assert.equal(await client.until(/\n/), 'a.1 BAD Command too long\r\n');
    const other = await ImapDialogue.loggedIn(listener.port);
    other.send('a\0 NOOP {99999999+}\r\n');
    assert.match(await other.rest(), /^\* BAD A literal of more than 4096 bytes needs \{n\}\r\n\* BYE /);
    client.close();
  });

  it('NO [LIMIT] for a search with very many texts', async () => {
    const { client } = await selected(['Subject: x\r\n\r\nhello']);
    const search = (texts: number): string => `SEARCH ${repeated('SUBJECT x', texts)}`;
    assert.deepEqual(await client.say(search(200)), ['* SEARCH 1', 'OK SEARCH completed']);
    assert.deepEqual(await client.say(search(201)), ['NO [LIMIT] A search looks for at most 200 texts']);
    assert.match((await client.say(`SEARCH ${repeated('HEADER X-Y z', 201)}`)).join(), /^NO \[LIMIT\]/);
    client.close();
  });
});

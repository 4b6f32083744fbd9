import assert from 'node:assert/strict';
import { it } from 'node:test';
import { plantedMails } from '../../../../test/corpus/codes/planted.ts';
import { createAgent, type TestAgent } from '../../../../test/support/agents.ts';
import { onEngines, type TestApp, type TestMail } from '../../../../test/support/harness.ts';
import { generateMailKeys, messageOpener } from '../../../client/sealed-mail.ts';
import type { ImapPart } from '../../../mail/imap/imap-store.ts';
import { outlineOf } from '../../../mail/imap/mail-outline.ts';
import { decoded, fieldsOf, unfolded } from '../../../mail/imap/mail-outline-header.ts';
import { decodedPart, headerOf } from '../../../mail/imap/mail-section.ts';
import { draftsAmong } from '../drafts/draft.ts';
import { messagesByIds } from '../mailboxes/messages/message.ts';
import { sentByIds } from '../mailboxes/messages/sent.ts';
import { mailBytes } from './mail-bytes.ts';
import { readOutlines } from './mail-outlines.ts';
import type { ProgramItem } from './program-item.ts';

/** Messages, sent mails and drafts by their ids; those that went are missing. */
async function itemsOf({ app: { database } }: TestApp, ids: readonly string[]): Promise<ProgramItem[]> {
  const messages = (await messagesByIds(database, ids)).map((message) => ({ kind: 'message', message }) as const);
  const sent = (await sentByIds(database, ids)).map((entry) => ({ kind: 'sent', entry, keptBytes: null }) as const);
  const drafts = (await draftsAmong(database, ids)).map((draft) => ({ kind: 'draft', draft }) as const);
  return [
    ...messages.map((item) => ({ id: item.message.id, ...item })),
    ...sent.map((item) => ({ id: item.entry.id, ...item })),
    ...drafts.map((item) => ({ id: item.draft.id, ...item })),
  ];
}

/** Delivers mails. @returns their ids, in this order */
async function receive(t: TestApp, { api, address }: TestAgent, mails: readonly Omit<TestMail, 'to'>[]) {
  const ids: string[] = [];
  for (const mail of mails) {
    t.clock.advance(1000);
    await t.sendSmtp({ to: address, ...mail });
    await t.app.provided.intake.idle();
    const { messages } = (await api.get(`/v1/email/inbox?address=${address}&limit=1&wait=60`)).body;
    ids.push(messages[0].message_id);
  }
  return ids;
}

const leavesOf = (part: ImapPart): ImapPart[] =>
  part.message ? leavesOf(part.message.body) : part.parts.length > 0 ? part.parts.flatMap(leavesOf) : [part];

/** Everything that a program can read in a mail. */
function readable(bytes: Uint8Array): string {
  const all = Buffer.from(bytes);
  const header = fieldsOf(Buffer.from(headerOf(all))).map(({ value }) => decoded(unfolded(value)));
  const parts = leavesOf(outlineOf(all).body).map((part) => Buffer.from(decodedPart(all, part) ?? []).toString());
  return [all.toString('latin1'), ...header, ...parts].join('\n');
}

const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}\n]/gu, '')
    .toLowerCase();

async function bytesOf(t: TestApp, id: string, maySeeCodes: boolean) {
  const [item] = await itemsOf(t, [id]);
  const found = item && (await mailBytes(t.app.database, item, maySeeCodes));
  assert.ok(found);
  return found;
}

/** The bytes as a program sees them, after a check that its outline is of them, made and kept. */
async function seen(t: TestApp, id: string, maySeeCodes: boolean) {
  const found = await bytesOf(t, id, maySeeCodes);
  for (let i = 0; i < 2; i += 1) {
    const told = (await readOutlines(t.app.database, await itemsOf(t, [id]), maySeeCodes)).get(id);
    assert.deepEqual(told?.outline, outlineOf(found.bytes));
    assert.equal(told?.size, found.bytes.length);
    assert.deepEqual(Buffer.from(told?.header ?? []), Buffer.from(headerOf(found.bytes)));
  }
  assert.deepEqual(Buffer.from((await bytesOf(t, id, maySeeCodes)).bytes), Buffer.from(found.bytes), 'always the same');
  const text = Buffer.from(found.bytes).toString('latin1');
  assert.ok(!/(?<!\r)\n|\r(?!\n)/.test(text) || found.isAsCame, 'lines end with CRLF');
  return { ...found, text };
}

onEngines('both', 'the bytes that mail programs see', {}, (suite) => {
  it('a mail is as it came, for those who may see codes; without, if it has nothing to hide', async () => {
    const { t } = suite;
    const agent = await createAgent(t);
    const [letter = '', order = ''] = await receive(t, agent, [
      { subject: 'Lunch', text: 'Tomorrow at noon?' },
      { subject: 'Your code', text: 'Your code is 481922.' },
    ]);
    const raw = (await agent.api.get(`/v1/email/messages/${order}/raw?address=${agent.address}`)).text;
    const whole = await seen(t, order, true);
    assert.deepEqual([whole.isAsCame, whole.text], [true, raw]);
    const free = await seen(t, letter, false);
    assert.deepEqual([free.isAsCame, free.text.includes('Tomorrow at noon?')], [true, true]);
    const masked = await seen(t, order, false);
    assert.equal(masked.isAsCame, false);
    assert.match(masked.text, /^X-Signet-Masked: yes\r$/m);
    assert.ok(!readable(masked.bytes).includes('481922'));
    assert.match(readable(masked.bytes), /Your code is •••\./);
    const ours = (text: string) => fieldsOf(Buffer.from(text, 'latin1'), new Set(['from', 'to', 'date', 'message-id']));
    assert.deepEqual(
      new Map(ours(masked.text).map(({ name, value }) => [name, unfolded(value)])),
      new Map(ours(raw).map(({ name, value }) => [name, unfolded(value)])),
    );
  });

  it('no code of any mail leaks through its header, text, parts or outline', async () => {
    const { t } = suite;
    const agent = await createAgent(t);
    const hidden = (headers: Record<string, string>, raw?: string): Omit<TestMail, 'to'> & { secrets: string[] } => ({
      subject: 'Hello',
      text: 'Nothing to see.',
      headers,
      ...(raw === undefined ? {} : { raw }),
      secrets: ['6620418'],
    });
    const HEAD = 'From: a@harbor.example\r\nTo: b@harbor.example\r\nSubject: Hello\r\n';
    const planted = [
      ...plantedMails().map(({ sender, ...mail }) => ({
        ...mail,
        ...(sender === undefined
          ? {}
          : { raw: `From: "${sender}" <a@harbor.example>\r\nSubject: Hello\r\n\r\n${mail.text}` }),
      })),
      hidden({ 'X-Otp': '6620418' }),
      hidden({ Comments: '6 6 2 0 4 1 8' }),
      hidden({ Keywords: '=?utf-8?B?NjYyMDQxOA==?=' }),
      hidden({ 'List-Unsubscribe': '<https://harbor.example/6620418>' }),
      hidden({}, 'From: a@harbor.example\r\nTo: "6620418" <b@harbor.example>\r\nSubject: Hello\r\n\r\nx'),
      hidden({}, 'From: a@harbor.example\r\nTo: 6620418: b@harbor.example;\r\nSubject: Hello\r\n\r\nx'),
      hidden({}, 'From: a@harbor.example\r\nSender: 6620418 <b@harbor.example>\r\nSubject: Hello\r\n\r\nx'),
      hidden({}, `${HEAD}Date: Fri, 27 Nov 2026 00:03:59 +0000 (6620418)\r\n\r\nx`),
      hidden({}, `${HEAD}Cc: c@harbor.example (6620418)\r\n\r\nx`),
      hidden({}, `${HEAD}References: <a@b> 6620418\r\n\r\nx`),
      hidden({}, `${HEAD}Content-Type: text/plain; x=6620418\r\n\r\nx`),
      hidden({}, `${HEAD}Content-Type: text/plain\r\nContent-Type: text/plain; x=6620418\r\n\r\nx`),
      hidden({}, `${HEAD}Content-Type: text/plain; charset=utf-16le\r\n\r\nYour code: 6620418.`),
      hidden({}, `${HEAD}Content-Transfer-Encoding: base64\r\n\r\nYour code: 6620418.`),
      hidden({}, `${HEAD}Content-Transfer-Encoding: 6620418\r\n\r\nx`),
      hidden({}, `${HEAD}Your code: 6620418\r\nX-A: b\r\n\r\nx`),
      hidden({}, `${HEAD}Your code is 6620418\r\nX-A: b\r\n\r\nx`),
      hidden({ 'X-6620418': 'b' }),
      hidden({}, `${HEAD}Content-Type: text/plain; name="6620418.txt"\r\nContent-Disposition: inline\r\n\r\nx`),
      hidden({}, `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n6620418\r\n--b\r\n\r\nx\r\n--b--\r\n6620418`),
      hidden(
        {},
        `${HEAD}Content-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\n\r\nx\r\n--b\r\nContent-Type: a/b\r\n\r\n6620418\r\n--b--`,
      ),
    ];
    const ids = await receive(t, agent, planted);
    const outlines = await readOutlines(t.app.database, await itemsOf(t, ids), false);
    for (const [i, id] of ids.entries()) {
      const { bytes } = await bytesOf(t, id, false);
      const came = plain(readable((await bytesOf(t, id, true)).bytes));
      if (planted[i]?.secrets[0] === '6620418') assert.ok(came.includes('6620418'), `${i}`);
      const shown = plain(`${readable(bytes)}\n${JSON.stringify(outlines.get(id)?.outline)}`);
      const header = plain(Buffer.from(outlines.get(id)?.header ?? []).toString());
      for (const secret of planted[i]?.secrets ?? [])
        assert.ok(
          !shown.includes(plain(secret)) && !header.includes(plain(secret)),
          `${i} ${planted[i]?.subject} ${secret}`,
        );
      assert.equal(outlines.get(id)?.size, bytes.length);
    }
  });

  it('a sealed mail can be opened from each of its parts alone; without mail:codes, nothing of it is there', async () => {
    const { t } = suite;
    const keys = await generateMailKeys();
    const agent = await createAgent(t, { public_key: keys.publicKey });
    const attachments = [{ filename: 'plan.txt', content: 'the plan' }];
    const [id = ''] = await receive(t, agent, [
      { subject: 'Between us', text: 'The door code is 4711.', html: '<p>The door</p>', attachments },
    ]);
    const { bytes, isAsCame } = await seen(t, id, true);
    assert.equal(isAsCame, false);
    const { body, envelope } = outlineOf(bytes);
    assert.equal(envelope.subject, 'Between us');
    const [says, ...pieces] = body.parts;
    assert.equal(`${body.type}/${body.subtype} ${says?.type}/${says?.subtype}`, 'multipart/mixed text/plain');
    const opened: string[] = [];
    for (const piece of pieces) {
      assert.equal(`${piece.type}/${piece.subtype}`, 'application/vnd.signet.sealed');
      const param = (name: string): string => piece.params.find(([each]) => each === name)?.[1] ?? '';
      const header = fieldsOf(Buffer.from(bytes.subarray(piece.headerAt, piece.bodyAt)));
      const messageId = unfolded(header.find(({ name }) => name === 'x-signet-message-id')?.value ?? '');
      const opener = await messageOpener(
        {
          message_id: messageId,
          e2e_encrypted: true,
          ephemeral_public_key: param('epk'),
          encryption: { alg: param('alg'), key_id: param('key_id') },
        },
        keys,
      );
      opened.push(Buffer.from(await opener.open(decodedPart(bytes, piece) as Uint8Array)).toString());
    }
    assert.match(opened[0] ?? '', /^The door code is 4711\.\s*$/);
    assert.match(opened[1] ?? '', /^<p>The door<\/p>\s*$/);
    assert.match(opened[2] ?? '', /^Subject: Between us\r$/m);
    assert.equal(opened[3], 'the plan');
    const masked = await seen(t, id, false);
    assert.ok(!/vnd\.signet\.sealed|Between us|4711/.test(readable(masked.bytes)));
  });

  it('a sent mail without bytes, and a draft, as mails; masked without mail:codes', async () => {
    const { t } = suite;
    const agent = await createAgent(t);
    const mail = { from: agent.address, to: 'b@example.net', subject: 'Grüße', text: 'It says 9917726. 👋\n' };
    const { id } = (await agent.api.post('/v1/email/send', mail)).body;
    await t.outboxMails();
    const kept = await seen(t, id, true);
    assert.doesNotMatch(kept.text, /X-Signet-Generated/);
    assert.match(readable(kept.bytes), /It says 9917726\. 👋/u);
    // As an earlier version left it.
    await t.sql('delete from sent_contents where outbox_id = ?', id);
    await new Promise((resolve) => setImmediate(resolve));
    const whole = await seen(t, id, true);
    assert.match(whole.text, /^X-Signet-Generated: yes\r$/m);
    assert.equal(outlineOf(whole.bytes).envelope.subject, 'Grüße');
    assert.match(readable(whole.bytes), /It says 9917726\. 👋/u);
    assert.ok(!readable((await seen(t, id, false)).bytes).includes('9917726'));

    const attachments = [
      { filename: 'Übersicht 9917727.txt', content: Buffer.from('eins').toString('base64') },
      {
        filename: 'mail.eml',
        content_type: 'message/rfc822',
        content: Buffer.from('--=_signet_mixed').toString('base64'),
      },
    ];
    const draft = { ...mail, html: '<p>9917728</p>', bcc: ['c@example.net'], attachments };
    const { draft_id: draftId } = (await agent.api.post('/v1/email/drafts', draft)).body;
    const { bytes } = await seen(t, draftId, true);
    const { envelope, body } = outlineOf(bytes);
    assert.deepEqual([envelope.bcc[0]?.mailbox, envelope.to[0]?.mailbox], ['c', 'b']);
    const [texts, file] = body.parts;
    assert.deepEqual(
      texts?.parts.map(({ subtype }) => subtype),
      ['plain', 'html'],
    );
    assert.deepEqual(file?.disposition?.params, [['filename', 'Übersicht 9917727.txt']]);
    assert.equal(Buffer.from(decodedPart(bytes, file as ImapPart) ?? []).toString(), 'eins');
    const masked = readable((await seen(t, draftId, false)).bytes);
    assert.ok(!/991772/.test(masked) && masked.includes('•••'));
    await agent.api.patch(`/v1/email/drafts/${draftId}`, { text: 'another' });
    assert.ok(readable((await seen(t, draftId, true)).bytes).includes('another'));
  });

  it('outlines are kept once for all copies, made anew for another version, and go with the mail', async () => {
    const { t } = suite;
    const [ada, bob] = [await createAgent(t), await createAgent(t)];
    await t.sendSmtp({
      to: [ada.address, bob.address],
      subject: 'Hello',
      text: 'x',
      headers: { 'X-Long': 'y '.repeat(9000) },
    });
    await t.app.provided.intake.idle();
    const idOf = async ({ api, address }: TestAgent): Promise<string> =>
      (await api.get(`/v1/email/inbox?address=${address}&wait=60`)).body.messages[0].message_id;
    const [one, two] = [await idOf(ada), await idOf(bob)];
    const [content] = await t.sql('select content_id from messages where id = ?', one);
    const kept = () =>
      t.sql('select version, size_bytes, has_codes from mail_outlines where content_id = ?', content?.content_id);
    assert.deepEqual(await kept(), []);
    const told = await readOutlines(t.app.database, await itemsOf(t, [one, two, 'msg_none']), true);
    assert.deepEqual([...told.keys()].sort(), [one, two].sort());
    assert.equal(told.get(one)?.header, null, 'a long header is read with its mail');
    const [row] = await kept();
    await t.sql('update mail_outlines set version = 0, size_bytes = 1');
    const items = await itemsOf(t, [one]);
    const again = await readOutlines(t.app.database, items, true);
    assert.deepEqual([again.get(one), await kept()], [told.get(one), [row]]);
    for (const [{ api, address }, id] of [
      [ada, one],
      [bob, two],
    ] as const)
      assert.equal((await api.delete(`/v1/email/messages/${id}?address=${address}&permanent=true`)).status, 200);
    assert.deepEqual(await kept(), []);
    assert.equal(items[0] && (await mailBytes(t.app.database, items[0], true)), null);
    assert.equal((await readOutlines(t.app.database, items, true)).size, 0);
  });
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { confirmOperator, createAgent, openSession } from '../../../../test/support/agents.ts';
import { onEngines } from '../../../../test/support/harness.ts';
import { CONTENT, digest, FILE, held, left } from '../../../../test/support/large-mail.ts';
import { generateMailKeys, messageOpener } from '../../../client/sealed-mail.ts';

onEngines('any', 'a held mail of 20 MB', {}, (suite) => {
  it('shares its pieces with the readable copies that it is released to, and is sealed for others; every byte is there', async () => {
    const { t } = suite;
    const agent = await createAgent(t);
    const { api, address, key } = agent;
    await confirmOperator(t, agent, 'boss@example.org');
    const operator = await openSession(t, 'boss@example.org');
    await operator.put('/v1/email/policy', { outbound: { hold: 'always' } });
    const keys = await generateMailKeys();
    const eve = await createAgent(t, { public_key: keys.publicKey });
    const to = [address, eve.address, 'bob@out.example'];
    const letter = { from: address, to, subject: 'many bytes', text: 'See the file.' };
    const sent = await held(t, 'held', () =>
      api.post('/v1/email/send', { ...letter, attachments: [{ filename: 'many.bin', content: CONTENT }] }),
    );
    assert.equal(sent.status, 202, sent.text);
    const readable = () => t.sql('select content_id from messages where encryption is null and address = ?', address);
    assert.deepEqual(await readable(), []);
    const blobs = () => t.sql('select id from mail_blobs where purge_at is null order by id');
    const before = await blobs();
    const approved = await held(t, 'released', () =>
      operator.post(`/v1/email/reviews/${sent.body.review_id}/approve`, {}),
    );
    assert.equal(approved.status, 200, approved.text);
    assert.deepEqual(await blobs(), before);
    const [{ content_id: content }] = (await readable()) as [{ content_id: string }];
    const rows = await t.sql('select raw as bytes from mail_contents where id = ?', content);
    assert.deepEqual(
      rows.map(({ bytes }) => (bytes as Uint8Array).length),
      [0],
    );
    const mails = await held(t, 'handed over', () => t.outboxMails());
    const attached = mails
      .find((mail) => mail.includes('many.bin'))
      ?.split('\r\n\r\n')
      .at(-1)
      ?.split('\r\n--')[0];
    assert.equal(digest(Buffer.from(attached ?? '', 'base64')), digest(FILE));
    const [{ message_id: id }] = (await api.get(`/v1/email/inbox?address=${address}`)).body.messages;
    const url = `${t.baseUrl}/v1/email/messages/${id}`;
    const file = await fetch(`${url}/attachments/0?address=${address}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    assert.equal(digest(new Uint8Array(await file.arrayBuffer())), digest(FILE));
    const [sealed] = (await eve.api.get(`/v1/email/inbox?address=${eve.address}`)).body.messages;
    const at = `/v1/email/messages/${sealed.message_id}`;
    const opener = await messageOpener((await eve.api.get(`${at}?address=${eve.address}`)).body, keys);
    const ciphertext = await fetch(`${t.baseUrl}${at}/attachments/0?address=${eve.address}`, {
      headers: { authorization: `Bearer ${eve.key}` },
    });
    assert.equal(digest(await opener.open(new Uint8Array(await ciphertext.arrayBuffer()))), digest(FILE));
    assert.equal((await eve.api.delete(`${at}?address=${eve.address}&permanent=true`)).status, 200);
    assert.equal((await api.delete(`/v1/email/messages/${id}?address=${address}&permanent=true`)).status, 200);
    assert.equal(await left(t), 0);
  });
});

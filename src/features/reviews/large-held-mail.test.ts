import assert from 'node:assert/strict';
import { it } from 'node:test';
import { confirmOperator, createAgent, openSession } from '../../../test/support/agents.ts';
import { onBothDatabases } from '../../../test/support/harness.ts';
import { CONTENT, digest, FILE, held, left } from '../../../test/support/large-mail.ts';

onBothDatabases('a held mail of 20 MB', {}, (suite) => {
  it('shares its pieces with the copies that it is released to; every byte is there', async () => {
    const { t } = suite;
    const agent = await createAgent(t);
    const { api, address, key } = agent;
    await confirmOperator(t, agent, 'boss@example.org');
    const operator = await openSession(t, 'boss@example.org');
    await operator.put('/v1/email/policy', { outbound: { hold: 'always' } });
    const letter = { from: address, to: [address, 'bob@out.example'], subject: 'many bytes', text: 'See the file.' };
    const sent = await held(t, 'held', () =>
      api.post('/v1/email/send', { ...letter, attachments: [{ filename: 'many.bin', content: CONTENT }] }),
    );
    assert.equal(sent.status, 202, sent.text);
    const pieces = () => t.sql('select blob_id, n from mail_blob_pieces order by blob_id, n');
    const before = await pieces();
    const approved = await held(t, 'released', () =>
      operator.post(`/v1/email/reviews/${sent.body.review_id}/approve`, {}),
    );
    assert.equal(approved.status, 200, approved.text);
    assert.deepEqual(await pieces(), before);
    const rows = await t.sql('select raw as bytes from mail_contents union all select content from attachments');
    assert.ok(rows.every(({ bytes }) => (bytes as Uint8Array).length === 0));
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
    assert.equal((await api.delete(`/v1/email/messages/${id}?address=${address}&permanent=true`)).status, 200);
    assert.equal(await left(t), 0);
  });
});

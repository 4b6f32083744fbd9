import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createAgent } from '../../../../test/support/agents.ts';
import { onEngines } from '../../../../test/support/harness.ts';
import { CONTENT, digest, FILE, held } from '../../../../test/support/large-mail.ts';
import { HOUR_MS } from '../../../base/period.ts';

onEngines('any', 'a draft of 20 MB', {}, (suite) => {
  for (const isScheduled of [false, true])
    it(`is stored in pieces when it is sent ${isScheduled ? 'by its time' : 'now'}; every byte is there`, async () => {
      const { t } = suite;
      const { api, address, key } = await createAgent(t);
      const draft = {
        from: address,
        to: [address],
        subject: 'many bytes',
        text: 'See the file.',
        ...(isScheduled && { send_at: new Date(t.clock.now() + HOUR_MS).toISOString() }),
        attachments: [{ filename: 'many.bin', content: CONTENT }],
      };
      const written = await held(t, 'draft written', () => api.post('/v1/email/drafts', draft));
      assert.equal(written.status, 201, written.text);
      const before = (await t.sql('select id from mail_blobs where purge_at is null')).length;
      const send = async (): Promise<number> => {
        if (!isScheduled) return (await api.post(`/v1/email/drafts/${written.body.draft_id}/send`, {})).status;
        t.clock.advance(HOUR_MS + 1000);
        await t.outboxMails();
        return 201;
      };
      assert.equal(await held(t, 'draft sent', send), 201);
      const [{ message_id: id }] = (await api.get(`/v1/email/inbox?address=${address}`)).body.messages;
      const kept = await t.sql('select id from mail_blobs where purge_at is null');
      assert.equal(kept.length - before, 2);
      const rows = await t.sql('select raw as bytes from mail_contents union all select content from attachments');
      assert.ok(rows.every(({ bytes }) => (bytes as Uint8Array).length === 0));
      const url = `${t.baseUrl}/v1/email/messages/${id}/attachments/0?address=${address}`;
      const file = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
      assert.equal(digest(new Uint8Array(await file.arrayBuffer())), digest(FILE));
    });
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assertNothingHalfWritten } from '../../../../test/process/consistency.ts';
import { createAgent } from '../../../../test/support/agents.ts';
import { onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { approveMail, createHeldAgent, REVIEWS, sendTo } from '../../../../test/support/held-mail.ts';
import { mailBytes } from '../../../../test/support/mail-program.ts';

const PUBLIC_KEY = Buffer.alloc(32, 9).toString('base64url');

/** The bytes that are kept of a sent mail after it left; null for none. */
async function keptOf(t: TestApp, outboxId: string): Promise<string | null> {
  const [row] = await t.sql(
    'select c.raw from sent_contents s join mail_contents c on c.id = s.content_id where s.outbox_id = ?',
    outboxId,
  );
  return row ? Buffer.from(row.raw as Uint8Array).toString() : null;
}

onEngines('both', 'what is kept of sent mail', {}, (suite) => {
  it('is the mail as it was made, inside and outside, once; the API reads the text in it', async () => {
    const { t } = suite;
    const [ada, ben] = [await createAgent(t), await createAgent(t)];
    for (const to of [ben.address, 'x@out.example', [ben.address, 'x@out.example']]) {
      const before = await mailBytes(t, ada);
      const { id, rfc_message_id: rfcId } = (await sendTo(ada, to, { html: '<p>Dear <b>Bob</b></p>' })).body;
      const waiting = await mailBytes(t, ada);
      await t.outboxMails();
      assert.equal(await mailBytes(t, ada), waiting);
      const raw = (await keptOf(t, id)) ?? '';
      assert.equal(waiting - before, Buffer.byteLength(raw));
      assert.ok(raw.includes(`Message-ID: ${rfcId}`) && raw.includes('<b>Bob</b>'));
      assert.equal((await ada.api.get(`/v1/email/outbox/${id}`)).body.text, 'Dear Bob');
    }
    await mailBytes(t, ben);
    await assertNothingHalfWritten(t.config);
  });

  it('of held mail is what was approved; what was rejected or withdrawn is gone', async () => {
    const { t } = suite;
    const [ada, ben] = [await createHeldAgent(t), await createAgent(t)];
    const before = await mailBytes(t, ada);
    const held = async (to: string) => (await sendTo(ada, to)).body;
    const [rejected, withdrawn] = [await held('x@out.example'), await held(ben.address)];
    const approved = [await held(ben.address), await held('x@out.example')];
    await ada.operator.post(`${REVIEWS}/${rejected.review_id}/reject`, {});
    await ada.api.post(`${REVIEWS}/${withdrawn.review_id}/withdraw`);
    for (const { review_id: id } of approved) await approveMail(ada, id);
    await t.outboxMails();
    for (const { id } of [rejected, withdrawn]) assert.equal(await keptOf(t, id), null);
    const kept = await Promise.all(approved.map(({ id }) => keptOf(t, id)));
    const bytes = kept.reduce((sum, raw) => sum + Buffer.byteLength(raw ?? ''), 0);
    assert.ok(kept.every((raw) => raw?.includes('Dear Bob')));
    assert.equal((await mailBytes(t, ada)) - before, bytes);
    await assertNothingHalfWritten(t.config);
  });

  it('is nothing where the sender or a recipient keeps mail sealed', async () => {
    const { t } = suite;
    const [ada, sealed] = [await createAgent(t), await createAgent(t, { public_key: PUBLIC_KEY })];
    const sent = [
      await sendTo(ada, sealed.address),
      await sendTo(sealed, ada.address),
      await sendTo(sealed, 'x@out.example'),
    ];
    await t.outboxMails();
    for (const { body } of sent) assert.equal(await keptOf(t, body.id), null);
    for (const agent of [ada, sealed]) await mailBytes(t, agent);
    const query = 'select id from outbox where account_id = ? and content_id is not null';
    assert.deepEqual(await t.sql(query, sealed.accountId), []);
    await assertNothingHalfWritten(t.config);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { createAgent } from '../../../../test/support/agents.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { startTestApp, type TestApp } from '../../../../test/support/harness.ts';
import { approveMail, createHeldAgent, holdMail } from '../../../../test/support/held-mail.ts';
import { markAll, numberedIn } from '../../../../test/support/mail-program.ts';
import { openMailbox } from '../../../../test/support/program-mailbox.ts';
import { forgetVanished } from '../mailboxes/uids/folder-uids.ts';

type Rows = readonly [table: string, where: string, ...params: unknown[]];

/**
 * While another transaction holds the first rows, `work` waits for them. It must not hold the others by then: who holds
 * those may wait for the first.
 */
async function waitsWithout(t: TestApp, held: Rows, free: Rows, work: () => Promise<unknown>): Promise<unknown> {
  const [holder, other] = [0, 1].map(() => new pg.Client({ connectionString: t.config.databaseUrl as string }));
  assert.ok(holder && other);
  await Promise.all([holder.connect(), other.connect()]);
  const lock = async (client: pg.Client, [table, where, ...params]: Rows, wait = ''): Promise<void> => {
    const { rowCount } = await client.query(`select 1 from ${table} where ${where} for update ${wait}`, params);
    assert.notEqual(rowCount, 0, `nothing in ${table}`);
  };
  try {
    await holder.query('begin');
    await lock(holder, held);
    const done = work();
    done.catch(() => {});
    const waiting = 'select 1 from pg_stat_activity where datname = current_database() and wait_event_type = $1';
    await eventually(async () => (await other.query(waiting, ['Lock'])).rowCount !== 0, 'it waits');
    await lock(other, free, 'nowait');
    await holder.query('rollback');
    return await done;
  } finally {
    await Promise.all([holder.end(), other.end()]);
  }
}

describe('mail programs: writers lock in one order on PostgreSQL', () => {
  it('drafts, their count, what is stored; folders, what went from them', async () => {
    const t = await startTestApp('postgres', {});
    try {
      const ada = await createAgent(t);
      const { accountId, address, api } = ada;
      const mailbox = await openMailbox(t, ada);
      const draft = { from: address, to: 'x@out.example', subject: 'plan', text: 'x' };
      const add = async () => (await api.post('/v1/email/drafts', draft)).body.draft_id as string;
      const [first, second, third, fourth] = [await add(), await add(), await add(), await add()];
      const count: Rows = ['account_counts', "account_id = $1 and kind = 'drafts'", accountId];
      const stored: Rows = ['account_storage', 'account_id = $1', accountId];
      const folder = (name: string): Rows => ['mailbox_folders', 'address = $1 and folder = $2', address, name];

      await waitsWithout(t, count, stored, () => api.delete(`/v1/email/drafts/${first}`));
      await waitsWithout(t, count, stored, () => api.post(`/v1/email/drafts/${second}/send`));
      const uids = await markAll(t, address, 'drafts');
      const last = (await numberedIn(t, address, 'drafts')).at(-1)?.itemId;
      await waitsWithout(t, ['mail_drafts', 'id = $1', last], count, () => mailbox.expunge('Drafts', uids));
      assert.deepEqual(
        (await Promise.all([first, second, third, fourth].map((id) => api.get(`/v1/email/drafts/${id}`)))).map(
          ({ status, body }) => body.status ?? status,
        ),
        [404, 'sent', 404, 404],
      );

      // Sent mail: the address, the mail, what is stored. So does an operator who lets one go.
      const made = Buffer.from('From: a@out.example\r\nTo: b@out.example\r\nSubject: made\r\n\r\nx\r\n');
      await mailbox.append('Sent', [{ bytes: made, flags: [], internalDate: null }]);
      await api.post('/v1/email/send', draft);
      // It has left, so the job that sends it does not wait.
      await t.app.worker.runDue();
      const sent = await markAll(t, address, 'sent');
      const newest = (await numberedIn(t, address, 'sent')).at(-1)?.itemId;
      await waitsWithout(t, ['outbox', 'id = $1', newest], stored, () => mailbox.expunge('Sent', sent));
      const held = await createHeldAgent(t);
      const review = await holdMail(held, 'x@out.example');
      const ownAddress: Rows = ['addresses', 'address = $1', held.address];
      const outbox: Rows = ['outbox', 'address = $1', held.address];
      await waitsWithout(t, ownAddress, outbox, () => approveMail(held, review));

      const removals: Rows = ['mailbox_vanished', 'address = $1', address];
      const sweep = (before: number) => () =>
        t.app.database.transaction((tx) => forgetVanished(tx, before, t.clock.now()));
      await waitsWithout(t, folder('drafts'), removals, sweep(0));
      await waitsWithout(t, folder('drafts'), removals, sweep(t.clock.now() + 1));
      assert.deepEqual(await t.sql('select uid from mailbox_vanished where address = ?', address), []);

      // A change of a folder is noted in the audit log before.
      await mailbox.open('INBOX');
      await waitsWithout(t, ['audit_chains', 'account_id = $1', accountId], folder('drafts'), () =>
        api.delete(`/v1/email/addresses/${address}`),
      );
      assert.equal((await t.sql('select folder from mailbox_folders where address = ?', address)).length, 0);
      await api.post('/v1/email/claim', { address });
      assert.deepEqual(await numberedIn(t, address, 'drafts'), []);
    } finally {
      await t.stop();
    }
  });
});

import assert from 'node:assert/strict';
import type { Config } from '../../src/config/service-config.ts';
import { openDatabase } from '../../src/db/open.ts';
import { verifyChain } from '../../src/features/record/audit/audit-log.ts';
import { eventually } from '../support/eventually.ts';
import { runSql } from '../support/harness.ts';

/** Changes that were refused have entries too. */
const DONE = `entry like '%"result":"success"%'`;

/** Each query finds rows that only a half-written change can leave. */
const HALF_WRITTEN: Record<string, string> = {
  'an account without exactly one active key': `
    select a.id from accounts a left join api_keys k on k.account_id = a.id and k.status = 'active'
    group by a.id having count(k.hash) <> 1`,
  'an account without an audit entry': `
    select a.id from accounts a
    left join audit_entries e on e.account_id = a.id and e.action = 'account.created' and ${DONE}
    group by a.id having count(e.seq) <> 1`,
  'a revoked key without an audit entry, or the other way round': `
    select k.n as revoked, e.n as audited from (select count(*) as n from api_keys where status = 'revoked') k,
      (select count(*) as n from audit_entries where action = 'key.rotated' and ${DONE}) e where k.n <> e.n`,
  'a sent mail without an audit entry, or the other way round': `
    select o.n as sent, e.n as audited from (select count(*) as n from outbox where is_imported = 0) o,
      (select count(*) as n from audit_entries where action = 'email.sent' and ${DONE}) e where o.n <> e.n`,
  'a message without an event, or one that went without an audit entry': `
    select e.n as events, m.n as messages, d.n as deleted from (select count(*) as n from events where type = 'email.received') e,
      (select count(*) as n from messages where sender_key is not null) m,
      (select count(*) as n from audit_entries where action = 'message.deleted' and ${DONE}) d
    where e.n < m.n or e.n > m.n + d.n`,
  'an inbox counter that differs from the inbox': `
    select a.address, a.total, a.unread from addresses a
    left join messages m on m.address = a.address and m.visible = 1 and m.is_archived = 0 and m.folder = 'inbox'
    group by a.address, a.total, a.unread
    having a.total <> count(m.id) or a.unread <> count(case when m.is_read = 0 then 1 end)`,
  'a thread counter that differs from the thread': `
    with parts as (
      select thread_id, count(*) as n, sum(1 - is_read) as u from messages
      where visible = 1 and folder = 'inbox' group by thread_id
      union all select thread_id, count(*) as n, 0 as u from outbox group by thread_id),
    sums as (select thread_id, sum(n) as n, sum(u) as u from parts group by thread_id)
    select t.id from threads t left join sums s on s.thread_id = t.id
    where t.messages <> coalesce(s.n, 0) or t.unread <> coalesce(s.u, 0)`,
  'a count of addresses beside the addresses': `
    select c.account_id from account_counts c left join addresses a on a.account_id = c.account_id
    where c.kind = 'addresses' group by c.account_id, c.used having c.used <> count(a.address)`,
  'a message without its content': `
    select m.id from messages m left join mail_contents c on c.id = m.content_id
    where c.id is null or c.state <> 'parsed'`,
  'a content with another number of copies than it says': `
    with uses as (
      select content_id from messages union all select content_id from outbox where content_id is not null
      union all select content_id from role_mails union all select content_id from sent_contents
      union all select content_id from mail_drafts where content_id is not null),
    sums as (select content_id, count(*) as n from uses group by content_id)
    select c.id from mail_contents c left join sums s on s.content_id = c.id where c.copies <> coalesce(s.n, 0)`,
  'an audit chain that does not end where its head says': `
    select c.account_id from audit_chains c left join audit_entries e on e.account_id = c.account_id
    group by c.account_id, c.last_seq having c.last_seq <> count(e.seq) or c.last_seq <> coalesce(max(e.seq), 0)`,
  'a log of events that does not end where its head says': `
    select h.account_id from event_heads h left join events e on e.account_id = h.account_id
    group by h.account_id, h.last_seq having h.last_seq <> count(e.seq) or h.last_seq <> coalesce(max(e.seq), 0)`,
};

/** Each message came, which is an event, or was brought by a mail program, which is an audit entry. None was purged yet. */
export async function assertMessagesAddUp(config: Config): Promise<void> {
  const counted = async (query: string): Promise<number> => Number((await runSql(config, query, []))[0]?.n);
  const events = await counted(`select count(*) as n from events where type = 'email.received'`);
  const messages = await counted('select count(*) as n from messages');
  const of: Record<string, number> = { 'message.imported': 0, 'message.copied': 0, 'message.deleted': 0 };
  const actions = Object.keys(of).map((action) => `'${action}'`);
  const entries = await runSql(
    config,
    `select action, entry from audit_entries where action in (${actions}) and ${DONE}`,
    [],
  );
  for (const { action, entry } of entries) of[action as string] += JSON.parse(entry as string).count ?? 1;
  const { 'message.imported': imported = 0, 'message.copied': copied = 0, 'message.deleted': deleted = 0 } = of;
  const came = { events, imported, copied };
  assert.equal(messages + deleted, events + imported + copied, JSON.stringify({ ...came, messages, deleted }));
}

/** Checks the database for half-written changes. */
export async function assertNothingHalfWritten(config: Config): Promise<void> {
  for (const [what, query] of Object.entries(HALF_WRITTEN)) {
    assert.deepEqual((await runSql(config, query, [])).slice(0, 5), [], what);
  }
}

/** Waits until every accepted mail is processed, which takes seconds after a start. @returns how long, in milliseconds */
export async function untilNothingHidden(config: Config): Promise<number> {
  const began = performance.now();
  // What no process knows of is taken over when its lease ends, after a minute, by a timer of half a minute.
  const query = `
    select m.id, m.received_at, c.state, c.parse_attempts, c.parse_lease_until from messages m
    left join mail_contents c on c.id = m.content_id where m.visible = 0 limit 5`;
  await eventually(async () => {
    assert.deepEqual(await runSql(config, query, []), []);
    return true;
  }, 'no mail is hidden');
  return Math.round(performance.now() - began);
}

/** Verifies the chains that have an entry from `since` on. @returns how many */
export async function assertChainsHold(config: Config, since: number): Promise<number> {
  const query = 'select distinct account_id from audit_entries where created_at >= ?';
  const rows = await runSql(config, query, [since]);
  const database = openDatabase(config);
  try {
    for (const { account_id: id } of rows) {
      const { fault } = await verifyChain(database, id as string);
      assert.equal(fault, null, `the chain of ${id}`);
    }
  } finally {
    await database.close();
  }
  return rows.length;
}

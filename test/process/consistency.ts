import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../src/config.ts';
import { openDatabase } from '../../src/db/open.ts';
import { verifyChain } from '../../src/features/audit/audit-rules.ts';
import { hashSecret } from '../../src/kernel/secret.ts';
import { runSql } from '../support/harness.ts';
import type { KnownKey, Ledger, SentMail } from './ledger.ts';
import type { Service } from './service.ts';

/** Each query finds rows that only a half-written change can leave. */
const HALF_WRITTEN: Record<string, string> = {
  'an account without exactly one active key': `
    select a.id from accounts a left join api_keys k on k.account_id = a.id and k.status = 'active'
    group by a.id having count(k.hash) <> 1`,
  'an account without an audit entry': `
    select a.id from accounts a
    left join audit_entries e on e.account_id = a.id and e.action = 'account.created'
    group by a.id having count(e.seq) <> 1`,
  'a revoked key without an audit entry, or the other way round': `
    select k.n from (select count(*) as n from api_keys where status = 'revoked') k,
      (select count(*) as n from audit_entries where action = 'key.rotated') e where k.n <> e.n`,
  'a sent mail without an audit entry, or the other way round': `
    select o.n from (select count(*) as n from outbox) o,
      (select count(*) as n from audit_entries where action = 'email.sent') e where o.n <> e.n`,
  'a message without an event, or the other way round': `
    select e.n from (select count(*) as n from events where type = 'email.received') e,
      (select count(*) as n from messages) m,
      (select count(*) as n from audit_entries where action = 'message.deleted') d where e.n <> m.n + d.n`,
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
    select c.account_id from address_counts c left join addresses a on a.account_id = c.account_id
    group by c.account_id, c.used having c.used <> count(a.address)`,
  'a message without its content': `
    select m.id from messages m left join mail_contents c on c.id = m.content_id
    where c.id is null or c.state <> 'parsed'`,
  'a content with another number of copies than it says': `
    with uses as (
      select content_id from messages union all select content_id from outbox where content_id is not null),
    sums as (select content_id, count(*) as n from uses group by content_id)
    select c.id from mail_contents c left join sums s on s.content_id = c.id where c.copies <> coalesce(s.n, 0)`,
  'an audit chain that does not end where its head says': `
    select c.account_id from audit_chains c left join audit_entries e on e.account_id = c.account_id
    group by c.account_id, c.last_seq having c.last_seq <> count(e.seq) or c.last_seq <> coalesce(max(e.seq), 0)`,
  'a log of events that does not end where its head says': `
    select h.account_id from event_heads h left join events e on e.account_id = h.account_id
    group by h.account_id, h.last_seq having h.last_seq <> count(e.seq) or h.last_seq <> coalesce(max(e.seq), 0)`,
};

/** Checks the database for half-written changes. */
export async function assertNothingHalfWritten(config: Config): Promise<void> {
  for (const [what, query] of Object.entries(HALF_WRITTEN)) {
    assert.deepEqual((await runSql(config, query, [])).slice(0, 5), [], what);
  }
}

/** Waits until every accepted mail is processed, which takes seconds after a start. */
export async function untilNothingHidden(config: Config): Promise<void> {
  for (let waits = 0; waits < 1000; waits++) {
    const hidden = await runSql(config, 'select id from messages where visible = 0 limit 1', []);
    if (hidden.length === 0) return;
    await sleep(50);
  }
  const query = `
    select m.id, m.received_at, c.state, c.parse_attempts, c.parse_lease_until from messages m
    left join mail_contents c on c.id = m.content_id where m.visible = 0`;
  assert.deepEqual(await runSql(config, query, []), [], 'a message stays hidden');
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

/** Checks everything promised since the first round, by rows. */
export async function assertLedgerStored(config: Config, ledger: Ledger): Promise<void> {
  const keys = new Map(
    (await runSql(config, 'select hash, status, account_id from api_keys', [])).map((row) => [row.hash, row]),
  );
  for (const { key, accountId } of ledger.keys) {
    const row = keys.get(hashSecret(key));
    assert.deepEqual([row?.status, row?.account_id], ['active', accountId], 'an acknowledged key');
  }
  for (const key of ledger.revoked) assert.equal(keys.get(hashSecret(key))?.status, 'revoked', 'a replaced key');

  const owners = new Map(
    (await runSql(config, 'select address, account_id from addresses', [])).map((row) => [row.address, row]),
  );
  for (const { address, accountId } of ledger.claims) assert.equal(owners.get(address)?.account_id, accountId, address);

  const query = 'select id, address, subject, is_read, is_archived, folder from messages';
  const messages = await runSql(config, query, []);
  const copies = new Map<string, number>();
  for (const { address, subject } of messages) {
    const copy = `${address} ${subject}`;
    copies.set(copy, (copies.get(copy) ?? 0) + 1);
  }
  for (const { address, subject } of ledger.mails) assert.equal(copies.get(`${address} ${subject}`), 1, subject);
  for (const [copy, count] of copies) assert.equal(count, 1, `${copy} is there ${count} times`);
  for (const { subject } of messages) assert.ok(ledger.attempted.has(subject as string), `no client sent ${subject}`);

  const byId = new Map(messages.map((row) => [row.id, row]));
  for (const { id, state } of ledger.messages.values()) {
    const row = byId.get(id);
    if (state === 'deleted') assert.equal(row?.folder ?? 'trash', 'trash', 'a message that was deleted');
    else if (state !== null)
      assert.deepEqual([Number(row?.is_read), Number(row?.is_archived)], [Number(state.read), Number(state.archived)]);
  }
}

/** Runs `work` for every item, a few at a time. */
async function forEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  const runner = async (): Promise<void> => {
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) await work(next);
  };
  await Promise.all(Array.from({ length: 8 }, runner));
}

async function subjectsIn(service: Service, { key }: KnownKey, address: string): Promise<string[]> {
  const subjects: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await service.api(key).get(`/v1/email/inbox?address=${address}&limit=100${from}`);
    assert.equal(page.status, 200, page.text);
    subjects.push(...page.body.messages.map((message: { subject: string }) => message.subject));
    cursor = page.body.next_cursor;
  }
  return subjects;
}

/** Checks what was promised in one round, as clients see it after the restart. */
export async function assertLedgerServed(service: Service, ledger: Ledger): Promise<void> {
  await forEach(ledger.keys, async ({ key, accountId }) => {
    const me = await service.api(key).get('/v1/account/me');
    assert.deepEqual([me.status, me.body.id], [200, accountId], 'an acknowledged key authenticates');
  });
  await forEach(ledger.revoked, async (key) => {
    assert.equal((await service.api(key).get('/v1/account/me')).status, 401, 'a replaced key is refused');
  });
  const keyOf = new Map(ledger.keys.map((key) => [key.accountId, key]));
  await forEach([...new Set(ledger.claims.map(({ accountId }) => accountId))], async (accountId) => {
    const { addresses } = (await service.api(keyOf.get(accountId)?.key).get('/v1/email/addresses')).body;
    for (const claim of ledger.claims)
      if (claim.accountId === accountId) assert.ok(addresses.includes(claim.address), claim.address);
  });
  const inboxes = Map.groupBy(ledger.mails, (mail: SentMail) => mail.address);
  for (const [address, mails] of inboxes) {
    const owner = ledger.claims.find((claim) => claim.address === address)?.accountId as string;
    const subjects = await subjectsIn(service, keyOf.get(owner) as KnownKey, address);
    assert.equal(new Set(subjects).size, subjects.length, 'no mail is listed twice');
    const listed = new Set(subjects);
    for (const { subject } of mails) assert.ok(listed.has(subject), `${subject} is in the inbox`);
  }
}

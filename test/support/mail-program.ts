import assert from 'node:assert/strict';
import { hashSecret } from '../../src/base/secret.ts';
import { endsOf } from '../../src/features/mail/mail-programs/folder-items.ts';
import type { ProgramLogin } from '../../src/features/mail/mail-programs/program-login.ts';
import {
  type MailFolder,
  type Numbered,
  pageOfUids,
  saveUidFlags,
} from '../../src/features/mail/mailboxes/uids/folder-uids.ts';
import type { TestAgent } from './agents.ts';
import type { TestApp } from './harness.ts';

/** A mail program that is logged in at the address of an agent. */
export async function programLogin(t: TestApp, { key, address }: TestAgent, with_ = key): Promise<ProgramLogin> {
  const principal = await t.app.provided.credentials.ofHash('api_key', hashSecret(with_), t.clock.now());
  assert.ok(principal);
  return { principal, address, ip: '', network: null };
}

/** What has a UID in a folder, which is opened if it was not. */
export async function numberedIn(t: TestApp, address: string, folder: MailFolder): Promise<Numbered[]> {
  const { database } = t.app;
  await endsOf({ database, now: t.clock.now }, { address, folder });
  return pageOfUids(database, { address, folder }, { uid: 0 }, 10_000);
}

/** Gives `\Deleted` to all that is in a folder. @returns the UIDs */
export async function markAll(t: TestApp, address: string, folder: MailFolder): Promise<number[]> {
  const all = await numberedIn(t, address, folder);
  await t.app.database.transaction(async (tx) => {
    for (const item of all) await saveUidFlags(tx, { ...item, flags: [...item.flags, '\\Deleted'] });
  });
  return all.map(({ uid }) => uid);
}

/** What the rows of an account take, added up. */
const RECOUNT = `select coalesce(sum(size), 0) as size from (
  select size_bytes as size from messages where account_id = ?
  union all select octet_length(content) + coalesce(octet_length(text_body), 0) + coalesce(octet_length(html_body), 0)
    from mail_drafts where account_id = ?
  union all select octet_length(content) from draft_attachments where account_id = ?
  union all select c.size_bytes from mail_drafts d join mail_contents c on c.id = d.content_id where d.account_id = ?
  union all select c.size_bytes from outbox o join mail_contents c on c.id = o.content_id where o.account_id = ?
  union all select c.size_bytes from sent_contents s join mail_contents c on c.id = s.content_id where s.account_id = ?) as sizes`;

/** The bytes of an account's mail, after a look whether they are what is counted. */
export async function mailBytes(t: TestApp, { accountId }: Pick<TestAgent, 'accountId'>): Promise<number> {
  const [row] = await t.sql(RECOUNT, ...Array.from({ length: 6 }, () => accountId));
  const [counted] = await t.sql('select used from account_storage where account_id = ?', accountId);
  assert.equal(Number(counted?.used ?? 0), Number(row?.size));
  return Number(row?.size);
}

import type { Scope } from '../../src/api/scopes.ts';
import { FolderNews } from '../../src/features/mail/mail-programs/folder-news.ts';
import type { MailProgramDeps } from '../../src/features/mail/mail-programs/mail-program-deps.ts';
import { ProgramMailbox } from '../../src/features/mail/mail-programs/program-mailbox.ts';
import type { FetchedMail, FetchWants, ImapFolder } from '../../src/mail/imap/imap-store.ts';
import type { TestAgent } from './agents.ts';
import type { TestApp } from './harness.ts';

const SCOPES: readonly Scope[] = ['mail:read', 'mail:codes', 'mail:manage', 'mail:send'];
let keys = 0;

/** What mail programs need of a running service. */
export const programDeps = ({ app, clock }: TestApp): MailProgramDeps => ({
  ...app.provided,
  mailDomain: app.provided.config.mailDomain,
  development: app.provided.config.development,
  countLogin: () => {},
  enqueueJob: app.provided.jobs.enqueue,
  appendAudits: app.provided.audit.appendAudits,
  folderNews: new FolderNews(app.database),
  mayStore: () => !app.provided.disk.isLow,
  now: clock.now,
});

/** The mailbox of an agent's address, opened with a named key. */
export async function openMailbox(
  t: TestApp,
  { api, address }: TestAgent,
  scopes: readonly Scope[] = SCOPES,
  addresses?: readonly string[],
): Promise<ProgramMailbox & { key: string }> {
  const name = `program ${keys++}`;
  const reply = await api.post('/v1/account/keys', { name, scopes, ...(addresses ? { addresses } : {}) });
  if (reply.status !== 201) throw new Error(`no key: ${reply.status} ${reply.text}`);
  const key = reply.body.api_key as string;
  const principal = await t.app.provided.credentials.authenticate(key, t.clock.now());
  if (principal === null) throw new Error('the key opens nothing');
  const mailbox = new ProgramMailbox(programDeps(t), { principal, address, ip: 'hash', network: null });
  return Object.assign(mailbox, { key });
}

/** All that a fetch finds. */
export async function fetched(
  mailbox: ProgramMailbox,
  folder: ImapFolder,
  uids: readonly number[],
  wants: FetchWants,
): Promise<FetchedMail[]> {
  const mails: FetchedMail[] = [];
  for await (const mail of mailbox.fetch(folder, uids, wants)) mails.push(mail);
  return mails;
}

import type { Tier } from '../../src/api/limits.ts';
import { hashSecret } from '../../src/base/secret.ts';
import { createAccountChanges } from '../../src/features/top/admin/service-operator.ts';
import { type TestAccount, type TestApp, tokenIn } from './harness.ts';
import { readableMail } from './readable-mail.ts';

/** An account with a mail address. */
export interface TestAgent extends TestAccount {
  address: string;
}

let names = 0;

/**
 * Creates an account and claims an address for it.
 * @param claim further fields of `POST /v1/email/claim`
 */
export async function createAgent(t: TestApp, claim: object = {}, account?: TestAccount): Promise<TestAgent> {
  const owner = account ?? (await t.createAccount());
  const reply = await owner.api.post('/v1/email/claim', { address: `agent-${names++}`, ...claim });
  if (reply.status !== 201) throw new Error(`no address: ${reply.status} ${reply.text}`);
  return { ...owner, address: reply.body.address };
}

/** Changes an account as the operator's command line does. The account's next request shows it. */
async function change(
  t: TestApp,
  apply: (changes: ReturnType<typeof createAccountChanges>) => Promise<{ outcome: string }>,
): Promise<void> {
  const { outcome } = await apply(createAccountChanges({ database: t.app.database, now: t.clock.now }));
  if (outcome !== 'changed' && outcome !== 'unchanged') throw new Error(`the account was not changed: ${outcome}`);
}

export const setTier = (t: TestApp, accountId: string, tier: Tier): Promise<void> =>
  change(t, (changes) => changes.setTier(accountId, tier));

export const suspend = (t: TestApp, accountId: string): Promise<void> =>
  change(t, (changes) => changes.setStatus(accountId, 'suspended'));

export const unsuspend = (t: TestApp, accountId: string): Promise<void> =>
  change(t, (changes) => changes.setStatus(accountId, 'active'));

/** The mails of the outbox to an address, readable. */
export const mailsTo = async (t: TestApp, email: string): Promise<string[]> =>
  (await t.outboxMails()).filter((mail) => new RegExp(`^To: <?${email}>?\r?$`, 'im').test(mail)).map(readableMail);

/** The token of the confirmation mail that asks an address about an account. */
export async function confirmationFor(t: TestApp, accountId: string, email: string): Promise<string> {
  const mails = (await mailsTo(t, email)).filter(
    (mail) => mail.includes(accountId) && mail.includes('/confirm#token='),
  );
  const hashes = await t.sql(
    'select l.hash from mailed_links l join people p on p.id = l.subject where p.account_id = ? and p.address = ?',
    ...[accountId, email],
  );
  // A new mail replaces the link of the one before.
  const tokens = mails.flatMap((mail) =>
    [...mail.matchAll(/\/confirm#token=([0-9A-Za-z]{32})/g)].map((m) => m[1] ?? ''),
  );
  const token = tokens.find((each) => hashes.some(({ hash }) => hash === hashSecret(each)));
  if (token === undefined) throw new Error(`no confirmation mail to ${email}`);
  return token;
}

/** Names an operator, who confirms with the mailed link. `authority: operator` reserves decisions to the operators. */
export async function confirmOperator(
  t: TestApp,
  { api, accountId }: Pick<TestAccount, 'api' | 'accountId'>,
  email: string,
  authority?: 'operator',
): Promise<void> {
  const named = await api.post('/v1/account/operator-email', { email });
  if (named.status !== 200) throw new Error(named.text);
  if (named.body.confirmed) return;
  const token = await confirmationFor(t, accountId, email);
  const answer = { token, decision: 'confirm', ...(authority ? { authority } : {}) };
  const confirmed = await t.api().post('/v1/people/confirm', answer);
  if (confirmed.status !== 200) throw new Error(confirmed.text);
}

/** Opens a session of the only account of an address with a mailed link. */
export async function openSession(t: TestApp, email: string): Promise<TestAccount['api']> {
  const before = new Set(await t.outboxMails());
  await t.api().post('/v1/auth/login', { email });
  const mail = (await t.outboxMails()).find(
    (text) => !before.has(text) && text.includes(`To: ${email}`) && text.includes('/login#'),
  );
  const opened = await t.api().get(`/v1/auth/verify?token=${tokenIn(mail ?? '')}`);
  const session = opened.headers.get('location')?.split('#session=')[1];
  if (!session) throw new Error(`no session: ${opened.text}`);
  return t.api(session);
}

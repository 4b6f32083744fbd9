import { createAccountChanges } from '../../src/features/operator/operator-rules.ts';
import { insertPerson } from '../../src/features/people/person-store.ts';
import { newId } from '../../src/kernel/ids.ts';
import type { Tier } from '../../src/kernel/limits.ts';
import { type TestAccount, type TestApp, tokenIn } from './harness.ts';

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

/** Opens a session of the only account of an address with a mailed link. */
export async function openSession(t: TestApp, email: string): Promise<TestAccount['api']> {
  const before = new Set(await t.outboxMails());
  await t.api().post('/v1/auth/login', { email });
  const mail = (await t.outboxMails()).find((text) => !before.has(text) && text.includes(`To: ${email}`));
  const opened = await t.api().get(`/v1/auth/verify?token=${tokenIn(mail ?? '')}`);
  const session = opened.headers.get('location')?.split('#session=')[1];
  if (!session) throw new Error(`no session: ${opened.text}`);
  return t.api(session);
}

/** Confirms an operator, as his button in the confirmation mail does. */
export async function confirmOperator(t: TestApp, accountId: string, address: string): Promise<void> {
  const now = t.clock.now();
  await t.app.database.transaction((tx) =>
    insertPerson(tx, {
      ...{ id: newId('per', now), accountId, role: 'operator', address, namedAt: now, namedBy: 'test' },
      ...{ oldWhenConfirmed: true, confirmedAt: now, removalDueAt: null },
    }),
  );
}

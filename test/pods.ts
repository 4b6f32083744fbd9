import { setSpendingCaps } from '../src/features/budgets/budget-rules.ts';
import { newId } from '../src/kernel/ids.ts';
import { hashSecret, keyPrefix, mintKey } from '../src/kernel/secret.ts';
import type { TestAccount, TestApp } from './harness.ts';

/** A pod of the platform, with the caps it is allowed; made beside the API. */
export async function makePod(
  t: TestApp,
  platform: TestAccount,
  caps: Parameters<typeof setSpendingCaps>[2] = null,
): Promise<TestAccount> {
  const key = mintKey('pod');
  const accountId = newId('acc', t.clock.now());
  await t.sql(
    `insert into accounts (id, parent_id, tier, status, capabilities, created_at) values (?, ?, 'free', 'active', '[]', 0)`,
    accountId,
    platform.accountId,
  );
  await t.sql(
    `insert into api_keys (hash, account_id, kind, status, prefix, created_at) values (?, ?, 'pod', 'active', ?, 0)`,
    hashSecret(key),
    accountId,
    keyPrefix(key, 'pod'),
  );
  await t.app.database.transaction((tx) => setSpendingCaps(tx, accountId, caps));
  return { key, accountId, api: t.api(key) };
}

/** A session of the account's operator, opened by a mailed link. */
export async function operatorSession(t: TestApp, { api }: TestAccount, email: string): Promise<TestAccount['api']> {
  const named = await api.post('/v1/account/operator-email', { email });
  if (named.status !== 200) throw new Error(named.text);
  await t.api().post('/v1/auth/login', { email });
  const mail = (await t.outboxMails()).findLast((text) => text.includes(`To: ${email}`) && text.includes('/login#'));
  const token = /#token=([0-9A-Za-z]{32})/.exec((mail ?? '').replace(/=\r?\n/g, '').replace(/=3D/g, '='))?.[1];
  const opened = await t.api().get(`/v1/auth/verify?token=${token}`);
  const session = opened.headers.get('location')?.split('#session=')[1];
  if (!session) throw new Error(`no session: ${opened.text}`);
  return t.api(session);
}

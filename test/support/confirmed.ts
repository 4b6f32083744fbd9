import { newId } from '../../src/base/ids.ts';
import { DAY_MS } from '../../src/base/period.ts';
import { type Api, type TestAccount, type TestApp, tokenIn } from './harness.ts';

let people = 0;

/** Makes an address of a person confirmed since `at`, as the mailed link would have done. */
export async function confirmAt(
  t: TestApp,
  accountId: string,
  address: string,
  at: number,
  role: 'recovery' | 'operator' = 'recovery',
): Promise<void> {
  await t.sql('delete from people where account_id = ? and role = ? and address = ?', accountId, role, address);
  await t.sql(
    `insert into people (id, account_id, role, address, named_at, named_by, old_when_confirmed, confirmed_at)
     values (?, ?, ?, ?, ?, 'test', 0, ?)`,
    ...[newId('per', at), accountId, role, address, at, at],
  );
}

/** Opens a session with a mailed link. @returns its token */
async function openKey(t: TestApp, email: string): Promise<string> {
  await t.api().post('/v1/auth/login', { email });
  const mail = (await t.outboxMails()).findLast((text) => text.includes(`To: ${email}`) && text.includes('/login#'));
  const opened = await t.api().get(`/v1/auth/verify?token=${tokenIn(mail ?? '')}`);
  const key = opened.headers.get('location')?.split('#session=')[1];
  if (!key) throw new Error(`no session: ${opened.text}`);
  return key;
}

/** Sets a recovery address, opens a session of it, and makes it confirmed since `agoMs`: by default it is old. */
export async function sessionOf(
  t: TestApp,
  account: Pick<TestAccount, 'api' | 'accountId'>,
  agoMs = 8 * DAY_MS,
): Promise<{ api: Api; key: string; address: string }> {
  const address = `person${people++}-${t.engine}@example.com`;
  const { status, text } = await account.api.post('/v1/account/recovery-email', { email: address });
  if (status !== 200) throw new Error(`no recovery address: ${text}`);
  const key = await openKey(t, address);
  await confirmAt(t, account.accountId, address, t.clock.now() - agoMs);
  return { api: t.api(key), key, address };
}

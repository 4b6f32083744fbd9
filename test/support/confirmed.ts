import { newId } from '../../src/kernel/ids.ts';
import { openSession } from './agents.ts';
import type { Api, TestAccount, TestApp } from './harness.ts';

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

/** Sets a recovery address, opens a session of it, and makes it confirmed since `agoMs`. */
export async function sessionOf(
  t: TestApp,
  account: Pick<TestAccount, 'api' | 'accountId'>,
  agoMs = 0,
): Promise<{ api: Api; address: string }> {
  const address = `person${people++}-${t.engine}@example.com`;
  const { status, text } = await account.api.post('/v1/account/recovery-email', { email: address });
  if (status !== 200) throw new Error(`no recovery address: ${text}`);
  const api = await openSession(t, address);
  await confirmAt(t, account.accountId, address, t.clock.now() - agoMs);
  return { api, address };
}

import assert from 'node:assert/strict';
import { confirmOperator, openSession } from './agents.ts';
import type { Api, TestAccount, TestApp } from './harness.ts';
import { newPerson } from './operators.ts';

export const CANCEL = '/v1/account/delete/cancel';

/** Who asked for the deletion of the caller’s account; null: it stays. */
export const byOf = async (api: Api): Promise<string | null> =>
  (await api.get('/v1/account/me')).body.deletion?.by ?? null;

/** Asks for the deletion. @returns when it ends */
export async function begin(api: Api): Promise<string> {
  const { status, body, text } = await api.delete('/v1/account');
  assert.equal(status, 202, text);
  return body.deletes_at;
}

export interface Operated extends TestAccount {
  email: string;
  operator: Api;
  backup: Api;
}

/** An account with a backup key and a confirmed operator. @param ageMs of the account when it names the operator */
export async function operated(t: TestApp, ageMs = 0, authority?: 'operator'): Promise<Operated> {
  const account = await t.createAccount();
  const backup = t.api((await account.api.post('/v1/auth/keys/generate-backup')).body.backup_key);
  t.clock.advance(ageMs);
  const email = newPerson(t);
  await confirmOperator(t, account, email, authority);
  t.clock.advance(1000);
  return { ...account, email, backup, operator: await openSession(t, email) };
}

/** The events of an account’s deletion, each with who asked or cancelled. */
export const eventsOf = async ({ api }: TestAccount) =>
  (await api.get('/v1/events?type=account.deletion_scheduled,account.deletion_cancelled')).body.events.map(
    ({ type, data }: { type: string; data: Record<string, string> }) => [type, data.by ?? data.cancelled_by],
  );

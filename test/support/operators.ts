import { insertPerson } from '../../src/features/people/person-store.ts';
import { newId } from '../../src/kernel/ids.ts';
import { openSession } from './agents.ts';
import { addPasskey, logInWith, SoftwarePasskey } from './authenticator.ts';
import type { Api, TestAccount, TestApp } from './harness.ts';

/** Settings of a service with a host name, which passkeys need. */
export const NAMED_HOST = { env: { HOST: 'localhost' } };

/** An account with a confirmed operator, and a session of that operator. */
export interface Operated {
  account: TestAccount;
  email: string;
  session: Api;
}

let names = 0;

/** Makes an address the confirmed operator of an account. */
export async function confirm(t: TestApp, { api, accountId }: TestAccount, email: string): Promise<void> {
  const named = await api.post('/v1/account/operator-email', { email });
  if (named.status !== 200) throw new Error(`not named: ${named.text}`);
  const now = t.clock.now();
  const times = { namedAt: now, confirmedAt: now, removalDueAt: null };
  const person = { accountId, address: email, role: 'operator' as const, namedBy: 'test', oldWhenConfirmed: true };
  await t.app.database.transaction((tx) => insertPerson(tx, { id: newId('per', now), ...person, ...times }));
}

/** Creates an account with an operator who has logged in with a mailed link. */
export async function operated(t: TestApp, email = `operator-${names++}@example.com`): Promise<Operated> {
  const account = await t.createAccount();
  await confirm(t, account, email);
  return { account, email, session: await openSession(t, email) };
}

/** The same, with a passkey and a session that it opened. */
export async function operatedWithPasskey(
  t: TestApp,
): Promise<Operated & { passkey: SoftwarePasskey; strong: Api; id: string }> {
  const made = await operated(t);
  const passkey = new SoftwarePasskey(t.baseUrl);
  const added = await addPasskey(made.session, passkey);
  if (added.status !== 201) throw new Error(`no passkey: ${added.text}`);
  return { ...made, passkey, strong: await sessionOf(t, passkey), id: added.body.id };
}

/** Logs in with a passkey. */
export async function sessionOf(t: TestApp, passkey: SoftwarePasskey): Promise<Api> {
  const opened = await logInWith(t.api(), passkey);
  if (opened.status !== 200) throw new Error(`no session: ${opened.text}`);
  return t.api(opened.body.session);
}

import { confirmOperator, openSession } from './agents.ts';
import { addPasskey, logInWith, SoftwarePasskey } from './authenticator.ts';
import type { Api, TestAccount, TestApp } from './harness.ts';
import { newPerson } from './operators.ts';

/** Settings of a service with a host name, which passkeys need. */
export const NAMED_HOST = { env: { HOST: 'localhost' } };

/** An account with a confirmed operator, and a session of that operator. */
export interface Operated {
  account: TestAccount;
  email: string;
  session: Api;
}

/** Creates an account with an operator who has logged in with a mailed link. */
export async function operated(t: TestApp, email = newPerson(t)): Promise<Operated> {
  const account = await t.createAccount();
  await confirmOperator(t, account, email);
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

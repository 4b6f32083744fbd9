import { confirmOperator } from './agents.ts';
import { addPasskey, logInWith, SoftwarePasskey } from './authenticator.ts';
import type { Api, TestAccount, TestApp } from './harness.ts';
import { followLink, loginLinks, newPerson } from './operators.ts';

/** Settings of a service with a host name, which passkeys need. */
export const NAMED_HOST = { env: { HOST: 'localhost' } };

/** An account with a confirmed operator, and a session of that operator. */
export interface Operated {
  account: TestAccount;
  email: string;
  session: Api;
  /** The token of that session. */
  token: string;
}

/** Creates an account with an operator who has logged in with a mailed link. */
export async function operated(t: TestApp, email = newPerson(t)): Promise<Operated> {
  const account = await t.createAccount();
  await confirmOperator(t, account, email);
  const [link = ''] = await loginLinks(t, email);
  const token = await followLink(t, link);
  return { account, email, session: t.api(token), token };
}

/** The same, with a passkey and a session that it opened. */
export async function operatedWithPasskey(
  t: TestApp,
): Promise<Operated & { passkey: SoftwarePasskey; strong: Api; strongToken: string; id: string }> {
  const made = await operated(t);
  const passkey = new SoftwarePasskey(t.baseUrl);
  const added = await addPasskey(made.session, passkey);
  if (added.status !== 201) throw new Error(`no passkey: ${added.text}`);
  const strongToken = await tokenOf(t, passkey);
  return { ...made, passkey, strong: t.api(strongToken), strongToken, id: added.body.id };
}

async function tokenOf(t: TestApp, passkey: SoftwarePasskey): Promise<string> {
  const opened = await logInWith(t.api(), passkey);
  if (opened.status !== 200) throw new Error(`no session: ${opened.text}`);
  return opened.body.session;
}

/** Logs in with a passkey. */
export const sessionOf = async (t: TestApp, passkey: SoftwarePasskey): Promise<Api> => t.api(await tokenOf(t, passkey));

import assert from 'node:assert/strict';
import { type TestApp, tokenIn } from './harness.ts';

let addresses = 0;
/** An unused address. */
export const freshEmail = (): string => `owner${addresses++}@example.com`;

/** The mails of the outbox that went to an address. */
export const mailsTo = async (t: TestApp, email: string): Promise<string[]> =>
  (await t.outboxMails()).filter((mail) => new RegExp(`^To: <?${email}>?\r?$`, 'im').test(mail));

/** Asks for a recovery mail. */
export const ask = (t: TestApp, email: string) => t.api().post('/v1/vault/recover', { email });
/** Stores a seed without an account. */
export const leave = (t: TestApp, recovery_email: string, encrypted_seed = 'c2VlZA') =>
  t.api().post('/v1/vault/store', { recovery_email, encrypted_seed });
/** Follows a link. */
export const verify = (t: TestApp, token: string) => t.api().get(`/v1/vault/recover/verify?token=${token}`);

/** Asks for a link, and reads it in the mail. */
export async function linkTo(t: TestApp, email: string): Promise<string> {
  // Mails of the same millisecond have no order.
  const before = new Set(await mailsTo(t, email));
  assert.equal((await ask(t, email)).status, 200);
  const mail = (await mailsTo(t, email)).find((each) => !before.has(each));
  assert.ok(mail, 'a mail was sent');
  return tokenIn(mail);
}

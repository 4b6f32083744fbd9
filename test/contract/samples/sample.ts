import type { TestAccount, TestApp } from '../../support/harness.ts';
import { PROCESS_NUMBER } from '../../support/process-number.ts';

export interface Sample {
  /** With the query, percent-encoded. */
  path: string;
  key: string | null;
  body?: unknown;
  headers?: Record<string, string>;
  /** The account whose audit chain records the call. Null if the reply names the account, or for an anonymous call. */
  accountId: string | null;
}

export type Prepare = (t: TestApp) => Promise<Partial<Sample>>;

let names = 0;
/** An unused name. */
export const freshName = (stem: string): string => `${stem}-${PROCESS_NUMBER}-${names++}`;

export const by = ({ key, accountId }: TestAccount): Pick<Sample, 'key' | 'accountId'> => ({ key, accountId });

export async function expect<T extends { status: number; text: string }>(status: number, call: Promise<T>): Promise<T> {
  const reply = await call;
  if (reply.status !== status) throw new Error(`preparing a sample got ${reply.status}: ${reply.text}`);
  return reply;
}

/** An account with an address. */
export async function inbox(t: TestApp): Promise<{ account: TestAccount; address: string }> {
  const account = await t.createAccount();
  const claimed = await expect(201, account.api.post('/v1/email/claim', { address: freshName('box') }));
  return { account, address: claimed.body.address };
}

/** An account with an unread message, sent to itself, that has an attachment. */
export async function message(t: TestApp): Promise<{ account: TestAccount; address: string; id: string }> {
  const { account, address } = await inbox(t);
  const attachments = [{ filename: 'a.txt', content: Buffer.from('hello').toString('base64') }];
  const mail = { from: address, to: address, subject: 'Hello', text: 'Hello, you.', attachments };
  await expect(201, account.api.post('/v1/email/send', mail));
  const list = await expect(200, account.api.get(`/v1/email/inbox?address=${address}`));
  return { account, address, id: list.body.messages[0].message_id };
}

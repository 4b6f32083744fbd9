import { confirmOperator } from './agents.ts';
import type { TestAccount, TestApp } from './harness.ts';
import { readableMail } from './readable-mail.ts';

export interface TestPod extends TestAccount {
  podId: string;
}

/** Creates a pod of the platform, with spending caps or other fields of the request. */
export async function makePod(
  t: TestApp,
  platform: Pick<TestAccount, 'api'>,
  caps: object | null = null,
  rest: object = {},
): Promise<TestPod> {
  const made = await platform.api.post('/v1/pods', { spending_caps: caps, ...rest });
  if (made.status !== 201) throw new Error(`no pod: ${made.status} ${made.text}`);
  const { api_key: key, account_id: accountId, pod_id: podId } = made.body;
  return { key, accountId, podId, api: t.api(key) };
}

/** Opens a session of the account's operator with a mailed link. */
export async function operatorSession(t: TestApp, account: TestAccount, email: string): Promise<TestAccount['api']> {
  await confirmOperator(t, account, email);
  const before = new Set(await t.outboxMails());
  await t.api().post('/v1/auth/login', { email });
  const mail = (await t.outboxMails()).find(
    (text) => !before.has(text) && text.includes(`To: ${email}`) && text.includes('/login#'),
  );
  const token = /#token=([0-9A-Za-z]{32})/.exec(readableMail(mail ?? ''))?.[1];
  const opened = await t.api().get(`/v1/auth/verify?token=${token}`);
  const session = opened.headers.get('location')?.split('#session=')[1];
  if (!session) throw new Error(`no session: ${opened.text}`);
  return t.api(session);
}

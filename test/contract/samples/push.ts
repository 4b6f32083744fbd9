import { tokenIn } from '../../support/harness.ts';
import { expect, freshName, type Prepare } from './sample.ts';

/** A session, opened with a mailed link. */
const logout: Prepare = async (t) => {
  const email = `${freshName('ada')}@example.com`;
  const { accountId } = await t.createAccount({ email });
  await expect(200, t.api().post('/v1/auth/login', { email }));
  const mail = (await t.outboxMails()).findLast((text) => text.includes(email) && text.includes('/login#'));
  const opened = await expect(302, t.api().get(`/v1/auth/verify?token=${tokenIn(mail ?? '')}`));
  return { key: opened.headers.get('location')?.split('#session=')[1] ?? null, accountId };
};

/** The event log, its streams, and the end of a session. */
export const pushSamples: Record<string, Prepare> = { logout };

import { DAY_MS } from '../../src/base/period.ts';
import { confirmOperator } from './agents.ts';
import { type Api, type TestAccount, type TestApp, tokenIn } from './harness.ts';
import { readableMail } from './readable-mail.ts';

let people = 0;

/** An address of a person that no other test uses. */
export const newPerson = (t: TestApp): string => `person-${people++}@${t.engine}.example.org`;

/** The tokens of the links in the latest login mail to an address. */
export async function loginLinks(t: TestApp, email: string): Promise<string[]> {
  // Mails of the same millisecond have no order.
  t.clock.advance(1000);
  await t.api().post('/v1/auth/login', { email });
  const mail = (await t.outboxMails()).findLast((text) => text.includes(`To: ${email}`) && text.includes('/login#'));
  const text = readableMail(mail ?? '');
  return text.split('/login').slice(1).map(tokenIn);
}

/** Opens a session with a login link. @returns its token */
export async function followLink(t: TestApp, link: string): Promise<string> {
  const opened = await t.api().get(`/v1/auth/verify?token=${link}`);
  const session = opened.headers.get('location')?.split('#session=')[1];
  if (!session) throw new Error(`no session: ${opened.text}`);
  return session;
}

export interface Operated {
  agents: [TestAccount, TestAccount];
  email: string;
  /** A session of the operator, opened by the link of the first agent. */
  operator: Api;
  token: string;
}

/** Creates two agents with one operator, who is logged in. */
export async function twoAgents(t: TestApp): Promise<Operated> {
  const email = newPerson(t);
  const first = await t.createAccount({ name: 'one' });
  await confirmOperator(t, first, email);
  // Ids of the same millisecond have no order.
  t.clock.advance(1000);
  const agents: [TestAccount, TestAccount] = [first, await t.createAccount()];
  await confirmOperator(t, agents[1], email);
  const [link] = await loginLinks(t, email);
  const token = await followLink(t, link as string);
  return { agents, email, operator: t.api(token), token };
}

/** Creates agents with a backup key of 30 days ago, all with one operator. @returns them, and a session of the operator */
export async function manyAgents(t: TestApp, count: number): Promise<{ agents: TestAccount[]; token: string }> {
  const email = newPerson(t);
  const agents: TestAccount[] = [];
  for (let n = 0; n < count; n++) {
    const agent = await t.createAccount({ name: `agent ${n}`, backup: true });
    await confirmOperator(t, agent, email);
    agents.push(agent);
  }
  t.clock.advance(30 * DAY_MS);
  const [link] = await loginLinks(t, email);
  return { agents, token: await followLink(t, link as string) };
}

/** Opens a session of an account that is not its operator's. @returns its token */
export async function plainToken(t: TestApp, { api }: TestAccount): Promise<string> {
  const email = newPerson(t);
  const named = await api.post('/v1/account/recovery-email', { email });
  if (named.status !== 200) throw new Error(named.text);
  return followLink(t, (await loginLinks(t, email))[0] as string);
}

/** Opens a session of an account that is not its operator's. */
export const plainSession = async (t: TestApp, account: TestAccount): Promise<Api> =>
  t.api(await plainToken(t, account));

/** Takes an operator from an account, as the end of his notice does. */
export async function removeOperator(t: TestApp, { accountId }: TestAccount, email: string): Promise<void> {
  const { people } = t.app.provided;
  await t.app.database.transaction(async (tx) => {
    for (const person of await people.list(tx, accountId))
      if (person.role === 'operator' && person.address === email) await people.remove(tx, person, t.clock.now());
  });
}

/** Selects an account on a call. */
export const actingFor = ({ accountId }: Pick<TestAccount, 'accountId'>): Record<string, string> => ({
  'signet-account': accountId,
});

import type { SignetClient } from '../../../../client/signet-client.ts';
import { hasCode, isSignedOut, serviceFor } from '../../ui/console-service.ts';
import { isOpened, isSession } from '../../ui/console-session.ts';
import { confirmed, toast } from '../../ui/toast.ts';
import type { Operated } from '../../ui/workspace.ts';

/** What happens between a credential and the open console. */

const AGENTS_MAX = 500;

/**
 * Opens a session with a key, so that what a person looks at is no request of the agent. Named keys open none: they are used
 * themselves.
 */
export async function sessionFor(credential: string): Promise<string> {
  if (isOpened(credential)) return credential;
  try {
    return (await serviceFor(credential).openConsoleSession({})).session;
  } catch (err) {
    if (hasCode(err, 'insufficient_scope')) return credential;
    throw err;
  }
}

/** Takes a session out of the address, so that it appears neither in the history nor on screenshots. */
export function sessionInFragment(): string | null {
  const session = /^#session=(session_[0-9A-Za-z]+)$/.exec(location.hash)?.[1] ?? null;
  if (location.hash.startsWith('#session=')) history.replaceState(null, '', '/dashboard');
  return session;
}

/** The name and id of an account, as a question names it. Anyone can choose the name of someone else's account. */
const namedAccount = ({ name, id }: { name: string; id: string }): string => (name ? `${name} (${id})` : id);

const confirmReplacing = (current: string, linked: string): Promise<boolean> =>
  confirmed(
    'Replace your login?',
    `This browser is logged in to ${current}. The link you opened logs in to ${linked}. Continue only if you asked for this link.`,
    `Log in to ${linked}`,
  );

/** @returns the account, null if the credential is not valid */
async function accountOf(credential: string) {
  try {
    return await serviceFor(credential).getAccount({});
  } catch (err) {
    if (isSignedOut(err)) return null;
    throw err;
  }
}

/**
 * Chooses between the credential of this tab and the session of a login link. Someone could send a link to their own
 * account, so that the person works there without noticing. So the page asks before it replaces a login, also one of the
 * same account: a link may open less than the key of this tab.
 * @returns the credential to go on with
 */
export async function chooseCredential(held: string, offered: string): Promise<string> {
  const [current, linked] = await Promise.all([
    accountOf(held).catch(() => ({ name: '', id: 'another account' })),
    accountOf(offered).catch(() => null),
  ]);
  if (linked === null) {
    toast('This login link opened no session.');
    return held;
  }
  if (current === null) return offered;
  if (await confirmReplacing(namedAccount(current), namedAccount(linked))) return offered;
  serviceFor(offered)
    .logout()
    .catch(() => {});
  return held;
}

/** Offers to activate a backup key, which can do nothing else. @returns whether it is the active key now */
export async function offerActivation(credential: string): Promise<boolean> {
  const text =
    'A backup key can only become the active key of its account. The current active key then stops working at once.';
  if (!(await confirmed('This is a backup key', text, 'Activate this key'))) return false;
  await serviceFor(credential).activateBackupKey({});
  return true;
}

/** What an operator's address may see; null for keys, and for sessions of someone who operates nothing. */
export async function readOperated(service: SignetClient, credential: string): Promise<Operated | null> {
  if (!isSession(credential)) return null;
  const operated: Operated = { agents: [], waiting: [] };
  let cursor: string | undefined;
  try {
    do {
      const page = await service.listOperatorAgents({ limit: 50, cursor });
      operated.agents.push(...page.agents);
      if (cursor === undefined) operated.waiting = page.waiting;
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined && operated.agents.length < AGENTS_MAX);
  } catch (err) {
    if (hasCode(err, 'operator_required', 'forbidden', 'insufficient_scope')) return null;
    throw err;
  }
  return operated.agents.length + operated.waiting.length === 0 ? null : operated;
}

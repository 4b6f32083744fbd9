import type { LockdownResult, Securing } from '../../../api/account/lockdown-parts.ts';
import type { Tx } from '../../../api/transaction.ts';
import { endLoginLinks } from '../../service/mailer/mailed-link.ts';
import { endOpenSessions } from './session-store.ts';

/** Ends an account's other sessions and its unused links. Those of an operator stay: no key may lock the operator out. */
export async function secureLogins(
  tx: Tx,
  { accountId, keptSession, whole, now }: Securing,
): Promise<Pick<LockdownResult, 'ended'>> {
  const sessions = await endOpenSessions(tx, accountId, keptSession, now);
  return { ended: { sessions, links: await endLoginLinks(tx, accountId, whole, now) } };
}

import { html, type TemplateResult } from 'lit-html';
import { systemNow } from '../../../../client/client-clock.ts';
import { fullTime } from '../../ui/format.ts';
import { action, change } from '../../ui/kit/action.ts';
import type { Workspace } from '../../ui/workspace.ts';

/** The deletion that waits for an account, and the way to keep the account. */

export interface PlannedDeletion {
  at: string;
  /** `key`, `session`, `operator` or `administrator`. */
  by: string;
  /** The prefix of a key, an address, or `administrator`. */
  askedBy: string;
}

const YOUNG_MS = 7 * 86_400_000;
const SET_UP_MS = 3_600_000;

/** The deletion that waits for the account, as its latest event about that says; null: it stays. */
export async function deletionOf(workspace: Workspace): Promise<PlannedDeletion | null> {
  const type = 'account.deletion_scheduled,account.deletion_cancelled';
  const { events } = await workspace.service.listEvents({ type, order: 'desc', limit: 1 });
  const [latest] = events;
  if (latest?.type !== 'account.deletion_scheduled') return null;
  const { deletes_at: at, by, asked_by: askedBy } = latest.data;
  return { at: String(at), by: String(by), askedBy: String(askedBy) };
}

/**
 * Whether the caller may keep the account, as far as the console can tell: the service decides.
 * @param reader the address of the caller's session
 */
function mayKeep(
  { account, isSession }: Workspace,
  { by, askedBy }: PlannedDeletion,
  reader: string | undefined,
): boolean {
  if (by !== 'operator') return by !== 'administrator';
  const operator = account.people.find(({ role, address }) => role === 'operator' && address === askedBy);
  const since = operator?.confirmed_at ?? null;
  if (since === null) return isSession;
  const age = systemNow() - Date.parse(since);
  if (!isSession) return age < YOUNG_MS && Date.parse(since) - Date.parse(account.created_at) >= SET_UP_MS;
  return (
    reader === askedBy ||
    account.people.some(({ address, confirmed_at: at }) => address === reader && at !== null && at < since)
  );
}

/** Shows who asked, and the button that keeps the account, or why there is none. */
export function planned(workspace: Workspace, deletion: PlannedDeletion, reader: string | undefined): TemplateResult {
  const keep = () => change(workspace, () => workspace.service.cancelAccountDeletion({}), 'The account stays.');
  const { at, by } = deletion;
  const who =
    by === 'administrator'
      ? 'The administrator of this service decided it, and only the administrator can cancel it.'
      : by === 'operator'
        ? `Asked by ${deletion.askedBy}, an operator.`
        : `Asked by ${deletion.askedBy}.`;
  return html`
    <p class="banner" id="deletion">The account will be deleted on ${fullTime(at)}. ${who}
      ${mayKeep(workspace, deletion, reader) ? action('Keep the account', keep) : by === 'operator' ? 'Only this operator, or a person whose address was confirmed earlier, can keep the account.' : ''}</p>`;
}

import type { Tx } from '../../../api/transaction.ts';
import { type Account, findAccount } from '../../account/accounts/account-lifecycle.ts';
import { type Observation, recordObservations } from '../../service/observations/observation.ts';

/** An event as it is sent (spec, Tokens, trust, discovery, telemetry). */
export interface TelemetryEvent {
  event: string;
  agent_id: string;
  timestamp: string;
  action_type: 'tool_call' | 'memory_update' | 'decision' | 'external_request';
  outcome: 'success' | 'failure' | 'anomaly';
  axiom_hash?: string;
  context_ref?: string;
}

const AGENT_ID = /^acc_[0-9A-Za-z]{1,60}$/;

/** The account that answers for another: the platform of a pod. */
const rootOf = ({ id, parentId }: Pick<Account, 'id' | 'parentId'>): string => parentId ?? id;

/** Existing accounts, other than the caller, that the events name, one entry per event, and for which it is a witness. */
async function peersIn(tx: Tx, accountId: string, events: readonly TelemetryEvent[]) {
  const named = events.map((event) => event.agent_id).filter((id) => id !== accountId && AGENT_ID.test(id));
  const known = new Map<string, string>();
  for (const id of new Set(named)) {
    const account = await findAccount(tx, id);
    if (account) known.set(id, rootOf(account));
  }
  const reporter = rootOf((await findAccount(tx, accountId)) as Account);
  const of = new Set([...known].filter(([, root]) => root !== reporter).map(([id]) => id));
  return { peers: named.filter((id) => known.has(id)), witness: { id: reporter, of } };
}

/**
 * Stores events as shared observations of the caller, all or none. `agent_id` is stored as sent, because a report about
 * another agent is still the caller's own statement.
 */
export async function submitTelemetry(
  tx: Tx,
  accountId: string,
  events: readonly TelemetryEvent[],
  now: number,
): Promise<Observation[]> {
  const added = events.map((event) => ({
    topic: `telemetry.${event.event}`,
    content: JSON.stringify(event),
    shared: true,
    displayName: null,
  }));
  const { peers, witness } = await peersIn(tx, accountId, events);
  return recordObservations(tx, accountId, added, now, peers, witness);
}

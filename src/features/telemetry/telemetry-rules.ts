import type { Tx } from '../../kernel/transaction.ts';
import { findAccount } from '../accounts/account-rules.ts';
import { type Observation, recordObservations } from '../observations/observation-rules.ts';

/** What an agent reports, in the words of the wire (spec, Tokens, trust, discovery, telemetry). */
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

/** Accounts other than the reporter that the events name; once for each event. */
async function peersIn(tx: Tx, accountId: string, events: readonly TelemetryEvent[]): Promise<string[]> {
  const named = events.map((event) => event.agent_id).filter((id) => id !== accountId && AGENT_ID.test(id));
  const known = new Set<string>();
  for (const id of new Set(named)) if (await findAccount(tx, id)) known.add(id);
  return named.filter((id) => known.has(id));
}

/**
 * Stores events as shared observations of the caller, all or none. `agent_id` is recorded as given: whoever reports on
 * another agent speaks for itself.
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
  return recordObservations(tx, accountId, added, now, await peersIn(tx, accountId, events));
}

import type { Tx } from '../../kernel/transaction.ts';
import { findAccount } from '../accounts/account-rules.ts';
import { type Observation, recordObservations } from '../observations/observation-rules.ts';

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

/** Existing accounts, other than the caller, that the events name, one entry per event. */
async function peersIn(tx: Tx, accountId: string, events: readonly TelemetryEvent[]): Promise<string[]> {
  const named = events.map((event) => event.agent_id).filter((id) => id !== accountId && AGENT_ID.test(id));
  const known = new Set<string>();
  for (const id of new Set(named)) if (await findAccount(tx, id)) known.add(id);
  return named.filter((id) => known.has(id));
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
  return recordObservations(tx, accountId, added, now, await peersIn(tx, accountId, events));
}

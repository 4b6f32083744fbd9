import type { SignetClient } from '../../../../client/signet-client.ts';
import { hasCode, isSignedOut } from '../../ui/console-service.ts';
import { agentName } from '../../ui/format.ts';
import type { Agent, Workspace } from '../../ui/workspace.ts';
import type { Approval } from '../charge-part.ts';
import type { CredentialRequest, Notice, Quarantined, Review } from '../pending-item-part.ts';

/** What waits for a person at the person's agents. The list of agents counts it, so only what is there is read. */

/** What one agent waits for. */
export interface Waits {
  notices: Notice[];
  approvals: Approval[];
  requests: CredentialRequest[];
  reviews: Review[];
  quarantined: Quarantined[];
}

type Kind = keyof Waits;

/** How many of each kind an agent has. In the order in which they are shown, and read. */
const COUNTS = {
  notices: 'open_notices',
  approvals: 'open_approvals',
  requests: 'open_credential_requests',
  reviews: 'open_reviews',
  quarantined: 'open_quarantined',
} as const satisfies Record<Kind, keyof Agent>;
const KINDS = Object.keys(COUNTS) as Kind[];

const readOf: { readonly [K in Kind]: (service: SignetClient) => Promise<Waits[K]> } = {
  notices: async (service) => (await service.listNotices({})).notices,
  approvals: async (service) => (await service.listApprovals({ status: 'pending', limit: 200 })).approvals,
  requests: async (service) => (await service.listCredentialRequests({ limit: 20 })).requests,
  reviews: async (service) => (await service.listReviews({ status: 'pending', limit: 50 })).reviews,
  quarantined: async (service) => (await service.listQuarantine({ limit: 10 })).messages,
};

/** Lists that one reading asks for, however many agents there are. */
const READ_MAX = 40;

export interface Waiting {
  byAgent: ReadonlyMap<string, Partial<Waits>>;
  /** Why some of it did not load; null if all did. */
  problem: unknown;
  /** The agents that this is about, by name. */
  failed: readonly string[];
  /** Whether more waits than was read. */
  isCut: boolean;
  /** How many requests it took. */
  requests: number;
}

export const NOTHING_WAITS: Waiting = { byAgent: new Map(), problem: null, failed: [], isCut: false, requests: 0 };

/** @param before what stays where reading fails */
export async function readWaiting(workspace: Workspace, before: Waiting): Promise<Waiting> {
  const agents = workspace.operated?.agents ?? [];
  const all = KINDS.flatMap((kind) =>
    agents.filter((agent) => agent[COUNTS[kind]] > 0).map((agent) => ({ kind, agent })),
  );
  const wanted = all.slice(0, READ_MAX);
  const byAgent = new Map<string, Partial<Waits>>(agents.map(({ account_id: id }) => [id, {}]));
  const failed = new Set<string>();
  let problem: unknown = null;
  await Promise.all(
    wanted.map(async ({ kind, agent: { account_id: id, name } }) => {
      const keep = (entries: unknown): unknown => Object.assign(byAgent.get(id) ?? {}, { [kind]: entries });
      try {
        keep(await readOf[kind](workspace.serviceOf(id)));
      } catch (err) {
        if (isSignedOut(err)) throw err;
        // The person is no longer its operator, so nothing of it waits.
        if (hasCode(err, 'not_found')) return;
        keep(before.byAgent.get(id)?.[kind] ?? []);
        problem ??= err;
        failed.add(agentName(name));
      }
    }),
  );
  return { byAgent, problem, failed: [...failed], isCut: all.length > READ_MAX, requests: wanted.length };
}

import type { ListOperatorWaitingReply } from '../../../../client/generated/operations.ts';
import { isSignedOut } from '../../ui/console-service.ts';
import type { Workspace } from '../../ui/workspace.ts';

/** What waits for a person at the person's agents, from one list over all of them. */

export type WaitingItem = ListOperatorWaitingReply['items'][number];

const PAGE = 200;
/** Pages that one reading asks for. */
const PAGES_MAX = 5;

export interface Waiting {
  /** Oldest first, and only what the person can decide. */
  items: readonly WaitingItem[];
  /** Why it did not load; null if it did. */
  problem: unknown;
  /** Whether more waits than was read. */
  isCut: boolean;
  /** How many requests it took. */
  requests: number;
}

export const NOTHING_WAITS: Waiting = { items: [], problem: null, isCut: false, requests: 0 };

/** @param before what stays where reading fails */
export async function readWaiting({ service }: Workspace, before: Waiting): Promise<Waiting> {
  const items: WaitingItem[] = [];
  let requests = 0;
  let cursor: string | null = null;
  try {
    do {
      requests += 1;
      const page: ListOperatorWaitingReply = await service.listOperatorWaiting({
        limit: PAGE,
        ...(cursor && { cursor }),
      });
      items.push(...page.items.filter((item) => item.for === 'you'));
      cursor = page.next_cursor;
    } while (cursor !== null && requests < PAGES_MAX);
  } catch (problem) {
    if (isSignedOut(problem)) throw problem;
    return { ...before, problem, requests };
  }
  return { items, problem: null, isCut: cursor !== null, requests };
}

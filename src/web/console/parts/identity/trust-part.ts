import { html, type TemplateResult } from 'lit-html';
import type { GetTrustReply } from '../../../../client/generated/operations.ts';
import { isRefused } from '../../ui/console-service.ts';
import { count, fill } from '../../ui/format.ts';
import type { Desk } from '../../ui/workspace.ts';
import { words } from '../../words/console-words.ts';
import { bar } from '../bar-part.ts';

/** The trust profile of an agent, with what it rests on. */

const PARTS = ['behavioral', 'consistency', 'reputation', 'transparency'] as const;
const SCORE_MAX = 1000;
const PART_MAX = 250;

/** @returns null where the service keeps none, and for a key that may not read it */
export async function readTrust({ service, account }: Desk): Promise<GetTrustReply | null> {
  try {
    return await service.getTrust({ agentId: account.account_id });
  } catch (err) {
    if (isRefused(err)) return null;
    throw err;
  }
}

export function trustSection({ score, tier, breakdown, evidence }: GetTrustReply): TemplateResult {
  const { trust } = words;
  const of = (used: number, max: number): string => fill(trust.of, { used: count(used), max: count(max) });
  return html`
    <h2>${trust.title}</h2>
    <div class="sheet">
      <p><span class="badge">${trust.tiers[tier]}</span> ${fill(trust.evidence, { self: count(evidence.self), peer: count(evidence.peer) })}</p>
      <p class="fine">${evidence.peer === 0 ? trust.ownWord : trust.peersDoNotCount}</p>
      ${bar(trust.score, score, SCORE_MAX, of(score, SCORE_MAX))}
      <div class="columns">${PARTS.map((part) => bar(trust.parts[part], breakdown[part], PART_MAX, of(breakdown[part], PART_MAX)))}</div>
    </div>`;
}

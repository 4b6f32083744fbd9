import { html, type TemplateResult } from 'lit-html';
import type { GetTrustReply } from '../../../../client/generated/operations.ts';
import { isRefused } from '../../ui/console-service.ts';
import { count } from '../../ui/format.ts';
import { section } from '../../ui/kit/section.ts';
import type { Workspace } from '../../ui/workspace.ts';
import { usedBar } from '../bar-part.ts';

/** The trust profile of an agent, with what it rests on. */

const SCORE_MAX = 1000;
const PART_MAX = 250;

/** @returns null where the service keeps none, and for a key that may not read it */
export async function readTrust({ service, account }: Workspace): Promise<GetTrustReply | null> {
  try {
    return await service.getTrust({ agentId: account.account_id });
  } catch (err) {
    if (isRefused(err)) return null;
    throw err;
  }
}

const TIERS = { untrusted: 'Untrusted', provisional: 'Provisional', trusted: 'Trusted', verified: 'Verified' };
const PARTS = {
  behavioral: 'Observations',
  consistency: 'Recency',
  reputation: 'Range of topics',
  transparency: 'Shared observations',
} as const;

export function trustSection({ score, tier, breakdown, evidence }: GetTrustReply): TemplateResult {
  const basis =
    evidence.peer === 0
      ? 'No one else has reported on this agent. The score rests on its own word.'
      : 'The score rests on its own observations. Reports of others do not change it.';
  const part = ([name, label]: [string, string]) =>
    usedBar(label, { used: breakdown[name as keyof typeof PARTS], limit: PART_MAX });
  return section(
    'trust',
    'Trust',
    html`
      <p><span class="badge">${TIERS[tier]}</span> ${count(evidence.self)} observations by the agent itself, ${count(evidence.peer)} reports of others about it.</p>
      <p class="fine">${basis}</p>
      ${usedBar('Score', { used: score, limit: SCORE_MAX })} ${Object.entries(PARTS).map(part)}`,
  );
}

import type { Verdict } from '../../../mail/mime/screening-result.ts';
import type { MailAuth } from '../../../mail/sender-auth/mail-auth.ts';
import type { InboundAnswer, InboundPolicy } from './mail-policy-table.ts';
import { listedIn } from './recipient-list.ts';

/** What the policy looks at in a mail that arrives. */
export interface Arrival {
  /** The From address, or the envelope's sender. */
  from: string;
  auth: MailAuth;
  /** Null: not screened, because the address keeps its mail sealed. */
  verdict: Verdict | null;
}

/** What happens to a mail, and why. The reason is for the owner and says nothing of the content. */
export interface Judgement {
  answer: InboundAnswer;
  reason: 'blocked' | 'not_listed' | 'unauthenticated' | 'suspicious' | 'dangerous' | null;
}

const STRICTNESS = { accept: 0, quarantine: 1, reject: 2 } as const;

/** An allow-list counts only for a sender that DMARC proves, or that is an address of this service. */
const isProven = ({ method, dmarc, verified_from: isVerified }: MailAuth): boolean =>
  isVerified && (method === 'internal' || dmarc === 'pass');

/** Judges a mail. Of several rules that speak against it the strictest counts. */
export function judge(policy: InboundPolicy, { from, auth, verdict }: Arrival): Judgement {
  const listed = listedIn({ allow: isProven(auth) ? policy.allow : [], block: policy.block }, from);
  if (listed === 'block') return { answer: 'reject', reason: 'blocked' };
  if (policy.from === 'list' && listed !== 'allow') return { answer: 'reject', reason: 'not_listed' };
  const found: Judgement[] = [];
  if (!auth.verified_from) found.push({ answer: policy.unauthenticated, reason: 'unauthenticated' });
  if (verdict === 'dangerous') found.push({ answer: policy.dangerous, reason: 'dangerous' });
  // A dangerous mail is at least suspicious.
  if (verdict === 'dangerous' || verdict === 'suspicious')
    found.push({ answer: policy.suspicious, reason: verdict === 'dangerous' ? 'dangerous' : 'suspicious' });
  const strictest = found.sort((a, b) => STRICTNESS[b.answer] - STRICTNESS[a.answer])[0];
  return strictest && strictest.answer !== 'accept' ? strictest : { answer: 'accept', reason: null };
}

/** Whether mail may be refused before it is taken, so that it has to be read first. */
export const mayReject = ({ from, block, unauthenticated, dangerous }: InboundPolicy): boolean =>
  from === 'list' || block.length > 0 || unauthenticated === 'reject' || dangerous === 'reject';

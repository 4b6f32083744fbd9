import type { Findings, Safety, Signal, Verdict } from '../mime/screening-result.ts';
import type { MailAuth } from '../sender-auth/mail-auth.ts';

/** What only the receiving side knows of a mail. */
export interface Receipt {
  auth: Pick<MailAuth, 'dmarc'>;
  /** The account had no mail from this sender before. Null: not known. */
  isFirstContact: boolean | null;
}

const SUSPICIOUS_FROM = 0.4;
const DANGEROUS_FROM = 0.8;

/** How likely a mail is hostile, when its signals are independent of each other ("noisy or"). */
const riskOf = (signals: readonly Signal[]): number =>
  1 - signals.reduce((innocence, { weight }) => innocence * (1 - weight), 1);

const verdictOf = (risk: number): Verdict =>
  risk >= DANGEROUS_FROM ? 'dangerous' : risk >= SUSPICIOUS_FROM ? 'suspicious' : 'clean';

/** Judges a mail from what it shows itself and from what is known of its sender. */
export function safetyOf(findings: Pick<Findings, 'signals'> | null, { auth, isFirstContact }: Receipt): Safety {
  const signals: Signal[] = [...(findings?.signals ?? [])];
  if (auth.dmarc === 'fail') signals.push({ name: 'dmarc_failed', weight: 0.2, where: 'from' });
  if (isFirstContact) signals.push({ name: 'first_contact', weight: 0.05, where: 'from' });
  return { verdict: verdictOf(riskOf(signals)), signals: signals.sort((a, b) => b.weight - a.weight) };
}

/** The outcomes of direct delivery: of a domain that was not reached, and of a mail to several domains. */
import type { MxError } from 'mx-connect';
import { oneLine, type RejectedRecipient, type SendOutcome } from './smtp-reply.ts';

/**
 * No server could be reached. The domain's own answer is final: it does not exist, it has no mail server, or it takes no
 * mail (RFC 7505). A server that is down, a DNS that does not answer and a policy that is not met may change.
 */
export function outcomeOfMx(err: MxError): SendOutcome {
  const isFinal = err.category === 'dns' && err.temporary !== true;
  const code = err.code === 'ENULLMX' ? '556 5.1.10' : isFinal ? '550 5.1.2' : '451 4.4.1';
  const reason = oneLine(`${code} ${err.message}`);
  return { status: isFinal ? 'rejected' : 'deferred', reason, rejected: [] };
}

/** The outcome of a mail from those of its domains. */
export function together(parts: readonly { recipients: readonly string[]; outcome: SendOutcome }[]): SendOutcome {
  if (parts.length === 1) return (parts[0] as (typeof parts)[number]).outcome;
  const rejected = parts.flatMap(({ recipients, outcome }) => refusalsIn(recipients, outcome));
  const sent = parts.map(({ outcome }) => outcome).find((outcome) => outcome.status === 'sent');
  if (sent) return { ...sent, rejected };
  const reason = rejected[0]?.reason ?? '';
  return { status: rejected.every(({ permanent }) => permanent) ? 'rejected' : 'deferred', reason, rejected };
}

/** Every recipient of a domain that was not served, and why. */
function refusalsIn(recipients: readonly string[], outcome: SendOutcome): RejectedRecipient[] {
  if (outcome.status === 'sent') return outcome.rejected;
  return recipients.map((address) => {
    const own = outcome.rejected.find((refusal) => refusal.address === address);
    const permanent = outcome.status === 'rejected' || own?.permanent === true;
    return { address, reason: own?.reason ?? outcome.reason, permanent };
  });
}

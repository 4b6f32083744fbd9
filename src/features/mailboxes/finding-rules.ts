import type { Findings, FoundCode } from '../../kernel/findings.ts';
import { domainOf } from '../../kernel/mail-address.ts';
import type { MailAuth } from '../../kernel/mail-auth.ts';
import { findingsOf, HTML_CHARS_ON_MAIN } from '../../mail/screening/findings.ts';
import type { Message } from './message-data.ts';

/** The code that counts: one that is bound to a domain counts only when the From address is proven. */
export const codeOf = (findings: Findings | null, auth: MailAuth): FoundCode | null =>
  (auth.verified_from ? findings?.provenCode : findings?.code) ?? null;

/** What is stored of a mail's body. */
interface Body {
  text: string | null;
  html: string | null;
  findings: Findings | null;
}

/** The code and links of a message, as the API shows them. */
export function foundIn(message: Message, body: Body | null) {
  if (message.encryption) return { code: null, links: null, sealed: true };
  const findings =
    body?.findings ??
    findingsOf({
      subject: message.subject,
      text: body?.text ?? '',
      html: body?.html?.slice(0, HTML_CHARS_ON_MAIN) ?? null,
      from: message.fromAddress,
    });
  const found = codeOf(findings, message.auth);
  const code = found && {
    code: found.code,
    kind: 'code' as const,
    confidence: found.confidence,
    method: found.method,
    sender: { domain: domainOf(message.fromAddress), dmarc: message.auth.dmarc },
    expires_hint: found.expiresIn,
    candidates: found.candidates,
    message_id: message.id,
  };
  return { code, links: findings.links };
}

import type { Static } from 'typebox';
import { domainOf } from '../../../../mail/address/mail-address.ts';
import type { Findings, FoundCode, FoundLink, Safety } from '../../../../mail/mime/screening-result.ts';
import {
  HTML_CHARS_ON_MAIN,
  type Screening,
  screen,
  TEXT_CHARS_ON_MAIN,
} from '../../../../mail/screening/mail-screening.ts';
import { safetyOf } from '../../../../mail/screening/verdict.ts';
import type { MailAuth } from '../../../../mail/sender-auth/mail-auth.ts';
import type { Message } from './message-table.ts';
import type { MailCode } from './screening-schema.ts';

/** The code that counts: one that is bound to a domain counts only when the From address is proven. */
export const codeOf = (findings: Findings | null, auth: MailAuth): FoundCode | null =>
  (auth.verified_from ? findings?.provenCode : findings?.code) ?? null;

/** What is stored of a mail's body. */
interface Body {
  text: string | null;
  html: string | null;
  visibleText: string | null;
  findings: Findings | null;
}

/** What was found at arrival; computed now for a message from before there was a screening. */
export function screenedOf(message: Message, body: Body | null): Screening | null {
  if (message.encryption) return null;
  const text = body?.text ?? '';
  if (body?.findings) return { visibleText: body.visibleText, findings: body.findings };
  return screen({
    subject: message.subject,
    text: text.slice(0, TEXT_CHARS_ON_MAIN),
    html: body?.html?.slice(0, HTML_CHARS_ON_MAIN) ?? null,
    from: { address: message.fromAddress, name: message.fromName ?? '' },
    replyTo: message.recipients.reply_to.map((address) => ({ address, name: '' })),
    to: [],
  });
}

/** The code and links of a message, as the API shows them. Links are null when it is sealed. */
export interface Found {
  code: Static<typeof MailCode> | null;
  links: FoundLink[] | null;
  sealed?: true;
}

/** The code and links of a message. */
export function foundIn(message: Message, screened: Screening | null): Found {
  if (screened === null) return { code: null, links: null, sealed: true };
  const { findings } = screened;
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

/** The verdict of a message: that of its arrival, or for an older message that of its content alone. */
export function safetyIn({ safetyVerdict, safetySignals, auth }: Message, screened: Screening | null): Safety | null {
  if (screened === null) return null;
  if (safetyVerdict !== null) return { verdict: safetyVerdict, signals: safetySignals ?? [] };
  return safetyOf(screened.findings, { auth, isFirstContact: null });
}

export type OutgoingAttachment = {
  filename: string;
  contentType: string;
  content: Uint8Array;
  contentId?: string | undefined;
};

export type OutgoingMail = {
  from: { address: string; name?: string | undefined };
  /** Plain mailboxes `local@domain`, one each. */
  to: readonly string[];
  cc?: readonly string[] | undefined;
  /** Checked like the others, but never written: Bcc recipients are only in the envelope (RFC 5322 3.6.3). */
  bcc?: readonly string[] | undefined;
  replyTo?: string | null | undefined;
  subject: string;
  text: string;
  html?: string | null | undefined;
  /** Message ids, with or without angle brackets. */
  inReplyTo?: string | null | undefined;
  references?: readonly string[] | undefined;
  messageId: string;
  date: Date;
  attachments?: readonly OutgoingAttachment[] | undefined;
  /** An iTIP message: an alternative to the text, and the file invite.ics (RFC 6047). */
  calendar?: { method: string; content: string } | undefined;
  /** RFC 3834: set it on every automatic mail. */
  autoSubmitted?: 'auto-generated' | 'auto-replied' | undefined;
};

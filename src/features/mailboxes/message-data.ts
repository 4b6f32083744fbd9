import type { Encryption, MailAuth } from '../../kernel/mail-facts.ts';

/** What the headers say; filled in when the message has been parsed. */
export interface Envelope {
  threadId: string | null;
  rfcMessageId: string | null;
  fromAddress: string;
  fromName: string | null;
  to: string[];
  cc: string[];
  replyTo: string[];
  subject: string;
  snippet: string;
  inReplyTo: string | null;
  references: string[];
  /** The Date header, ISO 8601. */
  sentAt: string | null;
  attachments: number;
}

export interface Message extends Envelope {
  id: string;
  accountId: string;
  address: string;
  contentId: string;
  envelopeFrom: string;
  auth: MailAuth;
  encryption: Encryption | null;
  sizeBytes: number;
  read: boolean;
  archived: boolean;
  /** False until it has been parsed: the copy is safe, and shows when there is something to show. */
  visible: boolean;
  receivedAt: number;
  labels: string[];
  /** Its place in the order of the search index; null: it is not in it. */
  searchDoc: number | null;
}

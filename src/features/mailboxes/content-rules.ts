import {
  finishParsing,
  freeUnparsed,
  hasUnparsed,
  insertAttachments,
  insertContent,
  leaseUnparsed,
  listAttachments,
  readAttachment,
  readBody,
  readRaw,
  releaseContent,
  unparsedMail,
} from './content-store.ts';

/** What mail on its way in or out does with contents, which copies in mailboxes and the outbox share. */
export {
  finishParsing,
  freeUnparsed,
  hasUnparsed,
  insertAttachments,
  insertContent,
  leaseUnparsed,
  listAttachments,
  readAttachment,
  readBody,
  readRaw,
  releaseContent,
  unparsedMail,
};

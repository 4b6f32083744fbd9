import {
  finishParsing,
  hasUnparsed,
  insertAttachments,
  insertContent,
  leaseUnparsed,
  readRaw,
  releaseContent,
} from './content-store.ts';

/** What mail on its way in or out does with contents: they are shared by the copies in mailboxes and the outbox. */
export { finishParsing, hasUnparsed, insertAttachments, insertContent, leaseUnparsed, readRaw, releaseContent };

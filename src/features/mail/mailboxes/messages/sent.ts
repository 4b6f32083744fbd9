import { snippetOf } from '../../../../mail/mime/reply-text.ts';
import {
  contentOfSent,
  contentsOfSent,
  findOutbox,
  idsInSent,
  insertOutbox,
  keepSentContent,
  listOutbox,
  lockOutbox,
  readSentText,
  sentByIds,
  sentInThread,
  sentWithRfcId,
  setInFolder,
  updateOutbox,
} from './sent-store.ts';
import type { Deferral, OutboxEntry, Outcome } from './sent-table.ts';

export type { Deferral, OutboxEntry, Outcome };
/** What other features read and write of sent mail. */
export {
  contentOfSent,
  contentsOfSent,
  findOutbox,
  idsInSent,
  insertOutbox,
  keepSentContent,
  listOutbox,
  lockOutbox,
  readSentText,
  sentByIds,
  sentInThread,
  sentWithRfcId,
  setInFolder,
  updateOutbox,
};

/** The beginning of a sent mail, for lists. */
export const snippetOfSent = ({ excerpt }: Pick<OutboxEntry, 'excerpt'>): string => snippetOf(excerpt ?? '');

import { snippetOf } from '../../mail/reply-text.ts';
import {
  findOutbox,
  insertOutbox,
  listOutbox,
  lockOutbox,
  type OutboxEntry,
  type Outcome,
  sentInThread,
  updateOutbox,
} from './sent-store.ts';

export { findOutbox, insertOutbox, listOutbox, lockOutbox, type OutboxEntry, type Outcome, sentInThread, updateOutbox };

/** What a list shows of a sent mail. */
export const snippetOfSent = ({ excerpt }: Pick<OutboxEntry, 'excerpt'>): string => snippetOf(excerpt ?? '');

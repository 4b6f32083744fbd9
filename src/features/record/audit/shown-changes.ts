import type { AuditRecord } from '../../../api/audit-record.ts';

/** Changes of who may do what, of where things go, and of what others see. */
const CATEGORIES = new Set([
  ...['account', 'address', 'budget', 'delegation', 'e2e', 'grant', 'key', 'mail_policy', 'passkey', 'person', 'pod'],
  ...['profile', 'program', 'signing_key', 'stack', 'webhook'],
]);
const OTHERS = new Set(['vault.recovery_set', 'vault.recovered', 'login.session_opened', 'calendar.feed_rotated']);

/** Whether the owner of an account that is secured looks through it. */
export const isShownChange = ({ action, status }: Pick<AuditRecord, 'action' | 'status'>): boolean =>
  status < 400 && (CATEGORIES.has(action.slice(0, action.indexOf('.'))) || OTHERS.has(action));

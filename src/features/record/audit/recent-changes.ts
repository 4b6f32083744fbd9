import { LOOK_BACK_DAYS, type LockdownHook, type RecentChange } from '../../../api/account/lockdown-parts.ts';
import type { AuditRecord } from '../../../api/audit-record.ts';
import { DAY_MS } from '../../../base/period.ts';
import type { AuditEntry } from './audit-query.ts';
import { readChanges, readKindsBefore } from './audit-store.ts';

/** Changes of who may do what, of where things go, and of what others see. */
const CATEGORIES = new Set([
  ...[
    'account',
    'address',
    'budget',
    'delegation',
    'e2e',
    'grant',
    'key',
    'mail_policy',
    'passkey',
    'person',
    'pod',
    'way_policy',
  ],
  ...['profile', 'program', 'signing_key', 'stack', 'webhook'],
]);
const OTHERS = new Set(['vault.recovery_set', 'vault.recovered', 'login.session_opened', 'calendar.feed_rotated']);

/** Whether the owner of an account that is secured looks through it. */
export const isShownChange = ({
  action,
  status,
  isDryRun,
}: Pick<AuditRecord, 'action' | 'status' | 'isDryRun'>): boolean =>
  status < 400 && !isDryRun && (CATEGORIES.has(action.slice(0, action.indexOf('.'))) || OTHERS.has(action));

/** Entries that are read one by one. Of older ones each kind is counted, and its newest is read. */
const READ_MAX = 2000;

/** Who acted, in words: a key by its prefix, a person by role and id. */
function nameActor(actor: AuditEntry['actor']): string {
  if (typeof actor === 'string') return actor;
  if (actor.kind === 'key') return actor.prefix;
  if (actor.kind === 'person') return `${actor.role} ${actor.id}`;
  return 'id' in actor ? `${actor.kind} ${actor.id}` : actor.kind;
}

function changeOf({ entry, at }: { entry: string; at: number }): RecentChange {
  const { action, actor, resource_id } = JSON.parse(entry) as AuditEntry;
  return { at, what: action, detail: `${resource_id ?? ''} by ${nameActor(actor)}`.trim() };
}

/**
 * Shows an account that is being secured what changed in 30 days, newest first. However much there is, no kind of change is
 * left out, and the rest of the audit log is not read.
 */
export const recentChanges: LockdownHook = async (tx, { accountId, now }) => {
  const since = now - LOOK_BACK_DAYS * DAY_MS;
  const newest = await readChanges(tx, accountId, since, READ_MAX);
  const last = newest.at(-1);
  if (last === undefined || newest.length < READ_MAX) return { changes: newest.map(changeOf) };
  const older = (await readKindsBefore(tx, accountId, since, last)).map(({ count, ...kind }) => {
    const change = changeOf(kind);
    return count === 1 ? change : { ...change, detail: `${change.detail}, and others`, count };
  });
  return { changes: [...newest.map(changeOf), ...older] };
};

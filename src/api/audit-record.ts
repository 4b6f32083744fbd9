import type { TSchema } from 'typebox';
import { type AuditActor, isConsole, type Principal, type WrittenActor } from './principal.ts';

const ANONYMOUS: WrittenActor = { kind: 'anonymous' };
export const SERVICE: WrittenActor = { kind: 'service' };

/** A state-changing call, as it goes into the audit log. */
export interface AuditRecord {
  accountId: string;
  /** `category.verb` */
  action: string;
  resourceId: string | null;
  /** The accounts that acted by delegation: the caller first, then those that passed it on. Absent: the account itself. */
  act?: readonly string[];
  /** How many things a job did it to. Absent: one. */
  count?: number;
  actor: AuditActor;
  /** Keyed hash of the client's address. */
  ip: string;
  requestId: string;
  /** HTTP status of the reply. */
  status: number;
  /** Milliseconds since the epoch. */
  now: number;
  /** Nothing of it happened: it was tried. */
  isDryRun?: true;
  /** What was done, in words. Absent: the words of the action. */
  summary?: string;
  change?: AuditChange;
  /** Set for what the console of a person read. */
  isConsole?: true;
  /** The network of the client. It is kept beside the entry for a while, and not hashed. */
  network?: string | null;
}

type Value = string | number | boolean | null | string[];

/** What a call changed, of the fields that the audit log may keep, by their paths: `settings.on_limit`. */
export interface AuditChange {
  before?: Record<string, Value>;
  after?: Record<string, Value>;
}

/** What an audit entry says about the caller of a request. */
export const callerOf = (principal: Principal | null): Pick<AuditRecord, 'actor' | 'act'> => ({
  actor: principal?.auditActor ?? ANONYMOUS,
  ...(principal?.delegation ? { act: principal.delegation.actors } : {}),
});

/** What an audit entry says of a read by the console of a person. */
export const consoleRead = (method: string, principal: Principal | null): Pick<AuditRecord, 'isConsole'> =>
  method === 'GET' && principal !== null && isConsole(principal) ? { isConsole: true } : {};

interface Marked {
  'x-audit'?: true;
  properties?: Record<string, Marked>;
  anyOf?: Marked[];
}

/** The longest list of which the entries are kept. Of a longer one it is their number. */
const LIST_MAX = 40;
const TEXT_MAX = 300;

function keptOf(value: unknown): Value {
  if (Array.isArray(value)) return value.length > LIST_MAX ? `${value.length} entries` : value.map(String);
  if (typeof value === 'string') return value.slice(0, TEXT_MAX);
  return typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

/** Puts the marked values into `kept`, by their paths. */
function keep(
  { properties, anyOf = [], ...schema }: Marked,
  value: unknown,
  path: string,
  kept: Map<string, Value>,
): void {
  if (schema['x-audit']) {
    if (value !== undefined) kept.set(path, keptOf(value));
    return;
  }
  for (const option of anyOf) keep(option, value, path, kept);
  for (const [name, property] of Object.entries(properties ?? {}))
    keep(property, (value as Record<string, unknown> | null)?.[name], path === '' ? name : `${path}.${name}`, kept);
}

/**
 * What a change did to a thing, of the fields that its schema marks with `audited`. Of two states, only what differs.
 * @param before null: it was made; `after` null: it was removed
 */
export function changeOf(schema: TSchema, before: unknown, after: unknown): AuditChange {
  const [was, is] = [before, after].map((state) => {
    const kept = new Map<string, Value>();
    if (state !== null) keep(schema as Marked, state, '', kept);
    return kept;
  }) as [Map<string, Value>, Map<string, Value>];
  const isSame = (path: string): boolean => JSON.stringify(was.get(path)) === JSON.stringify(is.get(path));
  // In the order of their names, which the hash wants.
  const shown = (kept: Map<string, Value>) =>
    Object.fromEntries([...kept].filter(([path]) => !isSame(path)).sort(([a], [b]) => (a < b ? -1 : 1)));
  return {
    ...(before === null ? {} : { before: shown(was) }),
    ...(after === null ? {} : { after: shown(is) }),
  };
}

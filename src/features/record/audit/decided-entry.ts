import type { Principal, WrittenActor } from '../../../api/principal.ts';
import type { Reader } from '../../../api/transaction.ts';
import { askersOf } from '../../account/addresses/address-asker.ts';
import { operatedAccounts } from '../../account/people/person.ts';
import { auditPeopleOf } from './audit-person-store.ts';
import type { AuditEntry } from './audit-query.ts';
import { newestDecisions } from './audit-store.ts';

/** What was decided, as its entry in the audit log says it. */
type Decided = AuditEntry & { summary?: string };

/** Of one agent. */
const EACH_MAX = 20;

const personOf = ({ actor }: AuditEntry): string | null =>
  typeof actor !== 'string' && actor.kind === 'person' ? actor.id : null;

/** A name for who acted. Null: the service, or a mailed link of before 0.20. */
function nameOf(actor: string | WrittenActor, addresses: ReadonlyMap<string, string>): string | null {
  if (typeof actor === 'string') return actor;
  if (actor.kind === 'person') return addresses.get(actor.id) ?? null;
  return 'name' in actor ? actor.name : null;
}

/** Lists what was decided about the agents of an operator, newest first. Statements do not grow with the agents. */
export async function decidedEntries(reader: Reader, caller: Principal, limit: number) {
  const accountIds = await operatedAccounts(reader, caller);
  const written = await newestDecisions(reader, accountIds, Math.min(limit, EACH_MAX));
  const entries = written.slice(0, limit).map((entry) => JSON.parse(entry) as Decided);
  const about = [...new Set(entries.map((entry) => entry.account_id))];
  const ids = [...new Set(entries.map(personOf).filter((id) => id !== null))];
  const people = new Map((await auditPeopleOf(reader, about, ids)).map(({ id, address }) => [id, address]));
  const agents = await askersOf(reader, about);
  return entries.map((entry) => ({
    entry,
    agent: agents.get(entry.account_id),
    by: { kind: typeof entry.actor === 'string' ? 'key' : entry.actor.kind, name: nameOf(entry.actor, people) },
  }));
}

import { randomBytes } from 'node:crypto';
import type { Database } from '../kernel/transaction.ts';
import { tables } from './statement.ts';

const sql = tables<{ service_settings: { name: string; value: string } }>();

const insertIfAbsent = sql((q, p: { name: string; value: string }) =>
  q
    .insertInto('service_settings')
    .values({ name: p.name, value: p.value })
    .onConflict((conflict) => conflict.doNothing()),
);
const settingByName = sql((q, p: { name: string }) =>
  q.selectFrom('service_settings').select('value').where('name', '=', p.name),
);

/**
 * A value made once for the whole service and shared by all instances; the first caller makes it. Takes no write lock for
 * a known value: a command that only reads must not wait for a writer.
 */
async function settingOrMake(database: Database, name: string, make: () => string): Promise<string> {
  const known = await database.first(settingByName, { name });
  if (known) return known.value;
  return database.transaction(async (tx) => {
    await tx.run(insertIfAbsent, { name, value: make() });
    return (await tx.first(settingByName, { name }))?.value as string;
  });
}

/** Returns the service's own secret, which keys its hashes. The first instance that asks creates it. */
export const hashKeyOf = (database: Database): Promise<string> =>
  settingOrMake(database, 'hash_key', () => randomBytes(32).toString('hex'));

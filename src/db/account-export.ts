import type { Kysely } from 'kysely';
import { arrayOf, type ExportPart, jsonArray } from '../api/account/export-file.ts';
import type { Reader } from '../api/transaction.ts';
import { iso } from '../base/clock.ts';
import type { ColumnKind } from './column-map.ts';
import { tables } from './statement.ts';

interface Exported {
  table: string;
  columns: { readonly kinds: Readonly<Record<string, ColumnKind>> };
  /** What orders the rows of an account, and is unique among them. */
  key: readonly [string, ...string[]];
  /** The column that holds the account's id. `account_id` by default. */
  by?: string;
}

type AnyTables = Record<string, Record<string, unknown>>;
type Cells = Record<string, unknown>;

/** Rows that one query reads. */
const PAGE = 100;

const sql = tables<AnyTables>();

/** Times are written as in the API. */
const isTime = (name: string, kind: ColumnKind): boolean => kind === 'integer' && /_(at|until|since)$/.test(name);

function schemaOf(name: string, kind: ColumnKind): object {
  if (isTime(name, kind)) return { type: ['string', 'null'], format: 'date-time' };
  if (kind === 'json') return {};
  return { type: [{ flag: 'boolean', integer: 'integer' }[kind as string] ?? 'string', 'null'] };
}

function shownValue(name: string, kind: ColumnKind, stored: unknown): unknown {
  if (stored === null || stored === undefined) return null;
  if (isTime(name, kind)) return iso(stored as number);
  if (kind === 'flag') return stored !== 0;
  if (kind === 'json') return JSON.parse(stored as string);
  return kind === 'bytes' ? Buffer.from(stored as Uint8Array).toString('base64url') : stored;
}

/** Declares that the rows of an account in a table are exported, as a JSON file with a schema. */
export function exportOf({ table, columns, key, by = 'account_id' }: Exported): ExportPart {
  const shown = Object.entries(columns.kinds).filter(([, kind]) => kind !== 'secret');
  const names = [...new Set([...shown.map(([name]) => name), ...key])];
  const [first, second, ...more] = key;
  const page = (q: Kysely<AnyTables>, p: Cells) => {
    let query = q.selectFrom(table).select(names).where(by, '=', p.account_id);
    for (const column of key) query = query.orderBy(column);
    return query.limit(PAGE);
  };
  const start = sql((q, p: { account_id: string }) => page(q, p));
  const next = sql((q, p: Cells) =>
    page(q, p).where((eb) =>
      second === undefined
        ? eb(first, '>', p[first])
        : eb(
            eb.refTuple(first, second, ...(more as [])),
            '>',
            eb.tuple(p[first], p[second], ...(more.map((column) => p[column]) as [])) as never,
          ),
    ),
  );

  async function* rows(reader: Reader, accountId: string): AsyncGenerator<object> {
    for (let last: Cells | null = null; ; ) {
      const found: Cells[] = last
        ? await reader.all(next, { ...last, account_id: accountId })
        : await reader.all(start, { account_id: accountId });
      for (const row of found)
        yield Object.fromEntries(shown.map(([name, kind]) => [name, shownValue(name, kind, row[name])]));
      if (found.length < PAGE) return;
      last = found.at(-1) as Cells;
    }
  }

  const file = `${table}.json`;
  return {
    tables: [table],
    schemas: { [file]: arrayOf(Object.fromEntries(shown.map(([name, kind]) => [name, schemaOf(name, kind)]))) },
    files: async (reader, accountId) => [{ name: file, content: jsonArray(rows(reader, accountId)) }],
  };
}

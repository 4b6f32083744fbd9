import { type Kysely, type RawBuilder, sql as raw } from 'kysely';
import { changeOf, type Reader, type Tx } from '../../api/transaction.ts';
import { jsonRows } from '../json-rows.ts';
import { tables } from '../statement.ts';
import { lateRows } from './late-rows.ts';

interface Entry {
  owner: string;
  term: string;
  item: string;
}
interface Tables {
  entries: Entry;
}

/** What a page of the items with a term is asked for. */
interface TermPage {
  owner: string;
  term: string;
  before: string;
  limit: number;
}

const without = (all: readonly string[], known: readonly string[]): string[] =>
  all.filter((term) => !known.includes(term));

function statementsOf(name: 'entries') {
  const sql = tables<Tables>();
  const insertRows = sql((q, p: { rows: string }, engine) =>
    q
      .insertInto(name)
      .columns(['owner', 'term', 'item'])
      .expression((eb) =>
        eb
          .selectFrom(jsonRows(engine, p.rows, { owner: 'text', term: 'text', item: 'text' }).as('given'))
          .select(['owner', 'term', 'item']),
      ),
  );
  const insertRow = sql((q, p: Entry) => q.insertInto(name).values({ owner: p.owner, term: p.term, item: p.item }));
  const deleteRows = sql((q, p: { owner: string; item: string; terms: string }, engine) =>
    q
      .deleteFrom(name)
      .where('owner', '=', p.owner)
      .where('term', 'in', (eb) =>
        eb.selectFrom(jsonRows(engine, p.terms, { term: 'text' }).as('given')).select('given.term'),
      )
      .where('item', '=', p.item),
  );
  const page = sql((q, p: TermPage) =>
    q
      .selectFrom(name)
      .select('item')
      .where('owner', '=', p.owner)
      .where('term', '=', p.term)
      .where('item', '<', p.before)
      .orderBy('item', 'desc')
      .limit(p.limit),
  );
  return { insertRow, insertRows, deleteRows, page };
}

/**
 * The terms by which the items of an owner are found, in their own table with the columns `owner`, `term` and `item`.
 * A list by a term costs its own length, however many items the owner has.
 */
export function termIndex(table: `${string}_terms`) {
  // The builder knows one name for the table of any index.
  const name = table as 'entries';
  const { insertRow, insertRows, deleteRows, page } = statementsOf(name);
  const insertLate = lateRows<Entry>([table], (engine, rows) =>
    engine === 'sqlite'
      ? rows.map((row) => changeOf(insertRow, row))
      : [changeOf(insertRows, { rows: JSON.stringify(rows.map(({ owner, term, item }) => [owner, term, item])) })],
  );
  async function insert(tx: Tx, owner: string, item: string, terms: readonly string[]): Promise<void> {
    for (const term of terms) await insertLate(tx, { owner, term, item });
  }
  async function remove(tx: Tx, owner: string, item: string, terms: readonly string[]): Promise<void> {
    if (terms.length > 0) await tx.run(deleteRows, { owner, item, terms: JSON.stringify(terms.map((term) => [term])) });
  }
  return {
    insert,
    remove,
    /** Writes only what differs. */
    async replace(tx: Tx, owner: string, item: string, was: readonly string[], is: readonly string[]): Promise<void> {
      await remove(tx, owner, item, without(was, is));
      await insert(tx, owner, item, without(is, was));
    },
    /** The items with a term, newest first, with ids smaller than `before`. */
    items: async (reader: Reader, given: TermPage): Promise<string[]> =>
      (await reader.all(page, given)).map(({ item }) => item),
    /** The start of a query: the entries of a term, as `l`, for a join. */
    entries: (q: unknown, owner: string, term: string, before: string) =>
      (q as Kysely<Tables>)
        .selectFrom(`${name} as l`)
        .where('l.owner', '=', owner)
        .where('l.term', '=', term)
        .where('l.item', '<', before),
    /** The condition of a query that an item has a term. */
    has: (owner: string, term: string, item: RawBuilder<unknown>): RawBuilder<boolean> =>
      raw<boolean>`exists (select 1 from ${raw.table(table)} as t
        where t.owner = ${owner} and t.term = ${term} and t.item = ${item})`,
  };
}

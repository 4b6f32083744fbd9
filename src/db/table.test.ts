import assert from 'node:assert/strict';
import { it } from 'node:test';
import { onEngines } from '../../test/support/harness.ts';
import { TABLES } from './table.ts';

onEngines('both', 'a table of the code', {}, (suite) => {
  it('has columns and the primary key of a table in the database', async () => {
    const { t } = suite;
    assert.ok(TABLES.length > 0);
    for (const { name, names, key, columns } of TABLES) {
      const found =
        t.engine === 'sqlite'
          ? await t.sql('select name, pk from pragma_table_info(?)', name)
          : await t.sql(
              `select a.attname as name, coalesce(array_position(i.indkey::int2[], a.attnum) + 1, 0) as pk
                from pg_attribute a left join pg_index i on i.indrelid = a.attrelid and i.indisprimary
                where a.attrelid = ?::regclass and a.attnum > 0 and not a.attisdropped`,
              name,
            );
      const keyOfDatabase = found
        .filter(({ pk }) => Number(pk) > 0)
        .sort((a, b) => Number(a.pk) - Number(b.pk))
        .map((column) => column.name);
      const known = new Set(found.map((column) => column.name));
      assert.deepEqual(
        names.filter((column) => !known.has(column)),
        [],
        name,
      );
      assert.deepEqual(
        key.map((field) => columns[field]?.name),
        keyOfDatabase,
        name,
      );
    }
  });
});

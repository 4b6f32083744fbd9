/**
 * A step of the schema. Statements are written in the part of SQL both engines share, with four words that differ:
 * `integer` (64 bits on both), `blob`, `bytewise` for a text column compared by its bytes on both whatever the
 * database's locale, and a trailing `clustered` for tables kept in primary-key order on SQLite.
 * Where the engines have nothing in common, a statement says what each of them runs.
 * A released step is never edited; a later one corrects it.
 */
export interface Migration {
  id: string;
  statements: readonly (string | { sqlite: string; postgres: string })[];
}

/** A statement as SQLite reads it. */
export function forSqlite(statement: Migration['statements'][number]): string {
  if (typeof statement !== 'string') return statement.sqlite;
  if (!/^create table/i.test(statement)) return statement;
  const plain = statement.replace(/ bytewise\b/g, '');
  return plain.endsWith(' clustered') ? plain.replace(/ clustered$/, ' strict, without rowid') : `${plain} strict`;
}

/** A statement as PostgreSQL reads it. */
export function forPostgres(statement: Migration['statements'][number]): string {
  if (typeof statement !== 'string') return statement.postgres;
  return statement
    .replace(/ clustered$/, '')
    .replace(/ bytewise\b/g, ' collate "C"')
    .replace(/\binteger\b/g, 'bigint')
    .replace(/\bblob\b/g, 'bytea');
}

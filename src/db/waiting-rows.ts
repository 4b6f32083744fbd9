import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { WaitingParams } from '../api/account/waiting.ts';
import { isAmong } from './json-rows.ts';
import type { Engine } from './statement.ts';

/** Whether a row comes after the place that was asked for, in the order of a time and an id. */
export const isAfterPlace = (
  at: Expression<number | null>,
  id: Expression<string>,
  p: Pick<WaitingParams, 'since' | 'after'>,
): RawBuilder<SqlBool> => sql<SqlBool>`(${at}, ${id}) > (${p.since}, ${p.after})`;

/** Whether the caller may see what is of an address: it may be limited to some. */
export const isSeenAddress = (
  engine: Engine,
  address: Expression<string>,
  p: Pick<WaitingParams, 'addresses'>,
): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${isAmong(engine, address, p.addresses)} or ${isAmong(engine, sql.lit('*'), p.addresses)})`;

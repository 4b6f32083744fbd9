import type { Tx } from '../transaction.ts';

/** One step of deleting an account. A feature declares a step for each of its tables that holds rows of accounts. */
export interface Erasure {
  /** The tables that it empties. A test compares them with the schema. */
  tables: readonly string[];
  /**
   * Deletes up to `limit` rows of an account. Called again until it deleted fewer, each time in a new transaction.
   * @returns how many rows it deleted
   */
  run(tx: Tx, accountId: string, limit: number): Promise<number>;
}

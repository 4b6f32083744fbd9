import { type Check, fail, listed, ok, warn } from './doctor-check.ts';

/** How the master keys fit the database. */
export interface KeyReport {
  /** The id of `MASTER_KEY`. Null: there is none. */
  current: string | null;
  /** The ids of the keys that sealed something. */
  known: readonly string[];
  hasPrevious: boolean;
  /** Why the service would not start with these keys. Null: it would. */
  problem: string | null;
  /** Columns with secrets in the clear, as `table.column`. */
  plain: readonly string[];
  /** Columns with secrets that the key before sealed. */
  older: readonly string[];
}

/** Checks the master key: that it opens what is sealed, and that no rotation was left half done. */
export function checkMasterKey({ current, known, hasPrevious, problem, plain, older }: KeyReport): Check[] {
  const name = 'master key';
  if (problem !== null) return [fail(name, problem, 'Nothing else opens the secrets in this database')];
  if (known.length === 0) return [ok(name, 'nothing is sealed yet')];
  const checks = [ok(name, `${current} opens the check value of the database`)];
  if (plain.length > 0)
    checks.push(
      warn('secrets', `${listed(plain)} holds secrets in the clear`, 'The next start of the service seals them'),
    );
  if (older.length > 0 || known.some((id) => id !== current))
    checks.push(
      warn(
        'key rotation',
        older.length > 0 ? `${listed(older)} is still sealed by the key before` : 'the key before is still known',
        'Run signet master-key rotate',
      ),
    );
  else if (hasPrevious)
    checks.push(warn('key rotation', 'MASTER_KEY_PREVIOUS is still set', 'Remove it and restart the service'));
  return checks;
}

import { DEFAULT_LIMITS, type Limits } from '../api/limits.ts';
import { mayBeUnlimited } from '../api/metering/tier-limits.ts';

/**
 * Merges `overrides` over the default limits.
 * @throws Error that names the limit that is unknown or has the wrong type
 */
export function mergeLimits(overrides: unknown): Limits {
  return mergeLevel(DEFAULT_LIMITS, overrides, '') as Limits;
}

function mergeLevel(defaults: object, overrides: unknown, path: string): object {
  if (typeof overrides !== 'object' || overrides === null || Array.isArray(overrides)) {
    throw new Error(`${path || 'the value'} must be a JSON object`);
  }
  const merged: Record<string, unknown> = { ...defaults };
  for (const [name, value] of Object.entries(overrides)) {
    const leaf = path ? `${path}.${name}` : name;
    if (!Object.hasOwn(defaults, name)) throw new Error(`${leaf} is not a limit`);
    const current = merged[name];
    if (typeof current === 'object' && current !== null) {
      merged[name] = mergeLevel(current, value, leaf);
      continue;
    }
    const isCount = Number.isSafeInteger(value) && (value as number) >= 0;
    const mayBeNull = mayBeUnlimited(name);
    if (!isCount && !(mayBeNull && value === null)) {
      throw new Error(`${leaf} must be a non-negative integer${mayBeNull ? ' or null' : ''}`);
    }
    merged[name] = value;
  }
  return merged;
}

import type { Static, TSchema, TUnsafe } from 'typebox';
import { Type } from '../base/schema.ts';
import { usdc } from '../base/usdc.ts';
import { invalidField } from './errors.ts';
import { guidance, nullable } from './fields.ts';

/**
 * Money in requests and replies. A request takes atomic USDC (an integer: 1,000,000 is 1 USDC) or USDC (a text with a
 * point, `"3.00"`), so that neither form can be taken for the other. A reply has the integer, and the text beside it.
 */
export type Amount = number | string;

export interface AmountRange {
  minimum: number;
  maximum: number;
}

export const USDC_PATTERN = '^\\d{1,9}\\.\\d{1,6}$';
const ATOMIC_PER_USDC = 1_000_000;
/** 0.01 USDC. */
const CENT = 10_000;

/** A field of a request: an integer or a decimal text. */
export const amountField = ({ minimum, maximum }: AmountRange, options: { description?: string } = {}) =>
  Type.Unsafe<Amount>({ type: ['integer', 'string'], minimum, maximum, pattern: USDC_PATTERN, ...options });

/** The same, where null removes a limit. */
export const limitField = (
  { minimum, maximum }: AmountRange,
  options: { description?: string; deprecated?: true } = {},
) =>
  Type.Optional(
    Type.Unsafe<Amount | null>({
      type: ['integer', 'string', 'null'],
      minimum,
      maximum,
      pattern: USDC_PATTERN,
      ...options,
    }),
  );

/**
 * Returns an amount in atomic units. A schema bounds integers only, so this bounds texts.
 * @throws ApiError `invalid_request` with `out_of_range` at `path`
 */
export function atomicAmount(given: Amount, path: string, { minimum, maximum }: AmountRange): number {
  if (typeof given === 'number') return given;
  const [whole = '', parts = ''] = given.split('.');
  const atomic = Number(whole) * ATOMIC_PER_USDC + Number(parts.padEnd(6, '0'));
  if (atomic >= minimum && atomic <= maximum) return atomic;
  throw invalidField(path, 'out_of_range', `${path} must be ${usdc(minimum)} to ${usdc(maximum)} USDC.`);
}

/** The same for a limit that may be absent, or null to remove it. */
export const atomicLimit = (
  given: Amount | null | undefined,
  path: string,
  range: AmountRange,
): number | null | undefined => (given === null || given === undefined ? given : atomicAmount(given, path, range));

type Display<T> = {
  [K in keyof T & string as `${K}_display`]: TUnsafe<T[K] extends TSchema ? Text<Static<T[K]>> : never>;
};
type Text<V> = null extends V ? string | null : string;

/** Fields of a reply in atomic units, each with a text in USDC beside it: `amount_usdc`, `amount_usdc_display`. */
export function moneyFields<T extends Record<string, TSchema>>(fields: T): T & Display<T> {
  const displays = Object.entries(fields).map(([name, schema]) => [
    `${name}_display`,
    'anyOf' in schema ? nullable(Type.String()) : Type.String(),
  ]);
  return { ...fields, ...Object.fromEntries(displays) };
}

/** The values of {@link moneyFields}. */
export function money<T extends Record<string, number | null>>(
  amounts: T,
): T & { [K in keyof T & string as `${K}_display`]: Text<T[K]> } {
  const fields: Record<string, number | string | null> = { ...amounts };
  for (const name in amounts) {
    const amount = amounts[name] as number | null;
    fields[`${name}_display`] = amount === null ? null : usdc(amount);
  }
  return fields as never;
}

/** A text in USDC for each amount: `{daily: 4000000}` becomes `{daily: "4.00"}`. */
export function displayed<K extends string>(amounts: Partial<Record<K, number>>): Partial<Record<K, string>> {
  const texts: Partial<Record<K, string>> = {};
  for (const name in amounts) texts[name] = usdc(amounts[name] as number);
  return texts;
}

/** A field of a reply that warns of a suspiciously small amount. */
export const smallAmountField = Type.Optional(guidance(Type.String()));

/** The warning for an amount below a cent: who sends 5 for 5 USDC has read "USDC" and not "atomic". */
export function smallAmountWarning(amounts: readonly (number | null | undefined)[]): { warning?: string } {
  const small = amounts.find((amount) => typeof amount === 'number' && amount > 0 && amount < CENT);
  if (small === undefined || small === null) return {};
  const warning = `${usdc(small)} USDC is less than a cent. An integer counts atomic units: for ${small} USDC, send "${small}.00".`;
  return { warning };
}

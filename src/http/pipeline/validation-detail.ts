import type { ErrorObject } from 'ajv';
import type { ErrorDetail } from '../../api/errors.ts';
import { ONE_LINE_PATTERN } from '../../api/fields.ts';
import { USDC_PATTERN } from '../../api/money-fields.ts';
import { suggestField, suggestValue } from '../../api/suggestions.ts';

/** The stable codes of `details[].code`, by the failed schema keyword. */
const CODES: Record<string, string> = {
  required: 'required',
  type: 'wrong_type',
  additionalProperties: 'unknown_field',
  maxLength: 'too_long',
  minLength: 'too_short',
  maxItems: 'too_many',
  minItems: 'too_few',
  minProperties: 'too_few',
  minimum: 'out_of_range',
  maximum: 'out_of_range',
  format: 'invalid_format',
  pattern: 'invalid_format',
  enum: 'not_allowed',
};

/** What the patterns of many fields ask for, in words. */
const MEANINGS: Record<string, string> = {
  [ONE_LINE_PATTERN]: 'must not contain line breaks or other control characters',
  [USDC_PATTERN]: 'must be an integer of atomic units, or USDC as text with a point, such as "3.00"',
};

/** The most words that a sentence lists. It stands in a refusal twice. */
const LISTED_MAX = 12;
const isLong = (words: readonly unknown[]): boolean => words.length > LISTED_MAX;
/** RFC 3339, as every field of a time wants it. */
const SAMPLE_TIME = '2026-01-14T09:00:00Z';

/** A number with a fraction where money is asked for, as the text that it must be. */
function amountMeant({ keyword, data, parentSchema }: ErrorObject): string | undefined {
  if (keyword !== 'type' || typeof data !== 'number' || parentSchema?.pattern !== USDC_PATTERN) return undefined;
  const text = String(data);
  return new RegExp(USDC_PATTERN).test(text) ? JSON.stringify(text) : undefined;
}

/** Describes what a value must be. */
function wantedBy({ keyword, params, message }: ErrorObject): string {
  const { type, limit, comparison, allowedValues, format, pattern } = params as Record<string, unknown>;
  switch (keyword) {
    case 'type':
      return `must be of type ${[type].flat().join(' or ')}`;
    case 'maxLength':
      return `must have at most ${limit} characters`;
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`;
    case 'maxItems':
      return `must have at most ${limit} entries`;
    case 'minItems':
      return `must have at least ${limit} entries`;
    case 'minimum':
    case 'maximum':
      return `must be ${comparison} ${limit}`;
    case 'enum':
      return isLong(allowedValues as unknown[])
        ? 'must be one of the words in `allowed`'
        : `must be one of ${(allowedValues as unknown[]).join(', ')}`;
    case 'format':
      return format === 'date-time' ? `must be a date-time such as ${SAMPLE_TIME}` : `must be a valid ${format}`;
    case 'minProperties':
      return limit === 1 ? 'must have at least one field' : `must have at least ${limit} fields`;
    case 'pattern':
      return MEANINGS[String(pattern)] ?? `must match ${pattern}`;
    default:
      return message ?? 'is invalid';
  }
}

const withSuggestion = (detail: ErrorDetail, suggestion: string | undefined): ErrorDetail =>
  suggestion === undefined
    ? detail
    : { ...detail, message: `${detail.message} Did you mean ${suggestion}?`, suggestion };

/** A fault that Ajv found in a part of a request, in our words. @param part `path`, `query` or `body` */
export function detailOf(error: ErrorObject, part: string): ErrorDetail {
  const at = `/${part}${error.instancePath}`;
  const params = error.params as Record<string, unknown>;
  const code = CODES[error.keyword] ?? 'invalid';
  if (error.keyword === 'required') {
    const { missingProperty: name } = params as { missingProperty: string };
    const [example] = error.parentSchema?.properties?.[name]?.examples ?? [];
    const such = example === undefined ? '' : `, such as ${JSON.stringify(example)}`;
    return { path: `${at}/${name}`, code, message: `${name} is required${such}.` };
  }
  if (error.keyword === 'additionalProperties') {
    const name = String(params.additionalProperty).slice(0, 100);
    const suggestion = suggestField(name, Object.keys((error.parentSchema?.properties ?? {}) as object));
    return withSuggestion(
      { path: `${at}/${name}`, code, message: `${JSON.stringify(name)} is not a field of this request.` },
      suggestion,
    );
  }
  const detail = { path: at, code, message: `${at} ${wantedBy(error)}.` };
  if (error.keyword !== 'enum') return withSuggestion(detail, amountMeant(error));
  const allowed = error.schema as unknown[];
  const shown = withSuggestion(detail, suggestValue(error.data, allowed));
  return isLong(allowed) ? { ...shown, allowed } : shown;
}

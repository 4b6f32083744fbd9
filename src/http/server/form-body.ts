import { isUtf8 } from 'node:buffer';
import { ApiError, invalidField } from '../../api/errors.ts';

/**
 * Parses the named fields of an `application/x-www-form-urlencoded` body and ignores others.
 * @throws ApiError `invalid_request` for a repeated field (RFC 6749 3.1), or text that is not UTF-8
 */
export function parseFormBody(body: Buffer, names: readonly string[]): Record<string, string> {
  if (!isUtf8(body)) throw new ApiError('invalid_request', { message: 'The form is not valid UTF-8.' });
  const given = new URLSearchParams(body.toString('utf8'));
  const fields: Record<string, string> = {};
  for (const name of names) {
    const [value, ...others] = given.getAll(name);
    if (others.length > 0) throw invalidField(`/body/${name}`, 'not_allowed', `${name} must not be repeated.`);
    if (value === undefined) continue;
    if (value.includes('\0')) throw invalidField(`/body/${name}`, 'invalid_text', `${name} contains a NUL character.`);
    fields[name] = value;
  }
  return fields;
}

import { invalidField } from './errors.ts';

/** Checks for an absolute URI (RFC 3986 4.3) without spaces. @throws ApiError `invalid_request` that names the field */
export function requireUri(text: string, path: string): string {
  if (/^[A-Za-z][A-Za-z0-9+.-]*:[^\s<>"{}|\\^`]+$/.test(text) && URL.canParse(text)) return text;
  throw invalidField(path, 'invalid_format', `${path} must be an absolute URI such as https://api.example.com.`);
}

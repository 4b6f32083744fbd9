/**
 * Everything a page may load or do. Scripts and styles are files of this service, never inline, so injected markup cannot
 * run. Mails are shown in frames that inherit this policy. Trusted Types (W3C) make `innerHTML` and similar sinks throw;
 * the policies allowed fill the sandboxed frame of a mail, and make the templates of lit-html, which hold no data.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types mail-frame lit-html',
].join('; ');

/** The headers of every page with scripts. */
export const PAGE_HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
};

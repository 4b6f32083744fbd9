/**
 * Whether a value is plainly not sealed. The service cannot tell ciphertext from noise, but what no cipher makes it can:
 * other characters than base64 and hex have, fewer bytes than an authentication tag, the words of a person, and encoded
 * text. By chance, a sealed value looks like this less than once in a hundred million.
 */
export function looksLikePlainText(value: string): boolean {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(value)) return true;
  const isHex = HEX.test(value);
  const decoded = (text: string): Buffer => Buffer.from(text, isHex ? 'hex' : 'base64');
  // Of a sealed value the start is enough.
  const start = decoded(value.slice(0, START_CHARS));
  if (start.length < TAG_BYTES) return true;
  if (!isHex && /^(?:[a-z0-9_-]+|[A-Z0-9_-]+)$/.test(value)) return true;
  return isText(start) && isText(decoded(value));
}

/**
 * Whether a value is written as sealed ones are: base64url or hex of at least a nonce and an authentication tag, and not
 * plainly something else.
 */
export function isSealed(value: string): boolean {
  const chars = HEX.test(value) ? 56 : 38;
  const text = value.replace(/={1,2}$/, '');
  return text.length >= chars && /^[A-Za-z0-9_-]+$/.test(text) && !looksLikePlainText(value);
}

const isText = (bytes: Buffer): boolean => /^[\n\r\x20-\x7e]*$/.test(bytes.toString('latin1'));

const HEX = /^(?:[0-9a-f]{2})+$/i;

/** Whole bytes, in base64 and in hex. */
const START_CHARS = 256;

/** The authentication tag of AES-GCM and of ChaCha20-Poly1305. */
const TAG_BYTES = 16;

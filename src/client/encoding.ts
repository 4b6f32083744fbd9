import { SignetCryptoError } from './signet-error.ts';

/** Bytes as WebCrypto accepts them: not shared with another thread. */
export type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();

export const utf8 = (text: string): Bytes => new Uint8Array(encoder.encode(text));

/** @throws SignetCryptoError `malformed` for bytes that are not UTF-8: replacing them would change what was sealed */
export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new SignetCryptoError('malformed', 'The content is not UTF-8 text; read it as bytes.', { cause });
  }
}

export const bytesOf = (value: string | Uint8Array): Bytes =>
  typeof value === 'string' ? utf8(value) : new Uint8Array(value);

export function concat(...parts: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export const randomBytes = (count: number): Bytes => crypto.getRandomValues(new Uint8Array(count));

const URL_SAFE = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const VALUES = new Map([...URL_SAFE].map((character, value) => [character.charCodeAt(0), value]));
VALUES.set('+'.charCodeAt(0), 62);
VALUES.set('/'.charCodeAt(0), 63);

/** base64url without padding (RFC 4648 5). */
export function toBase64Url(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const group = ((bytes[i] as number) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    const count = Math.min(bytes.length - i, 3) + 1;
    for (let n = 0; n < count; n++) text += URL_SAFE[(group >> (18 - 6 * n)) & 63];
  }
  return text;
}

/** Standard base64 with padding (RFC 4648 4), for interfaces that require it. */
export function toBase64(bytes: Uint8Array): string {
  const bare = toBase64Url(bytes).replaceAll('-', '+').replaceAll('_', '/');
  return bare.padEnd(Math.ceil(bare.length / 4) * 4, '=');
}

/**
 * Reads base64url or base64, padded or not. Unused bits must be zero, so that no two texts decode
 * to the same bytes.
 * @throws SignetCryptoError `malformed`
 */
export function fromBase64(text: string): Bytes {
  const bare = text.replace(/={1,2}$/, '');
  const bytes = new Uint8Array(Math.floor((bare.length * 3) / 4));
  const refuse = (): never => {
    throw new SignetCryptoError('malformed', 'The text is not base64url.');
  };
  let [group, bits, at] = [0, 0, 0];
  for (let i = 0; i < bare.length; i++) {
    group = ((group << 6) | (VALUES.get(bare.charCodeAt(i)) ?? refuse())) & 0xfff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at++] = (group >> bits) & 0xff;
  }
  if (bits >= 6 || (group & ((1 << bits) - 1)) !== 0) refuse();
  return bytes;
}

export const toHex = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** @throws SignetCryptoError `malformed` */
export function fromHex(text: string): Bytes {
  if (!/^(?:[0-9a-fA-F]{2})*$/.test(text)) throw new SignetCryptoError('malformed', 'The text is not hex.');
  return new Uint8Array((text.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)));
}

/**
 * Seals a credential to an agent's public key, in the browser: X25519 with a fresh key, HKDF-SHA-256 (salt: 32 zero
 * bytes, info: the format's name), AES-256-GCM with the id of the request as additional data. docs/credentials.md.
 */

const FORMAT = 'signet:credential:v1';

/** @param {string} text base64url */
const bytesOf = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));

/** @param {Uint8Array} bytes @returns {string} base64url, unpadded */
const textOf = (bytes) =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/**
 * @param {string} publicKey of the agent, base64url
 * @param {string} requestId
 * @param {string} value
 * @returns {Promise<string>} base64url of ephemeral public key ‖ IV ‖ ciphertext ‖ tag
 * @throws {Error} if the browser cannot seal: without HTTPS, or without X25519
 */
export async function sealValue(publicKey, requestId, value) {
  const { subtle } = crypto;
  if (!subtle) throw new Error('Open this page over HTTPS. Browsers can seal your credential only there.');
  const encoder = new TextEncoder();
  const curve = { name: 'X25519' };
  const theirs = await subtle.importKey('raw', bytesOf(publicKey), curve, false, []).catch(() => {
    throw new Error(
      'This browser cannot seal your credential, because it does not support X25519. Use a current browser.',
    );
  });
  const ours = /** @type {CryptoKeyPair} */ (await subtle.generateKey(curve, true, ['deriveBits']));
  const secret = await subtle.deriveBits({ ...curve, public: theirs }, ours.privateKey, 256);
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(32), info: encoder.encode(FORMAT) };
  const material = await subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey']);
  const cipher = { name: 'AES-GCM', length: 256 };
  const key = await subtle.deriveKey(derivation, material, cipher, false, ['encrypt']);
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const settings = { name: 'AES-GCM', iv, additionalData: encoder.encode(requestId) };
  const sealed = new Uint8Array(await subtle.encrypt(settings, key, encoder.encode(value)));
  const ephemeral = new Uint8Array(await subtle.exportKey('raw', ours.publicKey));
  return textOf(new Uint8Array([...ephemeral, ...iv, ...sealed]));
}

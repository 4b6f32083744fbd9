import { type Bytes, fromBase64, textOf, toHex, utf8 } from './encoding.ts';
import { SignetCryptoError } from './signet-error.ts';
import { generateX25519, hkdf, keyBytes, open, sha256, x25519 } from './web-crypto.ts';

/** Mail that was sealed to an address's public key (docs/vectors/e2e-mail.json). */

const FORMAT = 'signet:e2e-mail:v1';
const ALG = 'X25519-HKDF-SHA256-A256GCM';

/** An X25519 key pair: 32 bytes each, base64url. The public half goes to `claimAddress` or `rotateEncryptionKey`. */
export interface MailKeys {
  publicKey: string;
  privateKey: string;
}

export const generateMailKeys = (): Promise<MailKeys> => generateX25519();

/** The `encryption.key_id` of a message: the first 16 hex digits of the SHA-256 of the public key. */
export const mailKeyId = async (publicKey: string): Promise<string> =>
  toHex(await sha256(keyBytes(publicKey))).slice(0, 16);

/** The fields of a `getMessage` or `getInboxMessage` reply that are needed to open it. */
export interface SealedMessage {
  message_id?: string;
  id?: string;
  e2e_encrypted?: boolean;
  body: string;
  html?: string | null;
  ephemeral_public_key?: string;
  encryption?: { alg: string; key_id: string };
}

/** Opens the parts of one message. */
export interface MessageOpener {
  /** An attachment, or the raw message: IV ‖ ciphertext ‖ tag. */
  open(sealed: Uint8Array): Promise<Uint8Array<ArrayBuffer>>;
  /** A base64url part of the reply. */
  openText(sealed: string): Promise<string>;
}

/** The key pair that a message was sealed to; the only one given if the message names none. */
async function pick(keys: readonly MailKeys[], keyId: string | undefined): Promise<MailKeys> {
  for (const pair of keys) {
    if (keyId === undefined ? keys.length === 1 : (await mailKeyId(pair.publicKey)) === keyId) return pair;
  }
  throw new SignetCryptoError(
    'unknown_key',
    `None of the keys can open this message. Its key_id is ${keyId ?? 'missing'}.`,
  );
}

/**
 * Prepares to open a message with the key that it was sealed to. Pass former keys too, for mail from before a
 * rotation.
 * @throws SignetCryptoError `malformed`, `unknown_key`, `weak_public_key`
 */
export async function messageOpener(
  message: Omit<SealedMessage, 'body'>,
  keys: MailKeys | readonly MailKeys[],
): Promise<MessageOpener> {
  const id = message.message_id ?? message.id;
  if (message.ephemeral_public_key === undefined || id === undefined) {
    throw new SignetCryptoError('malformed', 'This is not a sealed message.');
  }
  if (message.encryption !== undefined && message.encryption.alg !== ALG) {
    throw new SignetCryptoError('malformed', `This library opens ${ALG}, not ${message.encryption.alg}.`);
  }
  const pair = await pick('publicKey' in keys ? [keys] : keys, message.encryption?.key_id);
  const secret = await x25519(keyBytes(pair.privateKey), keyBytes(message.ephemeral_public_key));
  const key = await hkdf(secret, utf8(FORMAT), 32);
  const openBytes = (sealed: Bytes): Promise<Bytes> => open(key, sealed, utf8(id));
  return {
    open: (sealed) => openBytes(new Uint8Array(sealed)),
    openText: async (sealed) => textOf(await openBytes(fromBase64(sealed))),
  };
}

/**
 * Opens `body` and `html` of a message. Returns a message that is not sealed unchanged.
 * @throws SignetCryptoError if any part does not open; then nothing is returned
 */
export async function openMessage<Message extends SealedMessage>(
  message: Message,
  keys: MailKeys | readonly MailKeys[],
): Promise<Message> {
  if (message.e2e_encrypted !== true) return message;
  const { openText } = await messageOpener(message, keys);
  const { html } = message;
  const opened = { ...message, body: await openText(message.body) };
  return typeof html === 'string' ? { ...opened, html: await openText(html) } : opened;
}

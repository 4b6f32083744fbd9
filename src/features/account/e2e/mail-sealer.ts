import {
  createCipheriv,
  createHash,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import type { Encryption } from '../../../mail/sender-auth/mail-auth.ts';

/** The `info` of HKDF for mail. The service encrypts; only the agent can decrypt. */
const INFO = 'signet:e2e-mail:v1';
const SALT = Buffer.alloc(32);
const IV_BYTES = 12;

/** Encrypts the parts of one message. All parts share the ephemeral key; each has its own IV. */
export interface Sealer {
  encryption: Encryption;
  /** @returns IV ‖ ciphertext ‖ tag */
  seal(plaintext: string | Uint8Array): Buffer;
  /** The same, as it comes: a piece for each `pieceBytes` of the plaintext, which has some. */
  sealInPieces(plaintext: Uint8Array, pieceBytes: number): Generator<Buffer>;
}

/** The random values of encryption. Test vectors fix them. */
export interface SealerRandom {
  ephemeralKeys(): { publicKey: KeyObject; privateKey: KeyObject };
  iv(): Buffer;
}

const SYSTEM_RANDOM: SealerRandom = {
  ephemeralKeys: () => generateKeyPairSync('x25519'),
  iv: () => randomBytes(IV_BYTES),
};

/** The DER of an X25519 SubjectPublicKeyInfo before the key itself (RFC 8410 4). */
const SPKI_PREFIX = Buffer.from('302a300506032b656e032100', 'hex');

const keyObject = (publicKey: Buffer): KeyObject =>
  createPublicKey({ key: Buffer.concat([SPKI_PREFIX, publicKey]), format: 'der', type: 'spki' });

/**
 * Parses an X25519 public key as base64url, base64 or hex.
 * @returns base64url, or null if it is not 32 bytes or is a low-order point (RFC 7748 6.1)
 */
export function parsePublicKey(text: string): string | null {
  const isHex = /^[0-9a-fA-F]{64}$/.test(text);
  if (!isHex && !/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return null;
  const bytes = Buffer.from(text, isHex ? 'hex' : 'base64url');
  if (bytes.length !== 32) return null;
  try {
    // Low-order points give an all-zero secret, which OpenSSL refuses in an exchange.
    diffieHellman({ privateKey: generateKeyPairSync('x25519').privateKey, publicKey: keyObject(bytes) });
    return bytes.toString('base64url');
  } catch {
    return null;
  }
}

const keyIdOf = (publicKey: string): string =>
  createHash('sha256').update(Buffer.from(publicKey, 'base64url')).digest('hex').slice(0, 16);

/**
 * Makes the sealer of one message: X25519 with a new key pair, HKDF-SHA-256, AES-256-GCM with the message id as AAD.
 * Other things that are encrypted like mail have their own `info`, so that one cannot be decrypted as the other.
 */
export function createSealer(
  publicKey: string,
  messageId: string,
  random: SealerRandom = SYSTEM_RANDOM,
  info = INFO,
): Sealer {
  const ephemeral = random.ephemeralKeys();
  const secret = diffieHellman({
    privateKey: ephemeral.privateKey,
    publicKey: keyObject(Buffer.from(publicKey, 'base64url')),
  });
  const key = Buffer.from(hkdfSync('sha256', secret, SALT, info, 32));
  const { x } = ephemeral.publicKey.export({ format: 'jwk' });
  const begin = () => {
    const iv = random.iv();
    const cipher = createCipheriv('aes-256-gcm', key, iv);
    cipher.setAAD(Buffer.from(messageId));
    return { iv, cipher };
  };
  return {
    encryption: { alg: 'X25519-HKDF-SHA256-A256GCM', key_id: keyIdOf(publicKey), ephemeral_public_key: x as string },
    seal: (plaintext) => {
      const { iv, cipher } = begin();
      return Buffer.concat([iv, cipher.update(plaintext as Uint8Array), cipher.final(), cipher.getAuthTag()]);
    },
    *sealInPieces(plaintext, pieceBytes) {
      const { iv, cipher } = begin();
      for (let start = 0; start < plaintext.length; start += pieceBytes) {
        const parts: Uint8Array[] = [cipher.update(plaintext.subarray(start, start + pieceBytes))];
        if (start === 0) parts.unshift(iv);
        if (start + pieceBytes >= plaintext.length) parts.push(cipher.final(), cipher.getAuthTag());
        yield Buffer.concat(parts);
      }
    },
  };
}

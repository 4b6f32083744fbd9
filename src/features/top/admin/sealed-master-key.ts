import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { parseMasterKey } from '../../../base/sealing.ts';

/** A master key sealed for a backup: scrypt (RFC 7914) makes a key of the passphrase, AES-256-GCM seals with it. */
interface SealedKey {
  version: 1;
  n: number;
  r: number;
  p: number;
  /** These are base64. */
  salt: string;
  iv: string;
  sealed: string;
}

/** 128 MiB and about half a second for each guess. */
const COST = { n: 2 ** 17, r: 8, p: 1 };
const MEMORY_MAX = 256 * 1024 * 1024;
const TAG_BYTES = 16;
/** The fewest characters of a passphrase. */
const PASSPHRASE_MIN = 12;

const derive = promisify(scrypt) as (
  passphrase: string,
  salt: Buffer,
  bytes: number,
  options: { N: number; r: number; p: number; maxmem: number },
) => Promise<Buffer>;

const keyFrom = (passphrase: string, { n, r, p, salt }: Pick<SealedKey, 'n' | 'r' | 'p' | 'salt'>): Promise<Buffer> =>
  derive(passphrase.normalize('NFC'), Buffer.from(salt, 'base64'), 32, { N: n, r, p, maxmem: MEMORY_MAX });

/** Reads the passphrase from the text of its file. @throws Error when it is shorter than 12 characters */
export function requirePassphrase(text: string): string {
  const passphrase = text.replace(/\r?\n$/, '');
  if (passphrase.length < PASSPHRASE_MIN) throw new Error(`a passphrase has at least ${PASSPHRASE_MIN} characters`);
  return passphrase;
}

/** Seals a master key with a passphrase, as JSON text. */
export async function sealMasterKey(masterKey: Buffer, passphrase: string): Promise<string> {
  const salt = randomBytes(16).toString('base64');
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', await keyFrom(passphrase, { ...COST, salt }), iv);
  const sealed = Buffer.concat([cipher.update(masterKey), cipher.final(), cipher.getAuthTag()]);
  const parts: SealedKey = { version: 1, ...COST, salt, iv: iv.toString('base64'), sealed: sealed.toString('base64') };
  return JSON.stringify(parts);
}

/** Opens what {@link sealMasterKey} sealed. @returns null when the passphrase is wrong or the text was changed */
export async function openMasterKey(text: string, passphrase: string): Promise<Buffer | null> {
  try {
    const parts = JSON.parse(text) as SealedKey;
    const sealed = Buffer.from(parts.sealed, 'base64');
    const key = await keyFrom(passphrase, parts);
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(parts.iv, 'base64'), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    const masterKey = Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]);
    return parseMasterKey(masterKey.toString('base64'));
  } catch {
    return null;
  }
}

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** The length of a master key, bytes. */
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** How every sealed text starts. */
export const SEAL_PREFIX = 'signet-sealed.1.';

declare const brand: unique symbol;
/**
 * A sealed secret: `signet-sealed.1.<key id>.<base64url of IV (12 bytes) ‖ ciphertext ‖ tag (16 bytes)>`. Only {@link
 * Sealer.seal} makes one, so a plain text cannot be written into a sealed column by mistake.
 */
export type Sealed = string & { readonly [brand]: true };

/** What a secret is for. Each purpose has its own key. */
export type SealPurpose =
  | 'check'
  | 'service-key'
  | 'webhook-secret'
  | 'dkim-key'
  | 'credential'
  | 'feed-link'
  | 'held-payment';

/** A column that holds sealed secrets. */
export interface SealedColumn {
  purpose: SealPurpose;
  table: string;
  column: string;
  /** The column that identifies a row. */
  id: string;
}

/** What a feature key is for. None of them can be computed from another. */
export type ServiceKeyPurpose =
  | 'address-hash'
  | 'client-address'
  | 'login-network'
  | 'passkey-user'
  | 'return-path'
  | 'signing-key-proof'
  | 'unsubscribe';

/** Derives a feature's own key from the service's key, as hex. */
export const deriveServiceKey = (serviceKey: string, purpose: ServiceKeyPurpose): string =>
  Buffer.from(hkdfSync('sha256', serviceKey, '', `signet:service-key:${purpose}`, KEY_BYTES)).toString('hex');

/** Makes a master key. */
export const makeMasterKey = (): Buffer => randomBytes(KEY_BYTES);

/** Reads a master key of 32 bytes from base64 or base64url. @returns null for anything else */
export function parseMasterKey(text: string): Buffer | null {
  const unpadded = text.trim().replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  const key = Buffer.from(unpadded, 'base64url');
  return key.length === KEY_BYTES && key.toString('base64url') === unpadded ? key : null;
}

/** Public name of a master key: six bytes derived from it, as hex. */
const masterKeyId = (key: Buffer): string =>
  Buffer.from(hkdfSync('sha256', key, '', 'signet:master-key-id', 6)).toString('hex');

/** The id of the master key that sealed a text, or null for a text that is not sealed. */
export const sealedBy = (text: string): string | null =>
  text.startsWith(SEAL_PREFIX) ? (text.slice(SEAL_PREFIX.length).split('.', 1)[0] ?? '') : null;

/** Seals secrets of one service with AES-256-GCM (NIST SP 800-38D) under keys derived from its master keys. */
export class Sealer {
  /** The key that seals. */
  readonly keyId: string;
  readonly #masterKeys: ReadonlyMap<string, Buffer>;
  readonly #derived = new Map<string, Buffer>();

  /** @param current the key that seals and opens. @param others keys that only open. */
  constructor(current: Buffer, others: readonly Buffer[] = []) {
    this.keyId = masterKeyId(current);
    this.#masterKeys = new Map([...others, current].map((key) => [masterKeyId(key), key]));
  }

  /** The ids of the keys that open. */
  get keyIds(): string[] {
    return [...this.#masterKeys.keys()];
  }

  /** Seals the secret of one row. It opens in this row and column alone. */
  seal(column: SealedColumn, rowId: string, secret: string): Sealed {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#keyFor(this.keyId, column), iv);
    cipher.setAAD(placeOf(this.keyId, column, rowId));
    const sealed = Buffer.concat([iv, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${SEAL_PREFIX}${this.keyId}.${sealed.toString('base64url')}` as Sealed;
  }

  /** @throws Error when the text was sealed for another place, by an unknown key, or changed */
  open(column: SealedColumn, rowId: string, sealed: Sealed): string {
    const keyId = sealedBy(sealed) ?? '';
    const bytes = Buffer.from(sealed.slice(SEAL_PREFIX.length + keyId.length + 1), 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', this.#keyFor(keyId, column), bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(placeOf(keyId, column, rowId)).setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8');
  }

  #keyFor(keyId: string, { purpose, table, column }: SealedColumn): Buffer {
    const name = `${keyId} ${purpose}`;
    const known = this.#derived.get(name);
    if (known) return known;
    const master = this.#masterKeys.get(keyId);
    if (!master)
      throw new Error(`${table}.${column} is not sealed by MASTER_KEY or MASTER_KEY_PREVIOUS, but by key ${keyId}`);
    const key = Buffer.from(hkdfSync('sha256', master, '', `signet:seal:${purpose}`, KEY_BYTES));
    this.#derived.set(name, key);
    return key;
  }
}

/** The additional data: JSON, so that no two places give the same bytes. */
const placeOf = (keyId: string, { table, column }: SealedColumn, rowId: string): Buffer =>
  Buffer.from(JSON.stringify([keyId, table, column, rowId]));

/** A key of which a copy of an older database may hold the plain text. */
export interface FormerKey {
  key: string;
  /** It counts only for what was made before this time, milliseconds. */
  until: number;
}

/** What the service keeps secret about itself. */
export interface Secrets {
  sealer: Sealer;
  /** The same on every instance. Used through {@link deriveServiceKey} only. */
  serviceKey: string;
  /** The key of earlier versions, which kept it in the clear. Null for a database made since. */
  formerKey: FormerKey | null;
}

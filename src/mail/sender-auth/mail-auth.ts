/** How the service authenticated the sender of a mail. `null`: not checked. */
export interface MailAuth {
  /** `imported`: a mail program brought it. */
  method: 'internal' | 'smtp' | 'imported';
  spf: string | null;
  dkim: string | null;
  dmarc: string | null;
  /** True when the From address is proven. */
  verified_from: boolean;
}

/** What a client needs to open a sealed mail. */
export interface Encryption {
  alg: 'X25519-HKDF-SHA256-A256GCM';
  /** First 16 hex digits of the SHA-256 of the public key. It identifies the private key that opens the mail. */
  key_id: string;
  /** base64url, 32 bytes. */
  ephemeral_public_key: string;
}

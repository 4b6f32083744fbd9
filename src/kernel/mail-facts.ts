/** How the sender of a mail was checked. `null`: not checked. */
export interface MailAuth {
  method: 'internal' | 'smtp';
  spf: string | null;
  dkim: string | null;
  dmarc: string | null;
  /** True when the From address is proven. */
  verified_from: boolean;
}

/** How a sealed mail can be opened. */
export interface Encryption {
  alg: 'X25519-HKDF-SHA256-A256GCM';
  /** First 16 hex digits of SHA-256 of the public key: tells which private key opens it. */
  key_id: string;
  /** base64url, 32 bytes. */
  ephemeral_public_key: string;
}

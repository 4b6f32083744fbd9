/** The public half of an Ed25519 key. */
export interface PublicKey {
  /** RFC 7638 thumbprint. */
  kid: string;
  /** 32 bytes, base64url. */
  x: string;
}

/** Lists the service's signing key and the older keys that still have unexpired tokens, newest first. */
export type ListPublicKeys = (now: number) => Promise<PublicKey[]>;

/** The public half of an Ed25519 key. */
export interface PublicKey {
  /** RFC 7638 thumbprint. */
  kid: string;
  /** 32 bytes, base64url. */
  x: string;
}

/** Every key of the service that signs, or whose last token has not expired. Newest first. */
export type ListPublicKeys = (now: number) => Promise<PublicKey[]>;

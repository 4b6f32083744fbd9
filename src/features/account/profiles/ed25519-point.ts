/**
 * Whether 32 bytes are a safe Ed25519 public key: a point of the curve in its canonical encoding (RFC 8032 5.1.3) and not
 * of small order. OpenSSL accepts any 32 bytes. With a key of small order, lax verifiers accept one signature for every
 * message.
 */
export async function isEd25519Point(bytes: Uint8Array): Promise<boolean> {
  // Loaded on first use, because most runs of the service and the command line need no key.
  const { ed25519 } = await import('@noble/curves/ed25519.js');
  try {
    return !ed25519.Point.fromBytes(bytes).isSmallOrder();
  } catch {
    return false;
  }
}

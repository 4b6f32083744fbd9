/**
 * Whether 32 bytes are an Ed25519 public key that can stand for its owner: a point of the curve in its one encoding (RFC
 * 8032 5.1.3), and not of small order. OpenSSL takes any 32 bytes, and lax verifiers accept one signature for every text
 * from a key of small order.
 */
export async function isEd25519Point(bytes: Uint8Array): Promise<boolean> {
  // Loaded with the first key: most starts of the service and the command line need none.
  const { ed25519 } = await import('@noble/curves/ed25519.js');
  try {
    return !ed25519.Point.fromBytes(bytes).isSmallOrder();
  } catch {
    return false;
  }
}

const P = 2n ** 255n - 19n;
/** The curve's constant (RFC 8032 5.1). */
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;
/** Of the points of order 8. */
const Y8 = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n;
/** The points of small order, by their y: lax verifiers take one signature for any text from such a key. */
const SMALL_ORDER = new Set([0n, 1n, P - 1n, Y8, P - Y8]);

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let [square, rest] = [base, exponent]; rest > 0n; rest >>= 1n, square = (square * square) % P)
    if (rest & 1n) result = (result * square) % P;
  return result;
}

/**
 * Whether 32 bytes are an Ed25519 public key that can stand for its owner: a point of the curve in its one encoding
 * (RFC 8032 5.1.3), and none of small order. OpenSSL takes any 32 bytes.
 */
export function isEd25519Point(bytes: Uint8Array): boolean {
  const encoded = BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
  const y = encoded & (2n ** 255n - 1n);
  if (y >= P || SMALL_ORDER.has(y)) return false;
  const square = (y * y) % P;
  // x² is u/v; u·v is a square exactly when that is (Euler).
  const [u, v] = [(square + P - 1n) % P, (D * square + 1n) % P];
  return power((u * v) % P, (P - 1n) / 2n) === 1n;
}

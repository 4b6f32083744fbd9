import { createHmac, createPublicKey, verify } from 'node:crypto';
import { ApiError, invalidField } from '../../../api/errors.ts';
import { iso } from '../../../base/clock.ts';
import { deriveServiceKey, type Secrets } from '../../../base/sealing.ts';

/** A challenge can be answered for five minutes. */
const LIFE_MS = 300_000;
/** Challenges of one key change this often. A proof is checked against those of the last five minutes. */
const STEP_MS = 10_000;
const SIGNATURE = /^[A-Za-z0-9_-]{86}$/;

/** A key that an account wants to publish. */
export interface ClaimedKey {
  accountId: string;
  /** RFC 7638 thumbprint. */
  kid: string;
  /** 32 bytes, base64url. */
  x: string;
}

/**
 * Asks for a signature by a key before an account publishes it, so that no account can publish the key of another. The
 * challenge names service, account and key, and cannot be known in advance. Every instance can check it, and nothing
 * is stored.
 */
export class PossessionRules {
  readonly #key: string;
  readonly #baseUrl: () => string;

  constructor({ serviceKey }: Pick<Secrets, 'serviceKey'>, baseUrl: () => string) {
    this.#key = deriveServiceKey(serviceKey, 'signing-key-proof');
    this.#baseUrl = baseUrl;
  }

  #challenge({ accountId, kid }: ClaimedKey, at: number): string {
    const text = `Signet: publish this signing key\nservice: ${this.#baseUrl()}\naccount: ${accountId}\nkey: ${kid}\nissued: ${iso(at)}`;
    return `${text}\nnonce: ${createHmac('sha256', this.#key).update(text).digest('base64url')}`;
  }

  /**
   * Checks that the caller holds the private key. @param proof base64url of the Ed25519 signature over the challenge
   * @throws ApiError `proof_required` with a challenge when there is no proof; `invalid_request` for one that is wrong
   *   or too late
   */
  require(claimed: ClaimedKey, proof: string | undefined, now: number): void {
    const current = now - (now % STEP_MS);
    if (proof === undefined)
      throw new ApiError('proof_required', {
        fields: { challenge: this.#challenge(claimed, current), expires_at: iso(current + LIFE_MS) },
      });
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: claimed.x }, format: 'jwk' });
    const signature = SIGNATURE.test(proof) ? Buffer.from(proof, 'base64url') : null;
    for (let at = current; signature && at >= now - LIFE_MS; at -= STEP_MS)
      if (verify(null, Buffer.from(this.#challenge(claimed, at)), key, signature)) return;
    throw invalidField(
      '/body/proof',
      'invalid_proof',
      '/body/proof does not sign a challenge of the last five minutes with this key. Ask again without proof.',
    );
  }
}

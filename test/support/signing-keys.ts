import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { Api, ApiReply } from './harness.ts';

const KEYS = '/v1/agents/signing-keys';

/** A key pair of an agent. */
export interface AgentKeyPair {
  /** 32 bytes, base64url. */
  publicKey: string;
  privateKey: KeyObject;
}

export function newSigningKey(): AgentKeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return { publicKey: publicKey.export({ format: 'jwk' }).x as string, privateKey };
}

const [x, d] = ['11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A'];

/** The example key pair of RFC 8037 A.1. */
export const RFC_8037_KEY: AgentKeyPair = {
  publicKey: x as string,
  privateKey: createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', x, d } as never, format: 'jwk' }),
};

/** Signs a challenge as `proof`. */
export const proofOf = ({ privateKey }: AgentKeyPair, challenge: string): string =>
  sign(null, Buffer.from(challenge), privateKey).toString('base64url');

/** Publishes a key in two calls: asks for the challenge, and sends its signature. */
export async function publishKey(api: Api, key: AgentKeyPair, fields: Record<string, unknown> = {}): Promise<ApiReply> {
  const asked = await api.post(KEYS, { public_key: key.publicKey });
  if (asked.body.error !== 'proof_required') return asked;
  return api.post(KEYS, { public_key: key.publicKey, ...fields, proof: proofOf(key, asked.body.challenge) });
}

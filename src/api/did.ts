import type { PublicKey } from '../base/public-keys.ts';
import { Type } from '../base/schema.ts';
import { named, record } from './fields.ts';

export const PublicJwk = named(
  'PublicJwk',
  record({
    kty: Type.Literal('OKP'),
    crv: Type.Literal('Ed25519'),
    x: Type.String(),
    kid: Type.String(),
    use: Type.Literal('sig'),
    alg: Type.Literal('EdDSA'),
  }),
);

const texts = () => Type.Array(Type.String());

export const DidDocument = named(
  'DidDocument',
  record({
    '@context': texts(),
    id: Type.String(),
    verificationMethod: Type.Array(
      record({ id: Type.String(), type: Type.String(), controller: Type.String(), publicKeyJwk: PublicJwk }),
    ),
    authentication: texts(),
    assertionMethod: texts(),
    service: Type.Array(record({ id: Type.String(), type: Type.String(), serviceEndpoint: Type.String() })),
  }),
);

/** An Ed25519 public key in a JWKS (spec, Tokens; RFC 8037 2). */
export const publicJwk = ({ kid, x }: PublicKey) => ({
  kty: 'OKP' as const,
  crv: 'Ed25519' as const,
  x,
  kid,
  use: 'sig' as const,
  alg: 'EdDSA' as const,
});

/** Builds the `did:web` of a base URL and path parts (did:web method, 3.1). The colon before a port is written %3A. */
export const didWeb = (baseUrl: string, ...path: string[]): string =>
  ['did:web', new URL(baseUrl).host.replace(':', '%3A'), ...path.map(encodeURIComponent)].join(':');

interface DidKey extends PublicKey {
  /** The DID of the owner of the private key. */
  controller: string;
}

interface DidService {
  id: string;
  type: string;
  serviceEndpoint: string;
}

/** Builds a DID document (W3C DID Core 1.0). `keys` are those of the subject itself, never those of who vouches for it. */
export function didDocument(did: string, keys: readonly DidKey[], services: DidService[]) {
  const method = ({ kid, x, controller }: DidKey) => ({
    id: `${did}#${kid}`,
    type: 'JsonWebKey2020' as const,
    controller,
    publicKeyJwk: publicJwk({ kid, x }),
  });
  const ids = keys.map(({ kid }) => `${did}#${kid}`);
  return {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/suites/jws-2020/v1'],
    id: did,
    verificationMethod: keys.map(method),
    authentication: ids,
    assertionMethod: ids,
    service: services,
  };
}

import { randomBytes } from 'node:crypto';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { ApiError } from '../../../api/errors.ts';
import type { Passkey, RelyingParty } from './passkey-table.ts';

/** The two ceremonies of WebAuthn (level 3, 7.1 and 7.2). The library does the checks; this file says which. */

/** How long a person has for the prompt of the browser, and a challenge lives. */
export const CEREMONY_MS = 300_000;

/** COSE names of EdDSA, ES256 and RS256: what every authenticator has at least one of. */
const ALGORITHMS = [-8, -7, -257];
const CHALLENGE_BYTES = 32;

/** Loaded with the first passkey, because it takes as long as the rest of the start. */
const library = () => import('@simplewebauthn/server');

/** A person, as an authenticator stores it. */
export interface PasskeyOwner {
  address: string;
  /** Tells the authenticator which passkeys are the same person's. Reveals nothing. */
  handle: Uint8Array<ArrayBuffer>;
}

const newChallenge = (): Uint8Array<ArrayBuffer> => Uint8Array.from(randomBytes(CHALLENGE_BYTES));

/** Makes the options of `navigator.credentials.create`. The browser leaves out authenticators that hold one of `known`. */
export async function registrationOptions(
  { id: rpID }: RelyingParty,
  { address, handle }: PasskeyOwner,
  known: readonly Passkey[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: 'Signet',
    rpID,
    userName: address,
    userDisplayName: address,
    userID: handle,
    challenge: newChallenge(),
    timeout: CEREMONY_MS,
    attestationType: 'none',
    excludeCredentials: known.map(({ credentialId: id, transports }) => ({ id, transports })),
    // Stored by the authenticator, so that the options of a login need not list passkeys.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

/** Makes the options of `navigator.credentials.get`. They are alike for every address, known or not. */
export async function loginOptions({ id: rpID }: RelyingParty): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await library();
  const challenge = newChallenge();
  return generateAuthenticationOptions({ rpID, challenge, timeout: CEREMONY_MS, userVerification: 'required' });
}

/** Reads the challenge that an answer claims to answer. Null for data that no browser sends. */
export function challengeIn(clientDataJSON: string): string | null {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'));
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}

const refused = (cause?: unknown): ApiError => new ApiError('invalid_passkey', { cause });

type Registered = Pick<Passkey, 'credentialId' | 'publicKey' | 'counter' | 'transports'>;

/** Checks a new passkey, which must have verified its user. @throws ApiError `invalid_passkey` */
export async function verifyRegistration(
  party: RelyingParty,
  response: RegistrationResponseJSON,
  expectedChallenge: string,
): Promise<Registered> {
  const { verifyRegistrationResponse } = await library();
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch((err: unknown) => {
    throw refused(err);
  });
  if (!verified) throw refused();
  const { id: credentialId, publicKey, counter, transports = [] } = registrationInfo.credential;
  return { credentialId, publicKey, counter, transports };
}

/** Checks the answer of a passkey to a login. @returns its new counter. @throws ApiError `invalid_passkey` */
export async function verifyLogin(
  party: RelyingParty,
  response: AuthenticationResponseJSON,
  expectedChallenge: string,
  { credentialId: id, publicKey, counter }: Passkey,
): Promise<number> {
  const { verifyAuthenticationResponse } = await library();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    credential: { id, publicKey: Uint8Array.from(publicKey), counter },
  }).catch((err: unknown) => {
    throw refused(err);
  });
  if (!verified) throw refused();
  return authenticationInfo.newCounter;
}

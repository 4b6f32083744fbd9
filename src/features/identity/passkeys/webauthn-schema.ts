import type {
  AuthenticationResponseJSON,
  AuthenticatorSelectionCriteria,
  PublicKeyCredentialDescriptorJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { line, oneOf, record, text } from '../../../api/fields.ts';
import { Type } from '../../../base/schema.ts';

/** What browsers send and get: the JSON of WebAuthn level 3 (5.1, `toJSON` and `parse…FromJSON`). */

/** Ids and small values, base64url. */
const short = () => text(2048, { minLength: 1 });
const long = () => text(32_768, { minLength: 1 });

/** Whatever else a browser adds is passed over. */
const open = <T>(properties: Record<string, unknown>, required: readonly string[]) =>
  Type.Unsafe<T>({ type: 'object', properties, required });

const envelope = {
  id: short(),
  rawId: short(),
  type: oneOf(['public-key']),
  authenticatorAttachment: Type.Optional(
    Type.Union([text(64), Type.Null()]) as unknown as ReturnType<typeof oneOf<['platform', 'cross-platform']>>,
  ),
  clientExtensionResults: Type.Optional(
    Type.Unsafe<RegistrationResponseJSON['clientExtensionResults']>({ type: 'object' }),
  ),
};

/** The reply of `navigator.credentials.create`, with a name for the list. */
export const RegistrationBody = record({
  ...envelope,
  response: open<RegistrationResponseJSON['response']>(
    {
      clientDataJSON: long(),
      attestationObject: long(),
      transports: Type.Array(text(64), { maxItems: 16 }),
    },
    ['clientDataJSON', 'attestationObject'],
  ),
  name: Type.Optional(line(100, { minLength: 1, description: 'For the list. Default: Passkey.' })),
});

/** The reply of `navigator.credentials.get`. */
export const LoginBody = record({
  ...envelope,
  response: open<AuthenticationResponseJSON['response']>(
    {
      clientDataJSON: long(),
      authenticatorData: long(),
      signature: short(),
      userHandle: Type.Union([text(2048), Type.Null()]),
    },
    ['clientDataJSON', 'authenticatorData', 'signature'],
  ),
  account_id: Type.Optional(text(64, { description: 'The account to act for. Default: the one you operate longest.' })),
});

const descriptors = () => Type.Optional(Type.Array(Type.Unsafe<PublicKeyCredentialDescriptorJSON>({ type: 'object' })));

export const RegistrationOptions = record({
  rp: record({ id: Type.String(), name: Type.String() }),
  user: record({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
  challenge: Type.String(),
  pubKeyCredParams: Type.Array(record({ alg: Type.Integer(), type: oneOf(['public-key']) })),
  timeout: Type.Integer(),
  attestation: Type.String(),
  excludeCredentials: descriptors(),
  authenticatorSelection: Type.Unsafe<AuthenticatorSelectionCriteria>({ type: 'object' }),
  extensions: Type.Unsafe<object>({ type: 'object' }),
  hints: Type.Array(Type.String()),
});

export const LoginOptions = record({
  rpId: Type.String(),
  challenge: Type.String(),
  timeout: Type.Integer(),
  userVerification: Type.String(),
});

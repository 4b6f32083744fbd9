import type { SignetClient } from '../../../client/signet-client.ts';
import { serviceFor } from './console-service.ts';

/** Passkeys as browsers offer them (WebAuthn level 3), between the options of the API and its replies. */

const NO_PASSKEYS = 'This browser cannot use passkeys here. Update it, or log in by email.';

/** Whether this browser can use passkeys on this page. It cannot on plain HTTP, except on localhost. */
export const hasPasskeys = (): boolean =>
  typeof globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON === 'function';

/** Runs the prompt of the browser. @throws {Error} with a text for people */
async function answer<Proof>(prompt: () => Promise<Credential | null>): Promise<Proof> {
  const credential = await prompt().catch((err: Error) => {
    throw new Error(
      err.name === 'InvalidStateError'
        ? 'This device already holds one of your passkeys.'
        : 'No passkey was used. Try again, or log in by email.',
    );
  });
  if (!(credential instanceof PublicKeyCredential)) throw new Error(NO_PASSKEYS);
  return credential.toJSON() as Proof;
}

/** Logs in with a passkey. @param accountId the account to act for */
export async function passkeySession(accountId?: string): Promise<{ session: string }> {
  if (!hasPasskeys()) throw new Error(NO_PASSKEYS);
  const service = serviceFor(null);
  const options = await service.createPasskeyLoginOptions({});
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  const proof = await answer<Parameters<typeof service.logInWithPasskey>[0]>(() =>
    navigator.credentials.get({ publicKey }),
  );
  return service.logInWithPasskey({ ...proof, account_id: accountId });
}

/** Adds a passkey to the person of this session. @param name for the list */
export async function addPasskey(service: SignetClient, name: string): Promise<{ status: string }> {
  if (!hasPasskeys()) throw new Error(NO_PASSKEYS);
  const options = await service.createPasskeyOptions({});
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  const proof = await answer<Parameters<typeof service.addPasskey>[0]>(() =>
    navigator.credentials.create({ publicKey }),
  );
  return service.addPasskey({ ...proof, name });
}

import type { SignetClient } from '../../../client/signet-client.ts';
import { serviceFor } from './console-service.ts';

/** Passkeys as browsers offer them (WebAuthn level 3), between the options of the API and its replies. */

const NO_PASSKEYS = 'This browser cannot use passkeys here. Update it, or log in by email.';

/** An address in the place of a host name: no passkey can belong to it (WebAuthn 5.1.3), not even on this machine. */
const IS_ADDRESS = /^(?:[\d.]+|\[.*\])$/;

/** Whether this browser can use passkeys on this page. It cannot on plain HTTP, except on localhost. */
export const hasPasskeys = (): boolean =>
  !IS_ADDRESS.test(location.hostname) &&
  typeof globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON === 'function';

/** Why not, for people. */
export const whyNoPasskeys = (): string =>
  IS_ADDRESS.test(location.hostname)
    ? 'Passkeys need a host name, and this page is open at a number. Run the service at http://localhost or at a domain of yours.'
    : NO_PASSKEYS;

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
  if (!hasPasskeys()) throw new Error(whyNoPasskeys());
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
  if (!hasPasskeys()) throw new Error(whyNoPasskeys());
  const options = await service.createPasskeyOptions({});
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  const proof = await answer<Parameters<typeof service.addPasskey>[0]>(() =>
    navigator.credentials.create({ publicKey }),
  );
  return service.addPasskey({ ...proof, name });
}

import type { ListVaultKeysReply } from '../../../../client/generated/operations.ts';
import { SignetCryptoError } from '../../../../client/signet-error.ts';
import type { Vault } from '../../../../client/vault.ts';
import { backUpSeed, readSeed, restoreSeed, SEALED_SEED } from '../../../../client/vault-seed.ts';
import type { Workspace } from '../../ui/workspace.ts';

/** The vaults that are open, and the copy of a seed that only a passphrase opens. */

export type VaultEntry = ListVaultKeysReply['keys'][number];

/** Entries that are opened to check a seed, until one shows whether it fits. */
const TRIED_MAX = 5;

interface Held {
  seed: Uint8Array;
  /** The versions seen: the service must not go back to an older one. */
  versions: Map<string, number>;
}

/** By account. They live as long as this page of the browser, or until the person signs out. */
const held = new Map<string, Held>();

export const forgetVaults = (): void => held.clear();

const idOf = ({ account }: Workspace): string => account.account_id;

export const closeVault = (workspace: Workspace): void => void held.delete(idOf(workspace));

/** The seed of the vault that is open; null: it is closed. */
export const openSeed = (workspace: Workspace): Uint8Array | null => held.get(idOf(workspace))?.seed ?? null;

/** @throws with a text for people when the vault is closed */
export function requireVault(workspace: Workspace): Vault {
  const { seed, versions } = held.get(idOf(workspace)) ?? {};
  if (seed === undefined || versions === undefined) throw new Error('Open the vault first.');
  return workspace.service.vault(seed, { versions });
}

/** @throws when the seed does not open what is there: what it sealed would be lost to the holder of the right one */
async function requireFit(workspace: Workspace, { seed, versions }: Held, entries: readonly VaultEntry[]) {
  const vault = workspace.service.vault(seed, { versions });
  for (const { key } of entries.slice(0, TRIED_MAX)) {
    try {
      await vault.get(key, { unproven: true });
      return;
    } catch (err) {
      if (!(err instanceof SignetCryptoError)) throw err;
      if (err.code === 'not_authentic')
        throw new Error('This seed does not open what is in the vault.', { cause: err });
      // What another tool stored in another format says nothing about the seed.
    }
  }
}

/** @param entries what is in the vault, without the copy of its seed. @throws with a text for people */
export async function openVault(workspace: Workspace, seed: Uint8Array, entries: readonly VaultEntry[]): Promise<void> {
  const opened = { seed, versions: new Map<string, number>() };
  await requireFit(workspace, opened, entries);
  held.set(idOf(workspace), opened);
}

/** A seed as it was typed, or a sealed copy of one with its passphrase. @throws with a text for people */
export async function typedSeed(text: string, passphrase: string): Promise<Uint8Array> {
  try {
    return passphrase === '' ? readSeed(text) : await restoreSeed(text, passphrase);
  } catch (err) {
    const isWrong = err instanceof SignetCryptoError && err.code === 'not_authentic';
    throw new Error(
      isWrong ? 'This passphrase does not open the sealed copy.' : 'This is not a seed: it needs 32 bytes.',
      { cause: err },
    );
  }
}

/** The seed of the vault, from the copy in it. @throws with a text for people */
export async function seedByPassphrase({ service }: Workspace, passphrase: string): Promise<Uint8Array> {
  const { ciphertext } = await service.getVaultEntry({ key: SEALED_SEED });
  try {
    return await restoreSeed(ciphertext, passphrase);
  } catch (err) {
    if (!(err instanceof SignetCryptoError)) throw err;
    const isWrong = err.code === 'not_authentic';
    throw new Error(
      isWrong ? 'This is not the passphrase of the vault.' : `The entry ${SEALED_SEED} is not a copy of a seed.`,
      { cause: err },
    );
  }
}

/** Puts a copy of the seed into the vault that the passphrase opens. @param version of the copy that it replaces; 0 without one */
export async function protectSeed(
  { service }: Workspace,
  seed: Uint8Array,
  passphrase: string,
  version: number,
): Promise<void> {
  const sealed = await backUpSeed(seed, passphrase);
  const ciphertext = sealed.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  const metadata = { about: 'The seed of this vault, sealed with a passphrase' };
  await service.putVaultEntry({ key: SEALED_SEED, ciphertext, metadata, if_version: version });
}

import { textOf } from '../../../../client/encoding.ts';
import type { VerifyVaultRecoveryReply } from '../../../../client/generated/operations.ts';
import { SignetCryptoError } from '../../../../client/signet-error.ts';
import { openRecovered } from '../../../../client/vault.ts';
import { restoreSeed } from '../../../../client/vault-seed.ts';
import { serviceFor } from '../../ui/console-service.ts';
import { fullTime } from '../../ui/format.ts';

/** What a recovery link brings, and how it is opened: here, in the browser. The service never sees a passphrase or seed. */

export type Recovered = Pick<VerifyVaultRecoveryReply, 'entries' | 'legacy_entries' | 'account_entries'>;

/** A sealed seed. */
export interface SealedSeed {
  title: string;
  sealed: string;
  /** The account whose entries it opens; null without one. */
  accountId: string | null;
  opened: OpenSeed | null;
}

export interface OpenSeed {
  seed: Uint8Array;
  entries: { name: string; version: number; content: Uint8Array<ArrayBuffer>; text: string | null }[];
  /** The names of entries that it does not open. */
  failed: string[];
}

/**
 * Fetches all pages. Data that does not fit one reply comes with a further token, which works once.
 * @param keep receives each page as it arrives, so that a failure loses no earlier page
 */
export async function fetchRecovered(token: string, keep: (found: Recovered) => void): Promise<void> {
  const service = serviceFor(null);
  for (let next: string | null = token; next !== null; ) {
    const found: VerifyVaultRecoveryReply = await service.verifyVaultRecovery({ token: next }, { retries: 0 });
    keep(found);
    next = found.next_token;
  }
}

function readable(content: Uint8Array): string | null {
  try {
    return textOf(content);
  } catch {
    return null;
  }
}

/** Opens a seed with its passphrase, and the entries with the seed. @throws {Error} with a text for people */
export async function openSeed(sealed: SealedSeed, { entries }: Recovered, passphrase: string): Promise<OpenSeed> {
  const seed = await restoreSeed(sealed.sealed, passphrase).catch((err) => {
    if (!(err instanceof SignetCryptoError)) throw err;
    throw new Error(
      err.code === 'not_authentic'
        ? 'This passphrase does not open the seed.'
        : 'Another tool sealed this seed. Open it with that tool: save the file.',
    );
  });
  const own = entries.filter(({ account_id: id }) => id === sealed.accountId);
  const found = await openRecovered(seed, own, { unproven: true });
  return {
    seed,
    entries: found.map(({ name, version, content }) => ({ name, version, content, text: readable(content) })),
    failed: found.failed.map(({ name }) => name),
  };
}

export const seedsIn = ({ account_entries: accounts, legacy_entries: loose }: Recovered): SealedSeed[] => [
  ...accounts.map(({ account_id: accountId, encrypted_seed: sealed }) => ({
    title: `Seed of ${accountId}`,
    sealed,
    accountId,
    opened: null,
  })),
  ...loose.map(({ vault_id: id, encrypted_seed: sealed, created_at: at }) => ({
    title: `Seed ${id}, stored ${fullTime(at)}`,
    sealed,
    accountId: null,
    opened: null,
  })),
];

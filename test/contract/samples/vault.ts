import { type TestAccount, type TestApp, tokenIn } from '../../support/harness.ts';
import { by, expect, freshName, type Prepare } from './sample.ts';

const SEALED = { ciphertext: 'c2VhbGVk', metadata: { note: 'kept', label: 'db' } };

/** An account with an entry of two versions. */
async function entry(t: TestApp): Promise<{ account: TestAccount; path: string }> {
  const account = await t.createAccount();
  const path = `/v1/vault/${freshName('secret')}`;
  await expect(201, account.api.put(path, SEALED));
  await expect(200, account.api.put(path, SEALED));
  return { account, path };
}

const ofEntry: Prepare = async (t) => {
  const { account, path } = await entry(t);
  return { ...by(account), path };
};

const freshEmail = (): string => `${freshName('ada')}@example.com`;

/** The token of the link in a recovery mail. */
const verifyVaultRecovery: Prepare = async (t) => {
  const email = freshEmail();
  const { account } = await entry(t);
  await expect(200, account.api.post('/v1/vault/recovery-email', { email, encrypted_seed: 'c2VlZA' }));
  await expect(200, t.api().post('/v1/vault/store', { recovery_email: email, encrypted_seed: 'c2VlZA' }));
  await expect(200, t.api().post('/v1/vault/recover', { email }));
  const mail = (await t.outboxMails()).findLast((text) => text.includes(email));
  if (mail === undefined) throw new Error('no recovery mail was sent');
  return { path: `/v1/vault/recover/verify?token=${tokenIn(mail)}`, key: null, accountId: account.accountId };
};

/** The vault and its recovery. */
export const vaultSamples: Record<string, Prepare> = {
  listVaultKeys: async (t) => ({ ...by((await entry(t)).account) }),
  putVaultEntry: async () => ({ path: `/v1/vault/${freshName('secret')}`, body: SEALED }),
  getVaultEntry: ofEntry,
  listVaultVersions: async (t) => {
    const { account, path } = await entry(t);
    return { ...by(account), path: `${path}/versions` };
  },
  deleteVaultEntry: ofEntry,
  setVaultRecovery: async () => ({ body: { email: freshEmail(), encrypted_seed: 'c2VlZA' } }),
  storeSeed: async () => ({ body: { recovery_email: freshEmail(), encrypted_seed: 'c2VlZA' } }),
  requestVaultRecovery: async () => ({ body: { email: freshEmail() } }),
  verifyVaultRecovery,
};

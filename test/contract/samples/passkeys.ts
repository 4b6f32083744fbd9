import { addPasskey, SoftwarePasskey } from '../../support/authenticator.ts';
import type { TestApp } from '../../support/harness.ts';
import { type Operated, operated, operatedWithPasskey } from '../../support/passkeys.ts';
import { expect, type Prepare, type Sample } from './sample.ts';

const of = ({ account, token }: Operated): Pick<Sample, 'key' | 'accountId'> => ({
  key: token,
  accountId: account.accountId,
});

/** An operator who is logged in with a passkey. */
async function withPasskey(t: TestApp) {
  const made = await operatedWithPasskey(t);
  return { ...made, token: made.strongToken };
}

const inSession: Prepare = async (t) => of(await operated(t));

/** Passkeys, their recovery codes, and the settings of an operator. */
export const passkeySamples: Record<string, Prepare> = {
  createPasskeyOptions: inSession,
  addPasskey: async (t) => {
    const made = await operated(t);
    const options = await expect(200, made.session.post('/v1/passkeys/options'));
    return { ...of(made), body: { ...new SoftwarePasskey(t.baseUrl).create(options.body), name: 'Laptop' } };
  },
  listPasskeys: inSession,
  removePasskey: async (t) => {
    const made = await withPasskey(t);
    const { body } = await expect(201, addPasskey(made.strong, new SoftwarePasskey(t.baseUrl)));
    return { ...of(made), path: `/v1/passkeys/${body.id}` };
  },
  createRecoveryCodes: async (t) => of(await withPasskey(t)),
  createPasskeyLoginOptions: async () => ({ body: { email: 'olga@example.com' } }),
  logInWithPasskey: async (t) => {
    const { account, passkey } = await operatedWithPasskey(t);
    const options = await expect(200, t.api().post('/v1/auth/passkey/options', {}));
    const { accountId } = account;
    return { accountId, body: { ...passkey.get(options.body), account_id: accountId } };
  },
  logInWithRecoveryCode: async (t) => {
    const { account, email, strong } = await operatedWithPasskey(t);
    const { codes } = (await expect(200, strong.post('/v1/passkeys/recovery-codes'))).body;
    return { accountId: account.accountId, body: { email, code: codes[0] } };
  },
  getOperatorSettings: inSession,
  updateOperatorSettings: async (t) => ({ ...of(await operated(t)), body: { require_passkey: false } }),
};

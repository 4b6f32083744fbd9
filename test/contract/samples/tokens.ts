import { proofOf, publishKey, RFC_8037_KEY } from '../../support/signing-keys.ts';
import { by, expect, freshName, inbox, type Prepare } from './sample.ts';

const TOKEN = { audience: 'https://api.example.com', scopes: ['mail.read'] };
const KEYS = '/v1/agents/signing-keys';

const inAgent =
  (suffix = ''): Prepare =>
  async (t) => {
    const { address } = await inbox(t);
    return { path: `/agents/${address.split('@')[0]}${suffix}` };
  };

/** Tokens, discovery and profiles. */
export const tokenSamples: Record<string, Prepare> = {
  issueToken: async () => ({
    body: { ...TOKEN, ttl: 60, agent_name: freshName('agent'), agent_email: 'a@example.com' },
  }),
  introspectToken: async (t) => {
    const issued = await expect(201, (await t.createAccount()).api.post('/v1/tokens/issue', TOKEN));
    return { body: { token: issued.body.token, token_type_hint: 'access_token' } };
  },
  revokeToken: async (t) => {
    const account = await t.createAccount();
    const issued = await expect(201, account.api.post('/v1/tokens/issue', TOKEN));
    return { ...by(account), body: { token: issued.body.token } };
  },
  getAuditRecord: async (t) => {
    const account = await t.createAccount();
    // The log of a new pod is empty.
    await expect(201, account.api.post('/v1/tokens/issue', TOKEN));
    const { body } = await expect(200, account.api.get('/v1/audit'));
    return { ...by(account), path: `/v1/audit/${body.entries[0].id}` };
  },
  registerSigningKey: async (t) => {
    const account = await t.createAccount();
    const { publicKey } = RFC_8037_KEY;
    const asked = await expect(409, account.api.post(KEYS, { public_key: publicKey }));
    const proof = proofOf(RFC_8037_KEY, asked.body.challenge);
    return { ...by(account), body: { public_key: publicKey, label: 'laptop', proof } };
  },
  deleteSigningKey: async (t) => {
    const account = await t.createAccount();
    const made = await expect(201, publishKey(account.api, RFC_8037_KEY));
    return { ...by(account), path: `/v1/agents/signing-keys/${made.body.keyid}` };
  },
  updateProfile: async () => ({
    body: { name: 'Ada', description: 'Plans.', capabilities: ['plan'], unlisted: true },
  }),
  getAgentProfile: inAgent(),
  getAgentDid: inAgent('/did.json'),
  getAgentJwks: inAgent('/.well-known/jwks.json'),
};

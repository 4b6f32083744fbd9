import { confirmOperator } from '../../support/agents.ts';
import type { TestAccount, TestApp } from '../../support/harness.ts';
import { tokenIn } from '../../support/harness.ts';
import { followLink, loginLinks } from '../../support/operators.ts';
import { by, expect, freshName, type Prepare } from './sample.ts';

const AUDIENCE = 'https://bounty.example.com';

/** An account with an operator. A pod has the operator of its platform. */
export async function operated(t: TestApp): Promise<TestAccount & { email: string }> {
  const account = await t.createAccount();
  const email = `${freshName('operator')}@example.com`;
  // A pod has the operator of its platform.
  const me = await expect(200, account.api.get('/v1/account/me'));
  if (me.body.parent_account_id === null) await confirmOperator(t, account, email);
  return { ...account, email };
}

/** A request, and the token of the link in its operator's mail. */
export async function asked(t: TestApp, wish: Record<string, unknown> = {}) {
  const account = await operated(t);
  const request = (await expect(201, account.api.post('/v1/credentials/request', { description: 'A key.', ...wish })))
    .body;
  await expect(200, t.api().post('/v1/credentials/verify-email', { user_code: request.user_code }));
  const mail = (await t.outboxMails()).findLast(
    (text) => text.includes(account.email) && text.includes('/credentials#'),
  );
  if (mail === undefined) throw new Error('no link was mailed');
  return { account, request, proof: { user_code: request.user_code as string, token: tokenIn(mail) } };
}

const finding = {
  title: 'Reflected XSS',
  severity: 'HIGH',
  target: 'https://shop.example.com/search',
  evidence_hash: `sha256:${'9f'.repeat(32)}`,
};

async function found(t: TestApp): Promise<{ account: TestAccount; jti: string }> {
  const account = await t.createAccount();
  const path = `/v1/agents/${account.accountId}/findings`;
  const made = await expect(201, account.api.post(path, { ...finding, audience: AUDIENCE }));
  return { account, jti: made.body.jti };
}

async function program(t: TestApp) {
  const account = await t.createAccount();
  const made = (await expect(201, account.api.post('/v1/programs', { name: 'Bounty', audience: AUDIENCE }))).body;
  return { account, id: made.program_id as string, key: made.api_key as string };
}

const ofAgent =
  (suffix: string, body?: unknown): Prepare =>
  async (t) => {
    const account = await t.createAccount();
    const path = `/v1/agents/${account.accountId}/${suffix}`;
    return { ...by(account), path, ...(body === undefined ? {} : { body }) };
  };

/** Credentials, findings and the programs that judge them. */
export const credentialSamples: Record<string, Prepare> = {
  requestCredential: async (t) => ({
    ...by(await operated(t)),
    body: { description: 'A test key.', vault_key: 'stripe', public_key: Buffer.alloc(32, 9).toString('base64url') },
  }),
  // An approved request: this call delivers its value.
  pollCredential: async (t) => {
    const { account, request, proof } = await asked(t);
    const given = { ...proof, decision: 'approve', credential_value: 'the value' };
    await expect(200, t.api().post('/v1/credentials/approve', given));
    return { ...by(account), body: { device_code: request.device_code } };
  },
  listCredentialRequests: async (t) => {
    const { account } = await asked(t);
    const [link] = await loginLinks(t, account.email);
    return { key: await followLink(t, link as string), accountId: account.accountId };
  },
  viewCredentialRequest: async (t) => {
    const { account, proof } = await asked(t);
    return { accountId: account.accountId, body: proof };
  },
  approveCredential: async (t) => {
    const { account, proof } = await asked(t);
    const given = { ...proof, decision: 'approve', credential_value: 'the value', vault_key: 'stripe' };
    return { accountId: account.accountId, body: given };
  },
  submitFinding: ofAgent('findings', {
    ...finding,
    cwe: 'CWE-79',
    evidence_url: 'https://evidence.example.com/1',
    tools_used: ['burp'],
    time_to_find_ms: 1000,
    audience: AUDIENCE,
  }),
  listFindings: ofAgent('findings'),
  getFinding: async (t) => ({ path: `/v1/findings/${(await found(t)).jti}` }),
  getTrackRecord: async (t) => ({ path: `/v1/agents/${(await found(t)).account.accountId}/track-record` }),
  judgeFinding: async (t) => {
    const { jti } = await found(t);
    const { account, key } = await program(t);
    return {
      path: `/v1/findings/${jti}/outcome`,
      accountId: account.accountId,
      headers: { authorization: `Bearer ${key}` },
      body: { outcome: 'accepted', note: 'Fixed.' },
    };
  },
  endProgram: async (t) => {
    const { account, id } = await program(t);
    return { ...by(account), path: `/v1/programs/${id}` };
  },
};

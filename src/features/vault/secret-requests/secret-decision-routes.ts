import { Asker } from '../../../api/account/asker-fields.ts';
import { type AuditNote, type Endpoint, endpoint, type Reply, reply } from '../../../api/endpoint.ts';
import { ApiError, ERRORS, invalidField } from '../../../api/errors.ts';
import { guidance, nullable, oneOf, record, text, timestamp } from '../../../api/fields.ts';
import type { Tx } from '../../../api/transaction.ts';
import { iso } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import { ACCOUNT_HEADER } from '../../../http/pipeline/authenticate.ts';
import { CREDENTIAL_BYTES_MAX, isSealed, SEALED_LENGTH_MAX } from './device-seal.ts';
import type { DecisionRules, Proof, ProofInput } from './secret-decision.ts';
import { type SecretRequestDeps, userCodeHash } from './secret-request.ts';

const TAG = 'Credentials';

const NO_STORE = { 'cache-control': 'no-store' };

const userCode = text(32, {
  minLength: 1,
  description: 'The code that the agent shows. Case and hyphen do not matter.',
});
const proofFields = {
  user_code: userCode,
  token: Type.Optional(text(64, { minLength: 1, description: 'From the fragment of the emailed link.' })),
  session: Type.Optional(text(64, { minLength: 1, description: 'An operator session, instead of `token`.' })),
};

/**
 * @param account the account that the session acts for. Undefined: its own
 * @throws ApiError `invalid_request` for both, or neither
 */
function proofIn({ token, session }: { token?: string; session?: string }, account: string | undefined): ProofInput {
  if (token !== undefined && session === undefined) return { token };
  if (session !== undefined && token === undefined) return { session, account };
  throw invalidField('/body/token', 'one_of', 'Send either token (from the mailed link) or session.');
}

type Transact = (work: (tx: Tx, audit: AuditNote) => Promise<never>) => Promise<Reply>;

/**
 * Records a wrong code and returns the refusal. The transaction replies with the refusal instead of failing, because a
 * failure would roll back the count.
 */
async function refuseCode(
  rules: DecisionRules,
  { credentials }: SecretRequestDeps,
  proof: Proof,
  now: number,
  transact: Transact,
) {
  const error = 'unknown_user_code';
  await transact(async (tx, audit) => {
    if (proof.principal) await credentials.confirm(tx, proof.principal);
    audit.actor = proof.person;
    audit.accountId = proof.operatorId;
    audit.resourceId = proof.requestId;
    audit.action = 'credential.code_refused';
    await rules.countWrong(tx, proof, now);
    return reply(404, { error, message: ERRORS[error].message }) as never;
  });
  return new ApiError(error);
}

const requestLink = (rules: DecisionRules, { networksOf }: SecretRequestDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/credentials/verify-email',
    operation: 'verifyCredentialOperator',
    tag: TAG,
    summary: 'Email a link to the operator of a request',
    description:
      'The reply is the same for an unknown code. The link leads to `/credentials#token=…`. It proves the operator’s ' +
      'address for this request only.',
    auth: 'none',
    effect: 'write',
    leaves: [],
    action: 'credential.link_requested',
    body: record({ user_code: { ...userCode, examples: ['BCDF-GHJK'] } }),
    replies: { 200: record({ sent: Type.Boolean(), message: guidance(Type.String()) }) },
    errors: ['rate_limited'],
    handle: async ({ body, ip, now, transact }) => {
      const networks = networksOf(ip);
      const codeHash = userCodeHash(body.user_code);
      return transact(async (tx) => {
        await rules.requestLink(tx, codeHash, networks, now);
        return reply(200, {
          sent: true,
          message: 'If a request has this code, its operator gets an email with a link.',
        });
      });
    },
  });

const View = record({
  request_id: Type.String(),
  status: oneOf(['pending']),
  agent: record({ ...Asker.properties, registered_at: timestamp() }),
  description: Type.String(),
  vault_key: nullable(Type.String()),
  public_key: nullable(
    Type.String({
      description: 'The agent’s X25519 key, base64url: seal the value to it. Null: send the value itself.',
    }),
  ),
  created_at: timestamp(),
  expires_at: timestamp(),
});

const REFUSALS = [
  'invalid_token',
  'unknown_user_code',
  'unauthorized',
  'operator_required',
  'account_suspended',
  'already_resolved',
  'expired',
] as const;

const viewCredential = (rules: DecisionRules, deps: SecretRequestDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/credentials/view',
    operation: 'viewCredentialRequest',
    tag: TAG,
    summary: 'Get a credential request as its operator',
    description:
      'Requires the token from the emailed link or an operator session, and the code. Five wrong codes end the request. The ' +
      'audit log records the first view.',
    auth: 'none',
    effect: 'lazy',
    leaves: [],
    action: 'credential.viewed',
    body: record(proofFields),
    replies: { 200: View },
    errors: REFUSALS,
    handle: async ({ body, header, now, transact }) => {
      const { database, credentials } = deps;
      const codeHash = userCodeHash(body.user_code);
      const proof = await rules.prove(database, proofIn(body, header(ACCOUNT_HEADER)), now);
      const request = await rules.match(database, proof, codeHash, now);
      if (request === null) throw await refuseCode(rules, deps, proof, now, transact as Transact);
      const { agent, registeredAt } = await rules.describe(database, request);
      const view = {
        request_id: request.id,
        status: 'pending' as const,
        agent: { ...agent, registered_at: iso(registeredAt) },
        description: request.description,
        vault_key: request.vaultKey,
        public_key: request.ownKey ? request.publicKey : null,
        created_at: iso(request.createdAt),
        expires_at: iso(request.expiresAt),
      };
      if (request.viewedAt !== null) return reply(200, view, NO_STORE);
      return transact(async (tx, audit) => {
        if (proof.principal) await credentials.confirm(tx, proof.principal);
        audit.actor = proof.person;
        audit.accountId = request.accountId;
        audit.resourceId = request.id;
        await rules.recordView(tx, request, now);
        return reply(200, view, NO_STORE);
      });
    },
  });

const ApproveBody = record({
  ...proofFields,
  decision: oneOf(['approve', 'deny']),
  credential_value: Type.Optional(
    text(CREDENTIAL_BYTES_MAX, { minLength: 1, description: 'The value, when the view has no `public_key`.' }),
  ),
  sealed_value: Type.Optional(
    text(SEALED_LENGTH_MAX, {
      minLength: 1,
      description: 'The value sealed to `public_key`, see docs/credentials.md.',
    }),
  ),
  vault_key: Type.Optional(
    nullable(
      text(128, {
        pattern: '^[A-Za-z0-9_.-]+$',
        description: 'Vault key to store it under. Default: the key that the agent sent.',
      }),
    ),
  ),
});

/** @throws ApiError `invalid_request` */
function requireUsable(body: { credential_value?: string; sealed_value?: string }): void {
  const { credential_value: value, sealed_value: sealed } = body;
  if (value !== undefined && Buffer.byteLength(value) > CREDENTIAL_BYTES_MAX)
    throw invalidField(
      '/body/credential_value',
      'too_large',
      `/body/credential_value may have at most ${CREDENTIAL_BYTES_MAX} bytes.`,
    );
  if (sealed !== undefined && !isSealed(sealed))
    throw invalidField(
      '/body/sealed_value',
      'invalid_format',
      '/body/sealed_value must be a sealed value, base64url without padding.',
    );
}

const approveCredential = (rules: DecisionRules, deps: SecretRequestDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/credentials/approve',
    operation: 'approveCredential',
    tag: TAG,
    summary: 'Approve or deny a credential request',
    description:
      'Requires the token from the emailed link or an operator session, and the code. A request is decided once. The value is ' +
      'stored sealed until the agent polls, then deleted.',
    auth: 'none',
    effect: 'write',
    leaves: [],
    action: 'credential.resolved',
    body: ApproveBody,
    bodyLimitBytes: 262_144,
    replies: {
      200: record({
        request_id: Type.String(),
        status: oneOf(['approved', 'denied']),
        vault_key: nullable(Type.String()),
        resolved_at: timestamp(),
      }),
    },
    errors: [...REFUSALS, 'passkey_required', 'sealed_value_required', 'credential_value_required'],
    handle: async ({ body, header, now, transact }) => {
      const { database, credentials } = deps;
      const codeHash = userCodeHash(body.user_code);
      requireUsable(body);
      const proof = await rules.prove(database, proofIn(body, header(ACCOUNT_HEADER)), now);
      const found = await rules.match(database, proof, codeHash, now);
      if (found === null) throw await refuseCode(rules, deps, proof, now, transact as Transact);
      const input = {
        approve: body.decision === 'approve',
        credentialValue: body.credential_value ?? null,
        sealedValue: body.sealed_value ?? null,
        vaultKey: body.vault_key ?? null,
      };
      return transact(async (tx, audit) => {
        if (proof.principal) await credentials.confirm(tx, proof.principal);
        audit.actor = proof.person;
        audit.accountId = found.accountId;
        audit.resourceId = found.id;
        const decided = await rules.decide(tx, proof, found, input, now);
        const fields = { request_id: found.id, vault_key: decided.vaultKey, resolved_at: iso(now) };
        return reply(200, { ...fields, status: decided.status }, NO_STORE);
      });
    },
  });

/** The operator's side: prove, view and decide. */
export const decisionRoutes = (rules: DecisionRules, deps: SecretRequestDeps): Endpoint[] => [
  requestLink(rules, deps),
  viewCredential(rules, deps),
  approveCredential(rules, deps),
];

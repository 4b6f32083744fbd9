import { Asker } from '../../../api/account/asker-fields.ts';
import { AUTHORITIES } from '../../../api/authority.ts';
import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { ApiError, invalidField } from '../../../api/errors.ts';
import { nullable, oneOf, record, text, timestamp } from '../../../api/fields.ts';
import { quoteWords } from '../../../api/quoted-text.ts';
import { iso } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import { type AddressProof, type ConfirmationRules, readQuestion } from './confirmation.ts';
import type { PeopleDeps } from './people-changes.ts';
import { daysRemovable } from './person.ts';
import { PERSON_ROLES } from './person-table.ts';

const proofFields = {
  token: Type.Optional(text(64, { minLength: 1, description: 'From the fragment of the emailed link.' })),
  id: Type.Optional(text(64, { minLength: 1, description: 'Instead of `token`, with a session of the address.' })),
};

const isTokenFault = { '/body/token': 'invalid_token' } as const;

/** @throws ApiError `invalid_request` for both, or neither; `unauthorized` for an id without a session */
async function proofOf(
  { credentials }: PeopleDeps,
  { token, id }: { token?: string; id?: string },
  authorization: string | undefined,
  now: number,
): Promise<AddressProof> {
  if (token !== undefined && id === undefined) return { token };
  if (id === undefined || token !== undefined)
    throw invalidField('/body/token', 'one_of', 'Send either token (from the emailed link) or id (with a session).');
  const [, credential] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
  const principal = credential === undefined ? null : await credentials.authenticate(credential, now);
  if (principal?.person == null) throw new ApiError('unauthorized', { message: 'Send a session of this address.' });
  return { id, principal };
}

const view = (deps: PeopleDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/people/view',
    operation: 'viewConfirmation',
    tag: 'Accounts',
    summary: 'Get what an address is asked to confirm',
    description: 'Decides nothing, and the token stays valid.',
    auth: 'none',
    effect: 'none',
    body: record(proofFields),
    replies: {
      200: record({
        id: Type.String(),
        role: oneOf(PERSON_ROLES),
        address: Type.String(),
        account_id: Type.String(),
        name: nullable(Type.String({ description: 'What the agent calls itself, in quotation marks.' })),
        agent: Asker,
        named_at: timestamp(),
        confirmed: Type.Boolean(),
        removable_days: Type.Integer({
          description: 'So many days the account’s key can remove it at once.',
        }),
        authority: nullable(oneOf(AUTHORITIES), { description: 'The answer that the agent proposed.' }),
      }),
    },
    errors: ['invalid_token', 'unauthorized', 'not_found'],
    codes: isTokenFault,
    handle: async ({ body, header, now }) => {
      const proof = await proofOf(deps, body, header('authorization'), now);
      const { person, authority, agent } = await readQuestion(deps.database, proof, now);
      return reply(200, {
        id: person.id,
        role: person.role,
        address: person.address,
        account_id: person.accountId,
        name: quoteWords(agent.name ?? '') || null,
        agent,
        named_at: iso(person.namedAt),
        confirmed: person.confirmedAt !== null,
        removable_days: daysRemovable(person, now),
        authority,
      });
    },
  });

const confirm = (rules: ConfirmationRules, deps: PeopleDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/people/confirm',
    operation: 'confirmPerson',
    tag: 'Accounts',
    summary: 'Confirm or refuse an address',
    description:
      'By the link of the confirmation email (72 hours, once), or by a session of the address. `refuse` says “This is not my agent”: the account cannot name the address again. An operator who sends `authority: operator` reserves spending and changes to the operators.',
    auth: 'none',
    effect: 'write',
    leaves: [],
    action: 'person.confirmed',
    body: record({
      ...proofFields,
      decision: oneOf(['confirm', 'refuse']),
      authority: Type.Optional(oneOf(AUTHORITIES)),
    }),
    replies: { 200: record({ status: oneOf(['confirmed', 'refused']) }) },
    errors: ['invalid_token', 'unauthorized', 'not_found', 'operator_limit', 'operator_required', 'passkey_required'],
    codes: isTokenFault,
    handle: async ({ body, header, now, transact }) => {
      const proof = await proofOf(deps, body, header('authorization'), now);
      return transact(async (tx, audit) => {
        if ('principal' in proof) await deps.credentials.confirm(tx, proof.principal);
        const isConfirmed = body.decision === 'confirm';
        if (!isConfirmed) audit.action = 'person.refused';
        const { id, accountId, address, role } = isConfirmed
          ? await rules.confirm(tx, proof, body.authority ?? null, now)
          : await rules.refuse(tx, proof, now);
        audit.accountId = accountId;
        audit.resourceId = id;
        audit.actor = { kind: 'person', address, role };
        return reply(200, { status: isConfirmed ? 'confirmed' : 'refused' });
      });
    },
  });

/** The side of the person whose address was named. */
export const confirmationRoutes = (rules: ConfirmationRules, deps: PeopleDeps): Endpoint[] => [
  view(deps),
  confirm(rules, deps),
];

import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { invalidField } from '../../../api/errors.ts';
import { line, oneOf, record, secret, text } from '../../../api/fields.ts';
import { Type } from '../../../base/schema.ts';
import { requirePersonalEmail } from '../../../mail/address/mail-address.ts';
import { AccountLimits } from '../accounts/account-limit-schema.ts';
import type { RegistrationDeps, RegistrationRules } from './registration.ts';

const register = (rules: RegistrationRules, { networksOf }: RegistrationDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/register',
    operation: 'register',
    tag: 'Accounts',
    summary: 'Create an account with an API key and an email address',
    description:
      'Send `name`, `address` or both. A name becomes an address: `Zoë Müller` gets `zoe-muller`. A name that cannot be written in a-z gets a generated address. If that address is taken, four digits are appended. A taken `address` is refused with 409.',
    auth: 'none',
    effect: 'write',
    leaves: [],
    action: 'account.created',
    body: record({
      name: Type.Optional(line(100)),
      address: Type.Optional(text(254, { description: 'On the mail domain.' })),
      recovery_email: Type.Optional(text(254, { description: 'Receives login links.' })),
      capabilities: Type.Optional(
        Type.Array(line(100), { maxItems: 10, description: 'What the agent can do. Shown on its profile.' }),
      ),
      invite: Type.Optional(text(64, { description: 'Needed where sign-up is by invite.' })),
    }),
    tools: [
      {
        name: 'register',
        group: 'start',
        description: 'Create your account: API key, mail address and limits. Keep the key: it is shown once.',
        takes: ['name', 'address', 'recovery_email', 'invite'],
        gives: ['api_key', 'account_id', 'email', 'limits'],
      },
    ],
    replies: {
      201: record({
        api_key: secret(Type.String()),
        account_id: Type.String(),
        email: Type.String(),
        tier: oneOf(['free', 'paid']),
        limits: AccountLimits,
      }),
    },
    errors: [
      'invalid_address',
      'address_unavailable',
      'address_limit',
      'rate_limited',
      'signup_closed',
      'invite_required',
    ],
    codes: { '/body/address': 'invalid_address' },
    handle: async ({ body, ip, now, transact }) => {
      if (body.name === undefined && body.address === undefined)
        throw invalidField('/body/name', 'required', 'Send name, address, or both.');
      const recoveryEmail =
        body.recovery_email === undefined ? null : requirePersonalEmail(body.recovery_email, '/body/recovery_email');
      const registration = {
        name: body.name ?? null,
        address: body.address ?? null,
        recoveryEmail,
        capabilities: body.capabilities ?? [],
        invite: body.invite,
        networks: networksOf(ip),
      };
      return transact(async (tx, audit) => {
        const { minted, address, tier, limits } = await rules.register(tx, registration, now);
        audit.accountId = minted.accountId;
        audit.resourceId = minted.accountId;
        return reply(201, { api_key: minted.key, account_id: minted.accountId, email: address, tier, limits });
      });
    },
  });

export const registrationRoutes = (rules: RegistrationRules, deps: RegistrationDeps): Endpoint[] => [
  register(rules, deps),
];

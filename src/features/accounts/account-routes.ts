import { Type } from 'typebox';
import { iso, isoOrNull } from '../../kernel/clock.ts';
import { type Endpoint, endpoint, reply } from '../../kernel/endpoint.ts';
import { named, nullable, oneOf, record, timestamp } from '../../kernel/fields.ts';
import { SCOPE_NAMES } from '../../kernel/scopes.ts';
import type { Reader } from '../../kernel/transaction.ts';
import { AccountLimits } from './account-limit-schema.ts';
import { requireAccount } from './account-rules.ts';

/** An address of a person, as the account shows it. Times in milliseconds. */
export interface ShownPerson {
  role: 'email' | 'recovery' | 'operator';
  address: string;
  namedAt: number;
  confirmedAt: number | null;
  removalDueAt: number | null;
}

export interface AccountRouteDeps {
  database: Reader;
  /** Returns the prefix of the account's active key, or null without one. */
  activePrefix(accountId: string): Promise<string | null>;
  /** Lists the addresses of people, oldest first. */
  peopleOf(accountId: string): Promise<readonly ShownPerson[]>;
  /** Lists the mail addresses of the account, oldest first. */
  addressesOf(accountId: string): Promise<readonly string[]>;
  /** Returns the address that recovers the vault. */
  vaultRecoveryOf(accountId: string): Promise<string | null>;
}

const PersonEntry = named(
  'Person',
  record({
    role: oneOf(['email', 'recovery', 'operator']),
    address: Type.String(),
    confirmed: Type.Boolean(),
    confirmed_at: nullable(timestamp()),
    removal_due_at: nullable(timestamp(), { description: 'When it ends, if its removal is announced.' }),
  }),
);

/** Shows the addresses of people, and the fields of the specification that name one of them. */
function peopleBody(people: readonly ShownPerson[]) {
  const of = (role: ShownPerson['role']) => people.filter((person) => person.role === role);
  const newest = (some: readonly ShownPerson[]): string | null =>
    some.toSorted((a, b) => a.namedAt - b.namedAt).at(-1)?.address ?? null;
  const operators = of('operator');
  const [confirmed] = operators
    .filter(({ confirmedAt }) => confirmedAt !== null)
    .toSorted((a, b) => (a.confirmedAt ?? 0) - (b.confirmedAt ?? 0));
  return {
    recovery_email: newest(of('recovery').filter(({ removalDueAt }) => removalDueAt === null)),
    email: newest(of('email')),
    operator_email: confirmed?.address ?? newest(operators),
    people: people.map(({ role, address, confirmedAt, removalDueAt }) => ({
      role,
      address,
      confirmed: confirmedAt !== null,
      confirmed_at: isoOrNull(confirmedAt),
      removal_due_at: isoOrNull(removalDueAt),
    })),
  };
}

const Account = record({
  id: Type.String(),
  account_id: Type.String({ description: 'The same as `id`.' }),
  key_prefix: Type.String({
    description: 'First characters of the key in use; for a session, of the active key.',
  }),
  name: Type.String({ description: 'Empty when not set.' }),
  tier: oneOf(['free', 'paid']),
  recovery_email: nullable(Type.String(), { description: 'Receives login links.' }),
  email: nullable(Type.String(), { description: 'Set at sign-up. Also receives login links.' }),
  operator_email: nullable(Type.String(), { description: 'The first confirmed operator, else who was named last.' }),
  people: Type.Array(PersonEntry, { description: 'Oldest first.' }),
  vault_recovery_email: nullable(Type.String()),
  addresses: Type.Array(Type.String(), { description: 'Mail addresses of the account, oldest first.' }),
  scopes: Type.Array(oneOf(SCOPE_NAMES), { description: 'What this credential may do.' }),
  limits: AccountLimits,
  parent_account_id: nullable(Type.String(), { description: 'The platform of a pod; null for a platform.' }),
  capabilities: Type.Array(Type.String()),
  created_at: timestamp(),
});

const me = ({ database, activePrefix, peopleOf, addressesOf, vaultRecoveryOf }: AccountRouteDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/account/me',
    operation: 'getAccount',
    tag: 'Accounts',
    summary: 'Get the account',
    auth: 'key',
    scope: 'account:read',
    addresses: 'filtered',
    effect: 'none',
    replies: { 200: Account },
    errors: [],
    handle: async ({ principal }) => {
      const account = await requireAccount(database, principal.accountId);
      return reply(200, {
        id: account.id,
        account_id: account.id,
        key_prefix:
          principal.keyHash === null ? ((await activePrefix(account.id)) ?? principal.actor) : principal.actor,
        name: account.name ?? '',
        tier: principal.tier,
        ...peopleBody(await peopleOf(account.id)),
        vault_recovery_email: await vaultRecoveryOf(account.id),
        addresses: [...(principal.addresses ?? (await addressesOf(account.id)))],
        scopes: [...(principal.scopes ?? SCOPE_NAMES)],
        limits: principal.limits,
        parent_account_id: account.parentId,
        capabilities: account.capabilities,
        created_at: iso(account.createdAt),
      });
    },
  });

export const accountRoutes = (deps: AccountRouteDeps): Endpoint[] => [me(deps)];

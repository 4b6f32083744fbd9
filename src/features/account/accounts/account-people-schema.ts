import { named, nullable, oneOf, record, timestamp } from '../../../api/fields.ts';
import { isoOrNull } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';

/** An address of a person, as the account shows it. Times in milliseconds. */
export interface ShownPerson {
  role: 'email' | 'recovery' | 'operator';
  address: string;
  namedAt: number;
  confirmedAt: number | null;
  removalDueAt: number | null;
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

/** The addresses of an account's people, and the fields of the specification that name one of them. */
export const peopleFields = {
  recovery_email: nullable(Type.String(), { description: 'Receives login links.' }),
  email: nullable(Type.String(), {
    description: 'A person’s, set at sign-up; your own mail addresses are in `addresses`. Also receives login links.',
  }),
  operator_email: nullable(Type.String(), { description: 'The first confirmed operator, else who was named last.' }),
  people: Type.Array(PersonEntry, { description: 'Oldest first.' }),
};

/** Shows the addresses of people. */
export function peopleBody(people: readonly ShownPerson[]) {
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

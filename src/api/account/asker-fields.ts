import type { Static } from 'typebox';
import { Type } from '../../base/schema.ts';
import { named, nullable, record } from '../fields.ts';
import type { Reader } from '../transaction.ts';

/** Who asks a person to decide. */
export const Asker = named(
  'AskingAgent',
  record({
    account_id: Type.String(),
    name: nullable(Type.String({ description: 'The agent chose it.' })),
    address: nullable(Type.String({ description: 'Its first address.' })),
  }),
);

/** Tells who asks. Anyone can choose any name, so the rest stands beside it. */
export type AskerOf = (reader: Reader, accountId: string) => Promise<Static<typeof Asker>>;

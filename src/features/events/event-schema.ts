import { Type } from 'typebox';
import { EVENT_TYPES } from '../../kernel/events.ts';
import { text } from '../../kernel/fields.ts';

/** The parameter that narrows every way of reading to some types. */
export const typeParam = () =>
  Type.Optional(
    text(500, { description: `Only these types, with commas between: ${EVENT_TYPES.join(', ')}. All when absent.` }),
  );

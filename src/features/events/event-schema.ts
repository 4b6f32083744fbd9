import { EVENT_TYPES } from '../../kernel/events.ts';
import { text } from '../../kernel/fields.ts';
import { Type } from '../../kernel/schema.ts';

/** The query parameter that selects types of events. */
export const typeParam = () =>
  Type.Optional(
    text(500, {
      description: `Types to return, separated by commas. Default: all. One or more of: ${EVENT_TYPES.join(', ')}.`,
    }),
  );

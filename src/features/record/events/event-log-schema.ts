import { EVENT_TYPES } from '../../../api/events.ts';
import { text } from '../../../api/fields.ts';
import { Type } from '../../../base/schema.ts';

/** The query parameter that selects types of events. */
export const typeParam = () =>
  Type.Optional(
    text(500, {
      description: `Types to return, separated by commas. Default: all. One or more of: ${EVENT_TYPES.join(', ')}.`,
    }),
  );

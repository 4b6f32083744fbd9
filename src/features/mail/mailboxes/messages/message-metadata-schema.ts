import { named, nullable } from '../../../../api/fields.ts';
import { Type } from '../../../../base/schema.ts';

/** Private notes of the owner on a message or a sent mail. */
export type Metadata = Record<string, string | number | boolean>;

const NAME = '^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$';

const values = (value: Record<string, unknown>, options: Record<string, unknown> = {}) => ({
  type: 'object',
  patternProperties: { [NAME]: value },
  additionalProperties: false,
  ...options,
});

/** In a request. How large it may be in all is another rule. */
export const MetadataChange = Type.Optional(
  named(
    'MailMetadata',
    nullable(
      Type.Unsafe<Record<string, string | number | boolean | null>>(
        values({ type: ['string', 'number', 'boolean', 'null'], maxLength: 500 }),
      ),
      { description: 'Your notes. Null removes.' },
    ),
  ),
);

/** In a reply. */
export const MetadataReply = named('MailNotes', Type.Unsafe<Metadata>({ type: 'object' }));

/** The query parameters `metadata.<name>=<value>` of a list. */
export const metadataFilter = () =>
  Type.Optional(
    named(
      'metadata',
      Type.Unsafe<Record<string, string>>({
        ...values({ type: 'string', maxLength: 500 }, { maxProperties: 5 }),
        description: 'Written `metadata.<name>=<value>`, once for each name.',
        'x-dotted': true,
      }),
    ),
  );

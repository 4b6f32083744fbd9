import { named, nullable, oneOf, record } from '../../../../api/fields.ts';
import { Type } from '../../../../base/schema.ts';
import { SIGNAL_PLACES, VERDICTS } from '../../../../mail/mime/screening-result.ts';

export const MailCode = named(
  'MailCode',
  record({
    code: nullable(Type.String({ description: 'Null when several candidates fit equally well.' })),
    kind: oneOf(['code']),
    confidence: Type.Number({ description: 'From 0 to 1.' }),
    method: oneOf(['header', 'origin_line', 'keyword']),
    sender: record({ domain: Type.String(), dmarc: nullable(Type.String()) }),
    expires_hint: nullable(Type.Integer({ description: 'Seconds that the mail says the code is valid.' })),
    candidates: Type.Array(Type.String(), { description: 'Best first, at most 3.' }),
    message_id: Type.String(),
  }),
);

export const MailLink = named(
  'MailLink',
  record({
    url: Type.String(),
    text: Type.String(),
    host: Type.String(),
    kind: oneOf(['verify', 'reset', 'login', 'unsubscribe', 'other']),
    mismatch: Type.Boolean({ description: 'The text names another host.' }),
  }),
);

export const MailSafety = named(
  'MailSafety',
  record({
    verdict: oneOf([...VERDICTS]),
    signals: Type.Array(
      record({
        name: Type.String(),
        weight: Type.Number({ description: 'From 0 to 1.' }),
        where: oneOf([...SIGNAL_PLACES]),
      }),
      { description: 'What speaks against the mail, heaviest first.' },
    ),
  }),
);

import { type Endpoint, endpoint, reply } from '../../../../api/endpoint.ts';
import { ApiError } from '../../../../api/errors.ts';
import { media, record, text } from '../../../../api/fields.ts';
import { Type } from '../../../../base/schema.ts';
import { autoconfigText, type DoorSettings } from './program-settings.ts';

const PATH = '/mail/config-v1.1.xml';

/** Public, and the same for every address: it must not tell which ones exist. */
export const programSettingsRoutes = (
  mailDomain: string,
  doors: () => { imap: DoorSettings | null; smtp: DoorSettings | null },
): Endpoint[] => [
  endpoint({
    method: 'GET',
    path: `/.well-known/autoconfig${PATH}`,
    // As `autoconfig.{mail domain}` serves it.
    aliases: [PATH],
    operation: 'getMailProgramSettings',
    tag: 'Pages',
    summary: 'Get the settings of mail programs',
    auth: 'none',
    effect: 'none',
    query: record({
      emailaddress: Type.Optional(text(320, { description: 'Not looked at. Clients send it.' })),
    }),
    replies: { 200: media('text/xml; charset=utf-8', 'The settings.') },
    errors: ['not_found'],
    handle: async () => {
      const found = doors();
      if (found.imap === null && found.smtp === null)
        throw new ApiError('not_found', { message: 'This service has no door for mail programs.' });
      return reply(200, autoconfigText(mailDomain, found), {
        'content-type': 'text/xml; charset=utf-8',
        'cache-control': 'public, max-age=300',
      });
    },
  }),
];

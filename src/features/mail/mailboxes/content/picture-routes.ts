import { type Endpoint, endpoint, reply } from '../../../../api/endpoint.ts';
import { record, text } from '../../../../api/fields.ts';
import { requireScope } from '../../../../api/scopes.ts';
import { WAY_REFUSALS } from '../../../../api/way-out.ts';
import { Type } from '../../../../base/schema.ts';
import type { MailboxRules } from '../mailbox.ts';
import { AnyAddressQuery, MESSAGE_ERRORS, MessageParams } from '../messages/message-schema.ts';
import { PICTURES_MAX, type PictureRules } from './picture.ts';

export const pictureRoutes = (mailboxes: MailboxRules, pictures: PictureRules): Endpoint[] => [
  endpoint({
    method: 'POST',
    path: '/v1/email/messages/{id}/pictures',
    operation: 'loadPictures',
    tag: 'Email',
    summary: 'Get remote pictures of a message',
    description:
      'The service gets them from addresses that the HTML names, without cookies. Their hosts learn that the mail is read. What fails is left out. Needs `mail:codes` too.',
    auth: 'key',
    scope: 'mail:read',
    addresses: 'filtered',
    model: false,
    effect: 'none',
    leaves: ['fetch'],
    params: MessageParams,
    query: AnyAddressQuery,
    body: record({ urls: Type.Array(text(2048), { maxItems: PICTURES_MAX }) }),
    replies: {
      200: record({
        pictures: Type.Array(
          record({ url: Type.String(), content_type: Type.String(), content: Type.String({ description: 'Base64.' }) }),
        ),
      }),
    },
    errors: [...MESSAGE_ERRORS, 'rate_limited', ...WAY_REFUSALS],
    handle: async ({ principal, params, query, body, now }) => {
      const message = await mailboxes.message(principal, query.address, params.id, query.folder);
      // Their addresses are links, and asking for one opens it.
      requireScope(principal, 'mail:codes');
      const loaded = await pictures.load(principal, message, body.urls, now);
      return reply(200, {
        pictures: loaded.map(({ url, contentType, content }) => ({
          url,
          content_type: contentType,
          content: content.toString('base64'),
        })),
      });
    },
  }),
];

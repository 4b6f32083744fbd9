import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { ApiError } from '../../../api/errors.ts';
import { media, record, text } from '../../../api/fields.ts';
import { PLAIN_PAGE_HEADERS } from '../../../api/page-frame.ts';
import { isLoopbackHost } from '../../../base/loopback-host.ts';
import { isPublicAddress } from '../../../base/outbound-guard.ts';
import { keptMailPage, outboxPage } from './dev-outbox-page.ts';
import type { KeptMails } from './kept-mails.ts';

const COMMON = { method: 'GET', tag: 'Pages', auth: 'none', effect: 'none' } as const;
const HEADERS = { ...PLAIN_PAGE_HEADERS, 'cache-control': 'no-store' };
const replies = { 200: media('text/html; charset=utf-8', 'The page.') };

/**
 * Mails hold login links, and everyone on this machine may read this outbox, also where the service runs in a container
 * and the machine has a private address. A website must not: it could point a name of its own at this machine (DNS
 * rebinding), but then the request names that host.
 */
function requireThisMachine(ip: string, host: string | undefined): void {
  const name = host?.replace(/:\d+$/, '') ?? '';
  if (isPublicAddress(ip) || !isLoopbackHost(name)) throw new ApiError('not_found');
}

export const devOutboxRoutes = (mails: KeptMails): Endpoint[] => [
  endpoint({
    ...COMMON,
    path: '/dev/outbox',
    operation: 'showDevOutbox',
    summary: 'Show the mails that were kept',
    replies,
    errors: ['not_found'],
    handle: async ({ ip, header }) => {
      requireThisMachine(ip, header('host'));
      return reply(200, outboxPage(await mails.list()), HEADERS);
    },
  }),
  endpoint({
    ...COMMON,
    path: '/dev/outbox/{file}',
    operation: 'showKeptMail',
    summary: 'Show a mail that was kept',
    params: record({ file: text(210) }),
    replies,
    errors: ['not_found'],
    handle: async ({ params: { file }, ip, header }) => {
      requireThisMachine(ip, header('host'));
      return reply(200, keptMailPage(await mails.mail(file)), HEADERS);
    },
  }),
];

import type { Server } from 'node:http';
import type { Securing } from '../../../api/account/lockdown-parts.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Tx } from '../../../api/transaction.ts';
import { DAY_MS } from '../../../base/period.ts';
import { exportOf } from '../../../db/account-export.ts';
import { rowsOf } from '../../../db/account-rows.ts';
import { Feeds } from '../../../events/event-feed.ts';
import { purgeEvents } from '../../../events/event-log.ts';
import { Waits } from '../../../events/event-wait.ts';
import { serveWebSockets } from '../../../events/websocket.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import type { PipelinePorts } from '../../../http/pipeline/request-pipeline.ts';
import { createUpgradeGate } from '../../../http/pipeline/upgrade.ts';
import type { Credentials } from '../../identity/login/authenticator.ts';
import { eventRoutes } from './event-log-routes.ts';
import { EVENT_LOG } from './event-log-table.ts';
import { StreamRules } from './stream.ts';
import { streamRoutes } from './stream-routes.ts';
import { endTickets, purgeTickets, redeemTicket } from './ticket.ts';
import { TICKETS } from './ticket-table.ts';

type Needs = FeatureContext & { credentials: Pick<Credentials, 'isValid' | 'ofHash'> };

/** How long events are stored. */
const EVENT_DAYS = 30;

/** Serves the event log: as a list, over WebSockets, as server-sent events, and to requests that wait. */
export const eventsFeature = feature('events', (needs: Needs) => {
  const { database, metrics, credentials, now, onFault, overrides } = needs;
  const { stalledMs } = overrides;
  const feeds = new Feeds(database, {
    onFault: (err) => onFault(err, 'the event log could not be read'),
    ...(stalledMs === undefined ? {} : { stalledMs }),
  });
  const isValid = (principal: Principal): Promise<boolean> => credentials.isValid(principal, now());
  const streams = new StreamRules({ database, feeds, isValid });
  const waits = new Waits({ database, stillAllowed: isValid });
  const readers = (): number => feeds.size() + streams.waiting();
  metrics.gauge('signet_event_readers', 'Open WebSockets, event streams and waiting polls.', readers);
  metrics.gauge('signet_waiting_requests', 'Requests that wait for mail.', waits.size);
  let closeSockets = (): void => {};

  async function redeem(ticket: string, at: number): Promise<Principal | null> {
    const holder = await redeemTicket(database, ticket, at);
    if (holder === null) return null;
    return credentials.ofHash(holder.credential, holder.credentialHash, at, { account: holder.accountId });
  }

  return {
    exports: [exportOf({ table: 'events', columns: EVENT_LOG, key: ['seq'] })],
    tables: [TICKETS],
    erases: [rowsOf('events', ['account_id', 'seq']), rowsOf('event_heads', ['account_id'])],
    endpoints: [...eventRoutes(streams, database), ...streamRoutes(streams)],
    expire: async (tx: Tx, at: number) => {
      await purgeTickets(tx, at);
      await purgeEvents(tx, at - EVENT_DAYS * DAY_MS);
    },
    // The streams of ended credentials are closed by the signal of their end.
    secure: async (tx: Tx, { accountId, keptSession }: Securing) => {
      await endTickets(tx, accountId);
      return { ended: { streams: streams.countOf(accountId, keptSession) } };
    },
    attach: (server: Server, ports: PipelinePorts) => {
      const authorize = createUpgradeGate(ports, redeem, streams.admit);
      closeSockets = serveWebSockets({ server, feeds, authorize });
    },
    close: () => {
      feeds.close();
      streams.close();
      waits.close();
      closeSockets();
    },
    provides: { waitFor: waits.until },
  };
});

import type { Server } from 'node:http';
import { type Access, type Base, causeOf } from './app-parts.ts';
import { createStreamRules, type StreamRules } from './features/events/stream-rules.ts';
import { redeemTicket } from './features/events/ticket-rules.ts';
import type { Metrics } from './http/metrics.ts';
import type { PipelinePorts } from './http/pipeline.ts';
import { createUpgradeGate } from './http/upgrade.ts';
import type { Principal } from './kernel/principal.ts';
import { Feeds } from './push/event-feed.ts';
import { Waits } from './push/wait.ts';
import { serveWebSockets } from './push/websocket.ts';

export interface Push {
  streams: StreamRules;
  waits: Waits;
  /** Takes WebSockets from now on. */
  listen(server: Server, ports: PipelinePorts): void;
  /** Ends every stream; streams are requests that never end by themselves. */
  close(): void;
}

/** The readers of the event log that stay: WebSockets, event streams and waiting polls. */
export function buildPush(
  { config, database, log, now }: Base,
  access: Access,
  metrics: Metrics,
  stalledMs?: number,
): Push {
  const { credentials } = access;
  const stillAllowed = (principal: Principal): Promise<boolean> => credentials.holds(principal, now());
  const feeds = new Feeds(database, {
    onFault: (err) => log.error({ err: String(err), cause: causeOf(err) }, 'the event log could not be read'),
    ...(stalledMs === undefined ? {} : { stalledMs }),
  });
  const streams = createStreamRules({
    database,
    feeds,
    limits: config.limits,
    holds: stillAllowed,
  });
  const readers = (): number => feeds.size() + streams.waiting();
  metrics.gauge('signet_event_readers', 'Open WebSockets, event streams and waiting polls.', readers);
  const waits = new Waits({ database, stillAllowed });
  metrics.gauge('signet_waiting_requests', 'Requests that wait for mail.', waits.size);
  let closeSockets = (): void => {};
  return {
    streams,
    waits,
    listen: (server, ports) => {
      const redeem = async (ticket: string, at: number) => {
        const holder = await redeemTicket(database, ticket, at);
        return holder && credentials.ofHash(holder.credential, holder.hash, at);
      };
      const authorize = createUpgradeGate({ ...ports, redeem }, streams.admit);
      closeSockets = serveWebSockets({ server, feeds, authorize });
    },
    close: () => {
      feeds.close();
      streams.close();
      waits.close();
      closeSockets();
    },
  };
}

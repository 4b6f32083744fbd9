import type { FeedStart } from './event-feed.ts';

/** What an admitted stream, a WebSocket or SSE, may read. */
export interface StreamGrant {
  start: FeedStart;
  /** A key may be revoked while its stream is open. */
  stillAllowed(): Promise<boolean>;
  /** Gives the account's slot back; called once the connection is gone. */
  release(): void;
}

import { type FeatureContext, feature } from '../../feature.ts';
import { threadRoutes } from './thread-routes.ts';
import type { Mailboxes } from './thread-rules.ts';

type Needs = FeatureContext & { mailboxes: Mailboxes };

/** Conversations: what an address received and sent, read and updated together. */
export const threadsFeature = feature('threads', ({ mailboxes, database }: Needs) => ({
  endpoints: threadRoutes({ mailboxes, database }),
}));

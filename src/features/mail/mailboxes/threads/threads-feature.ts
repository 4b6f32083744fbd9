import { type FeatureContext, feature } from '../../../../feature.ts';
import type { Mailboxes } from './thread.ts';
import { threadRoutes } from './thread-routes.ts';

type Needs = FeatureContext & { mailboxes: Mailboxes };

/** Conversations: what an address received and sent, read and updated together. */
export const threadsFeature = feature('threads', ({ mailboxes, database }: Needs) => ({
  endpoints: threadRoutes(mailboxes, database),
}));

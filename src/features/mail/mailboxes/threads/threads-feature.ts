import { type FeatureContext, feature } from '../../../../feature.ts';
import type { Mailboxes } from './thread.ts';
import type { HeldMailsOf } from './thread-marks.ts';
import { threadRoutes } from './thread-routes.ts';

type Needs = FeatureContext & { mailboxes: Mailboxes; heldMailsOf: HeldMailsOf };

/** Conversations: what an address received and sent, read and updated together. */
export const threadsFeature = feature('threads', ({ mailboxes, heldMailsOf, database }: Needs) => ({
  endpoints: threadRoutes(mailboxes, heldMailsOf, database),
}));

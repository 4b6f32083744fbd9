import { column, type RecordOf } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';

export const OBSERVATIONS = table(
  'observations',
  {
    id: column.text('id'),
    /** The account that made it. */
    accountId: column.text('account_id'),
    /** The account that it is about. */
    subjectId: column.text('subject_id').orNull(),
    displayName: column.text('display_name').orNull(),
    topic: column.text('topic'),
    content: column.text('content'),
    shared: column.flag('shared'),
    createdAt: column.integer('created_at'),
  },
  { key: ['id'], account: ['accountId'], erase: { by: 'observation.ts, with what counts them' } },
);
export type Observation = RecordOf<typeof OBSERVATIONS>;

/** Counts of one account's observations by topic. */
export const OBSERVATION_TOPICS = table(
  'observation_topics',
  {
    accountId: column.text('account_id'),
    topic: column.text('topic'),
    privateCount: column.integer('private_count'),
    sharedCount: column.integer('shared_count'),
    /** The latest private one; 0 for none. The time of shared ones is in shared_topics. */
    privateLatestAt: column.integer('private_latest_at'),
  },
  { key: ['accountId', 'topic'], account: ['accountId'], erase: 'delete' },
);

/** Counts of all shared observations by topic, spread over slots so that parallel writers rarely wait for each other. */
export const SHARED_TOPICS = table(
  'shared_topics',
  {
    topic: column.text('topic'),
    slot: column.integer('slot'),
    used: column.integer('used'),
    latestAt: column.integer('latest_at'),
  },
  { key: ['topic', 'slot'], account: [], erase: { keep: 'belongs to no account' } },
);

/** The counters that trust is computed from, updated in the transaction that records an observation. */
export const TRUST_INPUTS = table(
  'trust_inputs',
  {
    accountId: column.text('account_id'),
    observations: column.integer('observations'),
    shared: column.integer('shared'),
    /** Distinct topics. */
    topics: column.integer('topics'),
    /** Telemetry of other accounts that names this one. */
    peerReports: column.integer('peer_reports'),
    /** The latest observation; 0 for none. */
    latestAt: column.integer('latest_at'),
  },
  { key: ['accountId'], account: ['accountId'], erase: 'delete' },
);
export type TrustInputs = Omit<RecordOf<typeof TRUST_INPUTS>, 'accountId'>;

export const NO_TRUST_INPUTS: TrustInputs = { observations: 0, shared: 0, topics: 0, peerReports: 0, latestAt: 0 };

/** Which account reported on which. */
export const OBSERVERS = table(
  'observers',
  {
    accountId: column.text('account_id'),
    observerId: column.text('observer_id'),
  },
  { key: ['accountId', 'observerId'], account: ['accountId', 'observerId'], erase: 'delete' },
);

import type { Migration } from '../migration-sql.ts';

/** Observations, and the counters that topics and trust are read from: neither ever counts rows. */
export const migration: Migration = {
  id: '0013-observations',
  statements: [
    // Ids are time-ordered, so an id range is a time range and each index serves its list newest first.
    `create table observations (
      id text primary key,
      account_id text not null references accounts (id),
      display_name text,
      topic text not null,
      content text not null,
      shared integer not null,
      created_at integer not null)`,
    'create index observations_by_account on observations (account_id, shared, id)',
    'create index observations_by_account_topic on observations (account_id, topic, shared, id)',
    'create index observations_shared on observations (id) where shared = 1',
    'create index observations_shared_by_topic on observations (topic, id) where shared = 1',

    `create table observation_topics (
      account_id text not null,
      topic text bytewise not null,
      private_count integer not null,
      shared_count integer not null,
      private_latest_at integer not null,
      primary key (account_id, topic)) clustered`,

    // Spread over slots by account: a topic that everyone uses would else be one row that everyone waits for.
    `create table shared_topics (
      topic text bytewise not null,
      slot integer not null,
      used integer not null,
      latest_at integer not null,
      primary key (topic, slot)) clustered`,

    `create table trust_inputs (
      account_id text primary key,
      observations integer not null,
      shared integer not null,
      topics integer not null,
      peer_reports integer not null,
      latest_at integer not null) clustered`,
  ],
};

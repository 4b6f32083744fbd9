import type { Migration } from '../migration-sql.ts';

/** Text as it stands between the quotes of JSON. Replies of a relay are kept on one line, so these two are all. */
const quoted = (column: string): string => `'"' || replace(replace(${column}, '\\', '\\\\'), '"', '\\"') || '"'`;

/** What became of each recipient of a mail, kept with it: reports come days after it left. */
export const migration: Migration = {
  id: '0006-bounces',
  statements: [
    // JSON: [{address, providerId, error}] of the recipients with a known outcome; null in rows from before this migration.
    'alter table outbox add column outcomes text',
    // A pending mail must not be sent again to recipients that already have it.
    `update outbox set outcomes = (
      select '[' || string_agg(
        '{"address":' || ${quoted('recipient')}
        || ',"providerId":' || coalesce(${quoted('provider_id')}, 'null')
        || ',"error":' || coalesce(${quoted('refusal')}, 'null') || '}', ',') || ']'
      from outbox_recipients where outbox_recipients.outbox_id = outbox.id)
    where id in (select outbox_id from outbox_recipients)`,
    'drop table outbox_recipients',
  ],
};

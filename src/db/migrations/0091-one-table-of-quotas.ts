import type { Migration } from '../migration-sql.ts';

/** Requests of persons are forgotten sooner than those of accounts, so they get another name. */
const METRIC = `case when account_id like 'person:%' then 'requests_per_person_per_day' else
  case length(day) when 10 then 'requests_per_day' when 13 then 'requests_per_hour' else 'requests_per_minute' end end`;

/** A window had the name of its day, hour or minute, such as `2026-01-31T09`. */
const MINUTE = `day || case length(day) when 10 then 'T00:00' when 13 then ':00' else '' end`;

const move = (start: string) =>
  `insert into quota_counters (account_id, metric, period_start, used)
    select account_id, ${METRIC}, ${start}, used from request_meters`;

const RENAMED = {
  emails_day: 'emails_per_day',
  emails_hour: 'emails_per_hour',
  exports_day: 'account_exports_per_day',
  recipients_day: 'max_recipients_per_day',
  mail_from: 'mails_per_sender_per_hour',
};

/** Requests are counted in the table of the other quotas, and what is counted there has the name of its limit. */
export const migration: Migration = {
  id: '0091-one-table-of-quotas',
  statements: [
    ...Object.entries(RENAMED).map(
      ([before, after]) => `update quota_counters set metric = '${after}' || substr(metric, ${before.length + 1})
        where metric = '${before}' or metric like '${before}:%'`,
    ),
    {
      sqlite: move(`unixepoch(${MINUTE} || ':00Z') * 1000`),
      postgres: move(`cast(extract(epoch from cast(${MINUTE} || ':00Z' as timestamptz)) as bigint) * 1000`),
    },
    'drop table request_meters',
  ],
};

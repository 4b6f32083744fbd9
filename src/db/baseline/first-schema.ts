import type { Migration } from '../migration-sql.ts';
import { ACCOUNT_TABLES } from './account-tables.ts';
import { CALENDAR_TABLES } from './calendar-tables.ts';
import { IDENTITY_TABLES } from './identity-tables.ts';
import { MAIL_TABLES } from './mail-tables.ts';
import { MONEY_TABLES } from './money-tables.ts';
import { RECORD_TABLES } from './record-tables.ts';
import { SERVICE_TABLES } from './service-tables.ts';
import { STORAGE_TRIGGERS } from './storage-triggers.ts';
import { VAULT_TABLES } from './vault-tables.ts';

/** The steps that made this schema, up to 0.19.0. A new database has them all at once, and one of 0.19 one by one. */
export const FIRST_IDS: readonly string[] = `
  0001-foundation 0002-push 0003-webhooks 0004-e2e 0005-mail-search 0006-bounces 0007-push-tickets 0008-payments
  0009-vault 0010-budgets 0011-pods-stacks 0012-tokens 0013-observations 0014-calendar 0015-audit-seals
  0016-credentials 0017-findings 0018-named-keys 0019-master-key 0020-revoking 0021-invites 0022-people 0023-notices
  0024-operator-sessions 0025-passkeys 0026-delegations 0027-key-addresses 0028-account-life
  0029-webhook-secrets-and-observers 0030-codes 0031-revoked-tokens 0032-safety 0034-mail-policy 0035-reviews
  0036-quarantine 0037-drafts 0038-folders 0040-webhooks-of-accounts 0041-suppressions 0042-invitations 0044-grants
  0049-instances 0050-observers-by-platform 0053-mail-terms 0054-unsubscribe 0058-storage 0059-anonymous-seeds
  0060-sent-texts 0061-calendar-by-mail 0062-single-days 0063-public-profile 0065-open-credential-requests
  0073-access-to-pods 0074-overwritten-versions 0083-mail-blobs 0084-mta-sts-and-role-mails
`
  .trim()
  .split(/\s+/);

/** The schema of 0.19.0, in an order in which each row's references are there. */
export const FIRST_SCHEMA: Migration['statements'] = [
  ...ACCOUNT_TABLES,
  ...SERVICE_TABLES,
  ...IDENTITY_TABLES,
  ...MAIL_TABLES,
  ...MONEY_TABLES,
  ...RECORD_TABLES,
  ...VAULT_TABLES,
  ...CALENDAR_TABLES,
  ...STORAGE_TRIGGERS,
];

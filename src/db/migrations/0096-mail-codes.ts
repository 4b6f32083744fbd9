import type { Migration } from '../migration-sql.ts';

/** What could read, send or follow mail, which showed its codes and links until now. */
const SHOWED = ['mail:read', 'mail:send', 'events:read', 'webhooks:manage'];

/** What could see codes keeps that right: what is made from now on sees them only if its scopes name `mail:codes`. */
export const migration: Migration = {
  id: '0096-mail-codes',
  statements: [
    ...['named_keys', 'delegations', 'access_tokens', 'grants', 'grant_tokens'].flatMap((table) =>
      SHOWED.map(
        (scope) => `update ${table} set scopes = replace(scopes, '"${scope}"', '"${scope}","mail:codes"')
          where scopes like '%"${scope}"%' and scopes not like '%"mail:codes"%'`,
      ),
    ),
    'alter table webhooks add column shows_codes integer not null default 1',
  ],
};

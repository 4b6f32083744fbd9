import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { cursorParam, limitParam, nextCursor, nullable, record, secret, text, timestamp } from '../../../api/fields.ts';
import type { Limits } from '../../../api/limits.ts';
import type { Reader } from '../../../api/transaction.ts';
import { iso } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import type { Credentials } from './authenticator.ts';
import { openConsoleSession, sessionsOf } from './session.ts';

const SessionEntry = record({
  id: Type.String(),
  operator: Type.Boolean({ description: 'Opened through the operator email.' }),
  address: nullable(Type.String(), { description: 'The address whose login link opened it. Null: the key did.' }),
  created_at: timestamp(),
  expires_at: timestamp(),
  current: Type.Boolean({ description: 'Whether it makes this call.' }),
});

const listSessions = (database: Reader) =>
  endpoint({
    method: 'GET',
    path: '/v1/account/sessions',
    operation: 'listSessions',
    tag: 'Accounts',
    summary: 'List open sessions',
    description: 'Newest first. Session tokens are never shown.',
    model: false,
    auth: 'key',
    whileSuspended: true,
    effect: 'none',
    bucket: 'inspect',
    scope: 'account:read',
    addresses: 'refused',
    query: record({ limit: limitParam(50, 200), cursor: cursorParam() }),
    replies: { 200: record({ sessions: Type.Array(SessionEntry), next_cursor: nextCursor() }) },
    errors: ['invalid_cursor'],
    handle: async ({ principal, query, now }) => {
      const { cursor, limit } = query;
      const page = await sessionsOf(database, principal.accountId, { cursor, limit: limit as number }, now);
      const entries = page.rows.map(({ id, operator, email, keyHash, createdAt, expiresAt, hash }) => ({
        id,
        operator,
        address: keyHash === null ? email : null,
        created_at: iso(createdAt),
        expires_at: iso(expiresAt),
        current: hash === (principal.sessionHash ?? principal.consoleHash),
      }));
      return reply(200, { sessions: entries, next_cursor: page.nextCursor });
    },
  });

const endSession = (credentials: Credentials) =>
  endpoint({
    method: 'DELETE',
    path: '/v1/account/sessions/{id}',
    operation: 'endSession',
    tag: 'Accounts',
    summary: 'End a session',
    description:
      'Its token stops working at once on every instance, and its streams are closed. While `authority` is `operator`, only an operator session can end an operator session.',
    auth: 'key',
    whileSuspended: true,
    effect: 'write',
    leaves: [],
    bucket: 'revoke',
    scope: 'account:manage',
    wholeAccount: true,
    mailedLogin: true,
    action: 'login.session_ended',
    params: record({ id: text(64) }),
    replies: { 200: record({ ok: Type.Boolean(), ended_at: timestamp() }) },
    errors: ['not_found', 'operator_required'],
    handle: async ({ principal, params, now, transact }) =>
      transact(async (tx, audit) => {
        audit.resourceId = params.id;
        await credentials.endSessionById(tx, { principal, id: params.id, now });
        return reply(200, { ok: true, ended_at: iso(now) });
      }),
  });

const openConsole = (limits: Limits, credentials: Credentials) =>
  endpoint({
    method: 'POST',
    path: '/v1/auth/session',
    operation: 'openConsoleSession',
    tag: 'Accounts',
    summary: 'Open a session with a key, for a console',
    description:
      'For a primary key or a pod’s. The session may do what its key may, for 12 hours, and ends with it. All such sessions of an account share 1,000 reads (GET) a day, which do not count for the account; other calls do. An account has at most five: one more ends the oldest.',
    model: false,
    auth: 'key',
    whileSuspended: true,
    effect: 'write',
    dryRun: false,
    leaves: [],
    bucket: 'login',
    scope: 'account:manage',
    wholeAccount: true,
    action: 'login.session_opened',
    replies: {
      201: record({
        session: secret(Type.String({ description: 'Send it as `Authorization: Bearer session_…`.' })),
        expires_at: timestamp(),
      }),
    },
    errors: [],
    handle: async ({ principal, now, transact }) =>
      transact(async (tx, audit) => {
        const opened = await openConsoleSession(tx, principal, limits, credentials.credentialEnded, now);
        audit.resourceId = opened.id;
        return reply(201, { session: opened.token, expires_at: iso(opened.expiresAt) });
      }),
  });

export const sessionRoutes = (database: Reader, limits: Limits, credentials: Credentials): Endpoint[] => [
  openConsole(limits, credentials),
  listSessions(database),
  endSession(credentials),
];

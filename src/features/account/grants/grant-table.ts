import type { ErrorCode } from '../../../api/errors.ts';
import { COMMAND_LINE_CLIENT } from '../../../api/oauth.ts';
import type { Scope } from '../../../api/scopes.ts';
import { column, exported, type RecordOf } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';

/** The command line of this service. Its port is known when it listens. */
export const COMMAND_LINE: Client = {
  id: COMMAND_LINE_CLIENT,
  name: 'Signet command line',
  redirectUris: ['http://127.0.0.1/callback'],
  host: null,
};

/** A client that registered itself (RFC 7591). */
export const OAUTH_CLIENTS = table(
  'oauth_clients',
  {
    /** `oac_…` */
    id: column.text('id'),
    name: column.text('name').orNull(),
    redirectUris: column.json<string[]>()('redirect_uris'),
    createdAt: column.integer('created_at'),
    /** When it is forgotten, unless a person lets it act before. Null: a person has. */
    expiresAt: column.integer('expires_at').orNull(),
  },
  { key: ['id'], account: [], erase: { keep: 'belongs to no account' } },
);
export type RegisteredClient = RecordOf<typeof OAUTH_CLIENTS>;

/** What a person let a client do. */
export const GRANTS = table(
  'grants',
  {
    /** `grt_…` */
    id: exported.text('id'),
    accountId: exported.text('account_id'),
    clientId: exported.text('client_id'),
    /** What the client calls itself, or its host. */
    clientName: exported.text('client_name'),
    scopes: exported.json<Scope[]>()('scopes'),
    /** The address of the person. */
    allowedBy: exported.text('allowed_by'),
    createdAt: exported.integer('created_at'),
    /** When it last got tokens. Null: it has not used its code. */
    lastUsedAt: exported.integer('last_used_at').orNull(),
    /** When its code, its last refresh token or its key ends. */
    expiresAt: exported.integer('expires_at'),
    /** The named key that the command line got. They end together. Null: it got none, or gets tokens. */
    keyId: exported.text('key_id').orNull(),
  },
  { key: ['id'], account: ['accountId'], erase: 'delete', page: ['id'] },
);
export type Grant = RecordOf<typeof GRANTS>;

/**
 * A code, or a token that followed from it. The device code of a login that a person allowed is a code without redirect URI
 * and challenge.
 */
export const GRANT_TOKENS = table(
  'grant_tokens',
  {
    /** SHA-256. The text itself is not stored. */
    hash: column.text('hash'),
    /** What the audit log shows of it. */
    prefix: column.text('prefix'),
    grantId: column.text('grant_id'),
    accountId: column.text('account_id'),
    kind: column.enum<'code' | 'refresh' | 'access'>()('kind'),
    scopes: column.json<Scope[]>()('scopes'),
    /** Of a code: where it was sent. */
    redirectUri: column.text('redirect_uri').orNull(),
    /** Of a code: SHA-256 of the verifier (RFC 7636 4.2). */
    challenge: column.text('challenge').orNull(),
    usedAt: column.integer('used_at').orNull(),
    createdAt: column.integer('created_at'),
    expiresAt: column.integer('expires_at'),
  },
  { key: ['hash'], account: ['accountId'], erase: 'delete', expires: 'expiresAt' },
);
export type GrantToken = RecordOf<typeof GRANT_TOKENS>;

/** A client, wherever its metadata come from. */
export interface Client {
  id: string;
  /** What it calls itself; its host when it has no name. */
  name: string;
  redirectUris: readonly string[];
  /** Who vouches for the name: the host of its metadata. Null: nobody, because it registered itself. */
  host: string | null;
}

/** Where an answer goes: a host, or a program on the person's own machine. */
export interface Destination {
  host: string;
  isOwnMachine: boolean;
}

/** An authorization request that was checked. */
export interface AuthorizationRequest {
  client: Client;
  redirectUri: string;
  /** What a person reads of the redirect URI. */
  destination: Destination;
  state: string | null;
  challenge: string;
  scopes: Scope[];
}

/** The errors of the authorization endpoint that tell the client something (RFC 6749 4.1.2.1, RFC 8707 2). */
export type AuthorizationError = Extract<
  ErrorCode,
  'invalid_request' | 'invalid_scope' | 'invalid_target' | 'unsupported_response_type'
>;

/** How an authorization request is answered. */
export type AuthorizationAnswer =
  /** A person decides. `request` is what the page sends back. */
  | { kind: 'asked'; asked: AuthorizationRequest }
  /** An error for the client on the person's own machine, which the browser carries there. */
  | { kind: 'sent_back'; to: string }
  /** An error for a client elsewhere. `to` takes it there, when the person wants to. */
  | { kind: 'at_fault'; error: AuthorizationError; message: string; to: string; host: string }
  /** Client or redirect URI are not known good, so nothing is sent anywhere. */
  | { kind: 'refused'; message: string };

export type EndReason = 'ended' | 'revoked' | 'reused' | 'secured' | 'operator_removed';

/** How long a code can be used. */
export const CODE_TTL_MS = 60_000;

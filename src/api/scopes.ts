import { ApiError } from './errors.ts';

/**
 * Every scope of the API, with what it allows in one sentence. Each endpoint that needs a credential names one of them.
 * A primary key and a session have all; a named key has those it was created with.
 */
export const SCOPES = {
  'account:read': 'Read the account, its usage, its billing and the list of its keys, without the keys themselves.',
  'account:manage': 'Change keys, sessions and the addresses of people. A named key cannot use it.',
  'mail:read':
    'Read addresses, messages, threads and the outbox. Codes and links of mail are hidden without `mail:codes`.',
  'mail:codes': 'See the codes and links of mail, and get its attachments and raw text. They open other accounts.',
  'mail:send': 'Send mail from the addresses of the account.',
  'mail:manage': 'Claim addresses; mark, label and delete mail.',
  'vault:read': 'List and read vault entries. They are sealed.',
  'vault:write': 'Write and delete vault entries.',
  'money:read': 'Read budgets, approvals and payments.',
  'money:spend': 'Charge the budget.',
  'money:manage': 'Change the budget and its caps.',
  'money:approve': 'Approve and reject charges, where the operator does not have to.',
  'calendar:read': 'Read the calendar and get its feed link.',
  'calendar:write': 'Change the calendar and its settings. Replacing the feed link needs `calendar:read` too.',
  'identity:read': 'Read signing keys, issued tokens and delegations.',
  'identity:issue':
    'Issue and revoke tokens, delegate, and get access tokens. What a key gives cannot have a scope of this table that the key lacks.',
  'identity:manage':
    'Change the public profile and delete signing keys. Only a primary key or a session can register one.',
  'trust:read': 'Read trust scores, observations and findings.',
  'trust:write': 'Submit observations and telemetry.',
  'events:read': 'Read every event of the account, as a list or a stream. Events name senders and subjects of mail.',
  'webhooks:manage': 'Manage webhooks, which receive the mail of their address.',
  'pods:manage': 'List, change and suspend pods. Only a primary key or a session can create one or replace its key.',
  'stacks:manage': 'Manage domains.',
  'credentials:request': 'Ask the operator for credentials and receive them.',
  'findings:write': 'Submit findings; list and end programs. Only a primary key or a session can create a program.',
  'audit:read': 'Read the audit log.',
} as const satisfies Record<string, string>;

export type Scope = keyof typeof SCOPES;

/** Every scope, in the order of the table. */
export const SCOPE_NAMES = Object.keys(SCOPES) as Scope[];

export const isScope = (text: string): text is Scope => Object.hasOwn(SCOPES, text);

/**
 * The refusal of a credential whose scopes do not allow the call (RFC 6750 3.1).
 * @param scopes those of the credential, where another would help
 */
export const insufficientScope = (scope: Scope, message?: string, scopes?: readonly Scope[] | null): ApiError =>
  new ApiError('insufficient_scope', {
    ...(message === undefined ? {} : { message }),
    fields: { required_scope: scope, ...(scopes ? { scopes } : {}) },
    headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  });

/** The scopes of a credential. Null: all. */
interface Authority {
  scopes: readonly Scope[] | null;
}

export const hasScope = ({ scopes }: Authority, scope: Scope): boolean => scopes === null || scopes.includes(scope);

/** @throws ApiError `insufficient_scope` */
export function requireScope(principal: Authority, scope: Scope): void {
  if (hasScope(principal, scope)) return;
  throw insufficientScope(
    scope,
    `This call needs the scope ${scope}. \`scopes\` lists those of this credential.`,
    principal.scopes,
  );
}

/** @throws ApiError `insufficient_scope` for a named key and an access token: the effect would outlast them */
export function requireWhole({ scopes }: Authority, scope: Scope): void {
  if (scopes !== null) throw insufficientScope(scope, 'Only the primary key or a session can do this.');
}

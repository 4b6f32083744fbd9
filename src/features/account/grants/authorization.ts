import { ApiError } from '../../../api/errors.ts';
import { BASIC_SCOPES, isResourceOf, resourceOf } from '../../../api/oauth.ts';
import { isScope, SCOPE_NAMES, type Scope } from '../../../api/scopes.ts';
import type { ClientNetworks } from '../../../base/client-network.ts';
import { type AuthorizationAnswer, type AuthorizationError, type Client, COMMAND_LINE } from './grant-table.ts';
import { answerUrl, describeRedirect, isRegisteredRedirect } from './redirect-uri.ts';
import type { ClientRules } from './registered-client-terms.ts';

/** The parameters of an authorization request (RFC 6749 4.1.1, RFC 7636 4.3, RFC 8707 2). */
export const AUTHORIZATION_PARAMETERS = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'resource',
] as const;
export type AuthorizationParameters = Partial<Record<(typeof AUTHORIZATION_PARAMETERS)[number], string>>;

/** An error of the authorization endpoint (RFC 6749 4.1.2.1). */
class RequestFault extends Error {
  readonly error: AuthorizationError;
  constructor(error: AuthorizationError, message: string) {
    super(message);
    this.error = error;
  }
}

/**
 * Reads the scopes that a client asks for. `offline_access` (OpenID Connect Core 11) asks for what every client gets.
 * @returns what is wrong with them, if anything is
 */
export function readScopes(text: string | undefined, clientId: string): Scope[] | string {
  const names = (text ?? '').split(' ').filter((name) => name !== '' && name !== 'offline_access');
  if (!names.every(isScope)) return 'This service does not know one of the scopes.';
  if (clientId === COMMAND_LINE.id && names.includes('account:manage'))
    return 'The command line gets a named key, which cannot use account:manage.';
  return names.length === 0 ? [...BASIC_SCOPES] : SCOPE_NAMES.filter((scope) => names.includes(scope));
}

/** Checks authorization requests. A request is stored nowhere: the page sends it back, and it is checked again. */
export class AuthorizationRules {
  readonly #clients: ClientRules;
  readonly #baseUrl: () => string;

  constructor(clients: ClientRules, baseUrl: () => string) {
    this.#clients = clients;
    this.#baseUrl = baseUrl;
  }

  /**
   * Checks a request. Errors go to the redirect URI only when it is the client's own, and by themselves only to the person's
   * own machine: a stranger may register a client, and no person has logged in yet, so a redirect to another site
   * would lend
   * it the name of this one (RFC 9700 4.11.2). @throws ApiError `rate_limited`
   */
  async check(given: AuthorizationParameters, networks: ClientNetworks, now: number): Promise<AuthorizationAnswer> {
    const { client_id: clientId, redirect_uri: redirectUri, state = null } = given;
    if (clientId === undefined) return { kind: 'refused', message: 'The link names no client_id.' };
    const client = await this.#client(clientId, networks, now);
    if (typeof client === 'string') return { kind: 'refused', message: client };
    if (redirectUri === undefined || !isRegisteredRedirect(client.redirectUris, redirectUri))
      return { kind: 'refused', message: 'The redirect_uri is not one that this client registered.' };
    const destination = describeRedirect(redirectUri);
    try {
      const { scopes, challenge } = this.#terms(given, client);
      return { kind: 'asked', asked: { client, redirectUri, destination, state, challenge, scopes } };
    } catch (err) {
      if (!(err instanceof RequestFault)) throw err;
      const { error, message } = err;
      const to = this.answer(redirectUri, state, { error, error_description: message });
      if (destination.isOwnMachine) return { kind: 'sent_back', to };
      return { kind: 'at_fault', error, message, to, host: destination.host };
    }
  }

  /** The URL that takes an answer to the client. `iss` says whose it is (RFC 9207), so that clients mix up no two services. */
  answer(redirectUri: string, state: string | null, answer: Record<string, string>): string {
    return answerUrl(redirectUri, { ...answer, state, iss: this.#baseUrl() });
  }

  async #client(id: string, networks: ClientNetworks, now: number): Promise<Client | string> {
    try {
      return await this.#clients.find(id, networks, now);
    } catch (err) {
      if (err instanceof ApiError && err.code === 'invalid_client') return err.message;
      throw err;
    }
  }

  #terms(given: AuthorizationParameters, { id }: Client): { scopes: Scope[]; challenge: string } {
    const { response_type: type, code_challenge: challenge, code_challenge_method: method, resource } = given;
    if (type === undefined) throw new RequestFault('invalid_request', 'response_type is missing.');
    if (type !== 'code') throw new RequestFault('unsupported_response_type', 'response_type must be code.');
    if (challenge === undefined || method !== 'S256' || !/^[\w-]{43}$/.test(challenge))
      throw new RequestFault(
        'invalid_request',
        'PKCE is required: a code_challenge with the code_challenge_method S256.',
      );
    if (!isResourceOf(id, resource, this.#baseUrl()))
      throw new RequestFault('invalid_target', `resource must be ${resourceOf(id, this.#baseUrl())}.`);
    const scopes = readScopes(given.scope, id);
    if (typeof scopes === 'string') throw new RequestFault('invalid_scope', scopes);
    return { scopes, challenge };
  }
}

import { ApiError } from '../../../api/errors.ts';
import { type GrantType, oauthError, type TokenForm } from '../../../api/oauth.ts';
import type { AccessTokenRules } from './access-token.ts';

/** RFC 8693 2.1 and 3. */
const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
const DELEGATION = 'urn:signet:token-type:delegation';

/** @throws ApiError `invalid_request`, `invalid_target` */
function readExchange(form: TokenForm) {
  const { subject_token, subject_token_type, requested_token_type, scope, audience, resource } = form;
  if (subject_token === undefined || subject_token_type !== DELEGATION)
    throw oauthError('invalid_request', `Send a subject_token with the subject_token_type ${DELEGATION}.`);
  if (form.actor_token !== undefined || form.actor_token_type !== undefined)
    throw oauthError('invalid_request', 'Send no actor_token: the actor is the account whose key calls.');
  if (requested_token_type !== undefined && requested_token_type !== ACCESS_TOKEN)
    throw oauthError('invalid_request', `requested_token_type must be ${ACCESS_TOKEN}.`);
  if (audience !== undefined && resource !== undefined && audience !== resource)
    throw oauthError('invalid_target', 'audience and resource must name the same service.');
  return { subjectToken: subject_token, scope, audience: audience ?? resource };
}

/** Token exchange (RFC 8693): a delegation for an access token, with a key of the delegate. */
export const tokenExchange = (rules: AccessTokenRules): GrantType => ({
  name: TOKEN_EXCHANGE,
  issue: async (tx, { form, principal, now }, audit) => {
    if (principal === null)
      throw new ApiError('unauthorized', { headers: { 'www-authenticate': 'Bearer realm="signet"' } });
    const request = readExchange(form);
    const { token, stored } = await rules.exchange(tx, principal, request, now);
    Object.assign(audit, { resourceId: request.subjectToken, action: 'delegation.exchanged' });
    const { expiresAt, scopes } = stored;
    return { accessToken: token, issuedTokenType: ACCESS_TOKEN, expiresAt, scopes };
  },
});

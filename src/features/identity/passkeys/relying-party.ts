import ipaddr from 'ipaddr.js';
import { ApiError } from '../../../api/errors.ts';
import { bareHost } from '../../../base/loopback-host.ts';
import type { RelyingParty } from './passkey-table.ts';

/**
 * Browsers bind passkeys to a host name and know none for a bare IP address (WebAuthn 5.1.3, step 7).
 * @param baseUrl of the service
 * @throws ApiError `passkeys_unavailable` for an IP address
 */
export function relyingPartyOf(baseUrl: string): RelyingParty {
  const { hostname, origin } = new URL(baseUrl);
  const id = bareHost(hostname);
  if (ipaddr.isValid(id)) throw new ApiError('passkeys_unavailable');
  return { id, origin };
}

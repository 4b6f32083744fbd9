import type { Base } from './app-parts.ts';
import type { AddressRules } from './features/addresses/address-rules.ts';
import { discoveryRoutes } from './features/discovery/discovery-routes.ts';
import { agentKeyRoutes } from './features/profiles/agent-key-routes.ts';
import { profileRoutes } from './features/profiles/profile-routes.ts';
import { createProfileRules } from './features/profiles/profile-rules.ts';
import { createKeyring, type Keyring, signingKeyPath } from './features/tokens/signing-key-rules.ts';
import { tokenRoutes } from './features/tokens/token-routes.ts';
import { createTokenRules } from './features/tokens/token-rules.ts';
import { SERVICE_VERSION } from './http/openapi.ts';
import type { Endpoint } from './kernel/endpoint.ts';
import type { AppendEvent } from './kernel/events.ts';
import type { Tx } from './kernel/transaction.ts';

export interface Tokens {
  keyring: Keyring;
}

/** The signing keys; the key of this instance is made at the first start. */
export async function openTokens({ config, database, now }: Base): Promise<Tokens> {
  const { signing: enabled, signingKey: given, dataDir } = config;
  const keyring = createKeyring({ database, given, path: signingKeyPath(dataDir), enabled, now });
  await keyring.open();
  return { keyring };
}

/** Signed tokens, who stands behind them, and where others find out. */
export function tokenEndpoints(
  { config, database, baseUrl }: Base,
  { keyring }: Tokens,
  addresses: AddressRules,
  appendEvent: AppendEvent<Tx>,
): Endpoint[] {
  const { mailDomain, trust: trustEnabled } = config;
  const ownsAddress = async (accountId: string, address: string): Promise<boolean> =>
    (await addresses.find(database, address))?.accountId === accountId;
  const tokens = createTokenRules({ database, keyring, appendEvent, baseUrl, ownsAddress });
  const profiles = createProfileRules({ reader: database, addresses, mailDomain, trustEnabled });
  return [
    ...tokenRoutes({ rules: tokens, baseUrl }),
    ...discoveryRoutes({ listKeys: keyring.list, baseUrl, version: SERVICE_VERSION }),
    ...agentKeyRoutes(database),
    ...profileRoutes({ rules: profiles, listKeys: keyring.list, baseUrl }),
  ];
}

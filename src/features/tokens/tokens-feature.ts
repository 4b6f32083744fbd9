import { type FeatureContext, feature } from '../../feature.ts';
import type { AddressRules } from '../addresses/address-rules.ts';
import { createKeyring, signingKeyPath } from './signing-key-rules.ts';
import { tokenRoutes } from './token-routes.ts';
import { createTokenRules } from './token-rules.ts';

type Needs = FeatureContext & { addresses: AddressRules };

/** Signed tokens, and the keys that sign them. */
export const tokensFeature = feature('tokens', (needs: Needs) => {
  const { config, database, events, addresses, now, baseUrl } = needs;
  const { signing: enabled, signingKey: given, dataDir } = config;
  const keyring = createKeyring({ database, given, path: signingKeyPath(dataDir), enabled, now });
  const ownsAddress = async (accountId: string, address: string): Promise<boolean> =>
    (await addresses.find(database, address))?.accountId === accountId;
  const rules = createTokenRules({ database, keyring, appendEvent: events.append, baseUrl, ownsAddress });
  return {
    endpoints: tokenRoutes({ rules, baseUrl }),
    open: keyring.open,
    stop: keyring.close,
    provides: { keyring },
  };
});

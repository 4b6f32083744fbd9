import { type FeatureContext, feature } from '../../feature.ts';
import type { AddressRules } from '../addresses/address-rules.ts';
import { Keyring, signingKeyPath } from './signing-key-rules.ts';
import { tokenRoutes } from './token-routes.ts';
import { TokenRules } from './token-rules.ts';

type Needs = FeatureContext & { addresses: AddressRules };

/** Issues and verifies signed tokens, and keeps the signing keys. */
export const tokensFeature = feature('tokens', (needs: Needs) => {
  const { config, database, events, addresses, now, baseUrl } = needs;
  const { signing: enabled, signingKey: given, dataDir } = config;
  const keyring = new Keyring({ database, given, path: signingKeyPath(dataDir), enabled, now });
  const ownsAddress = async (accountId: string, address: string): Promise<boolean> =>
    (await addresses.find(database, address))?.accountId === accountId;
  const rules = new TokenRules({ database, keyring, appendEvent: events.append, baseUrl, ownsAddress });
  return {
    endpoints: tokenRoutes({ rules, baseUrl }),
    secure: rules.secure,
    open: keyring.open,
    stop: keyring.close,
    provides: { keyring },
  };
});

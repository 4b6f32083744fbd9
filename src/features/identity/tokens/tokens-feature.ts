import { type FeatureContext, feature } from '../../../feature.ts';
import type { AddressRules } from '../../account/addresses/address.ts';
import type { AccessTokenRules } from '../../account/delegations/access-token.ts';
import type { GrantTokenRules } from '../../account/grants/grant-tokens.ts';
import { revocationRoutes } from './revocation-routes.ts';
import { createRevokedTokensJob } from './revoked-tokens-job.ts';
import { Keyring, signingKeyPath } from './signing-keys.ts';
import { TokenRules } from './token.ts';
import { tokenRoutes } from './token-routes.ts';
import { TOKENS } from './token-table.ts';

type Needs = FeatureContext & { addresses: AddressRules; accessTokens: AccessTokenRules; grantTokens: GrantTokenRules };

/** Issues and verifies signed tokens, and keeps the signing keys. */
export const tokensFeature = feature('tokens', (needs: Needs) => {
  const { config, database, events, jobs, addresses, accessTokens, grantTokens, metrics, now, baseUrl } = needs;
  const { signing: enabled, signingKey: given, dataDir } = config;
  const keyring = new Keyring({ database, given, path: signingKeyPath(dataDir), enabled, now });
  const ownsAddress = async (accountId: string, address: string): Promise<boolean> =>
    (await addresses.find(database, address))?.accountId === accountId;
  const rules = new TokenRules({
    database,
    keyring,
    appendEvent: events.append,
    baseUrl,
    ownsAddress,
    watchCache: metrics.cache,
  });
  const access = [accessTokens, grantTokens];
  return {
    tables: [TOKENS],
    endpoints: [
      ...tokenRoutes({ rules, access, database, baseUrl }),
      ...revocationRoutes({ rules, access, clientTokens: grantTokens, database }),
    ],
    jobs: {
      'token.tell': createRevokedTokensJob({ appendEvent: events.append, enqueueJob: jobs.enqueue }),
    },
    secure: rules.secure,
    open: keyring.open,
    stop: keyring.close,
    provides: { keyring },
  };
});

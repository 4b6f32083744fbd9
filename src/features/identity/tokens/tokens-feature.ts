import { type FeatureContext, feature } from '../../../feature.ts';
import { revocationRoutes } from './revocation-routes.ts';
import { createRevokedTokensJob } from './revoked-tokens-job.ts';
import { Keyring, signingKeyPath } from './signing-keys.ts';
import { type TokenDeps, TokenRules } from './token.ts';
import { tokenRoutes } from './token-routes.ts';
import { TOKENS } from './token-table.ts';

type Needs = FeatureContext & Pick<TokenDeps, 'addresses' | 'accessTokens' | 'gate' | 'grantTokens'>;

/** Issues and verifies signed tokens, and keeps the signing keys. */
export const tokensFeature = feature('tokens', (needs: Needs) => {
  const { config, database, events, jobs, metrics, now } = needs;
  const { signing: enabled, signingKey: given, dataDir } = config;
  const keyring = new Keyring({ database, given, path: signingKeyPath(dataDir), enabled, now });
  const deps: TokenDeps = {
    ...needs,
    keyring,
    appendEvent: events.append,
    enqueueJob: jobs.enqueue,
    watchCache: metrics.cache,
  };
  const rules = new TokenRules(deps);
  return {
    tables: [TOKENS],
    endpoints: [...tokenRoutes(rules, deps), ...revocationRoutes(rules, deps)],
    jobs: { 'token.tell': createRevokedTokensJob(deps) },
    secure: rules.secure,
    open: keyring.open,
    stop: keyring.close,
    provides: { keyring, tokens: rules },
  };
});

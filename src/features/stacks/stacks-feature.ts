import { type FeatureContext, feature } from '../../feature.ts';
import { createDnsLookup } from '../../mail/dns-lookup.ts';
import { stackRoutes } from './stack-routes.ts';
import { createStackRules } from './stack-rules.ts';

/** Domains of an account's own. */
export const stacksFeature = feature('stacks', (needs: FeatureContext) => {
  const { config, database, limits, baseUrl, overrides } = needs;
  const { mailDomain } = config;
  const own = () => ({ mailDomain, host: new URL(baseUrl()).hostname });
  const rules = createStackRules({ limits, own, lookup: createDnsLookup(overrides.resolveDns) });
  return { endpoints: stackRoutes({ rules, database, mailDomain }) };
});

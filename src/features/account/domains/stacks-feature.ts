import { type FeatureContext, feature } from '../../../feature.ts';
import { createDnsLookup } from '../../../mail/smtp-out/dns-lookup.ts';
import { type StackDeps, StackRules } from './stack.ts';
import { stackRoutes } from './stack-routes.ts';
import { STACK_DKIM_KEY, STACKS, VERIFIED_DOMAINS } from './stack-table.ts';

/** Custom mail domains of accounts. */
export const stacksFeature = feature('stacks', (needs: FeatureContext & Pick<StackDeps, 'gate'>) => {
  const { config, database, gate, secrets, baseUrl, resolveDns } = needs;
  const { mailDomain, mailHost } = config;
  const own = () => ({ mailDomain, mailHost, host: new URL(baseUrl()).hostname });
  const deps = { database, gate, own, lookup: createDnsLookup(resolveDns), sealer: secrets.sealer };
  return {
    tables: [VERIFIED_DOMAINS, STACKS],
    endpoints: stackRoutes(new StackRules(deps), deps),
    sealed: [STACK_DKIM_KEY],
  };
});

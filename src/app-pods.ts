import type { Access, Base } from './app-parts.ts';
import { podRoutes } from './features/pods/pod-routes.ts';
import { createPodRules } from './features/pods/pod-rules.ts';
import { stackRoutes } from './features/stacks/stack-routes.ts';
import { createStackRules } from './features/stacks/stack-rules.ts';
import type { Endpoint } from './kernel/endpoint.ts';
import { createDnsLookup } from './mail/dns-lookup.ts';

/** The tenants of a platform, and domains of an account's own. */
export function podAndStackEndpoints(base: Base, { keys, credentials }: Access): Endpoint[] {
  const { config, database, baseUrl, resolveDns } = base;
  const { limits, mailDomain } = config;
  const own = () => ({ mailDomain, host: new URL(baseUrl()).hostname });
  return [
    ...podRoutes({ rules: createPodRules(limits, keys, credentials.accountChanged), database }),
    ...stackRoutes({
      rules: createStackRules({ limits, own, lookup: createDnsLookup(resolveDns) }),
      database,
      mailDomain,
    }),
  ];
}

import type { ListPublicKeys } from '../../../base/public-keys.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import { policyText } from '../../../mail/smtp-out/zone-records.ts';
import { discoveryRoutes } from './discovery-routes.ts';

type Needs = FeatureContext & { keyring: { list: ListPublicKeys } };

/** Publishes what this service does and the keys that it signs with. */
export const discoveryFeature = feature('discovery', ({ config, keyring, baseUrl }: Needs) => {
  const { mtaSts, mailHost, smtpTls, smtpPort } = config;
  // A policy promises TLS on the SMTP server.
  const mailPolicy = mtaSts === null || !smtpTls || smtpPort === null ? null : policyText(mtaSts, mailHost);
  return { endpoints: discoveryRoutes(keyring.list, baseUrl, mailPolicy) };
});

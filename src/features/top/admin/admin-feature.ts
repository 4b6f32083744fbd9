import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { makePrivateFile, readIfThere } from '../../../base/private-file.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import type { LimitHits } from '../../service/limits/limit-hits.ts';
import { adminRoutes } from './admin-api.ts';
import type { AdminPages } from './admin-call.ts';
import { startAdminServer } from './admin-server.ts';
import type { OperatorRules } from './service-operator.ts';

type Needs = FeatureContext & { operator: OperatorRules; limitHits: LimitHits; adminSite: AdminPages };

/** The administration API and its pages, on a port of its own that only this machine reaches. Off unless `ADMIN_PORT` is set. */
export const adminFeature = feature('admin', (needs: Needs) => {
  const { config, operator, limitHits, adminSite, instance, onFault } = needs;
  let server: Server | null = null;
  return {
    listen: async () => {
      const { adminPort, dataDir } = config;
      if (adminPort === null) return;
      const path = join(dataDir, 'admin.token');
      await makePrivateFile(path, `signet_admin_${randomBytes(32).toString('base64url')}\n`);
      const token = ((await readIfThere(path)) as string).trim();
      server = await startAdminServer(
        {
          routes: adminRoutes(operator, limitHits, instance.id),
          pages: adminSite,
          token,
          onFault: (err) => onFault(err, 'a call of the administration API failed'),
        },
        adminPort,
      );
    },
    close: () => {
      server?.closeAllConnections();
      server?.close();
    },
    provides: { adminPort: () => (server ? (server.address() as AddressInfo).port : null) },
  };
});

import type { Endpoint } from '../src/api/endpoint.ts';
import type { Database } from '../src/api/transaction.ts';
import { createContext, endpointsOf } from '../src/app.ts';
import type { Log } from '../src/base/log.ts';
import { makeMasterKey, Sealer } from '../src/base/sealing.ts';
import { readConfig } from '../src/config/service-config.ts';
import { buildFeatures } from '../src/features.ts';

const absent = async (): Promise<never> => {
  throw new Error('no database is open');
};

const database: Database = {
  engine: 'sqlite',
  all: absent,
  first: absent,
  transaction: absent,
  signal: () => {},
  onSignal: () => () => {},
  pollForeignWrites: () => {},
  checkpointWal: () => {},
  ping: async () => false,
  close: async () => {},
};

const log: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Lists every endpoint of the service in order. Builds the features and starts none. */
export function listEndpoints(): readonly Endpoint[] {
  const secrets = { sealer: new Sealer(makeMasterKey()), serviceKey: 'unused', formerKey: null };
  const context = createContext({ config: readConfig({}), log, database, secrets });
  return endpointsOf(buildFeatures(context).parts, context, async () => false).endpoints;
}

import { exportOf } from '../../../db/account-export.ts';
import { rowsOf } from '../../../db/account-rows.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import type { Keyring } from '../tokens/signing-keys.ts';
import { FindingRules } from './finding.ts';
import { findingRoutes } from './finding-routes.ts';
import { FINDINGS, PROGRAMS } from './finding-table.ts';
import { programRoutes } from './program-routes.ts';

type Needs = FeatureContext & { keyring: Keyring };

/** Security findings, and programs that judge them. */
export const findingsFeature = feature('findings', ({ database, events, keyring, baseUrl }: Needs) => {
  const rules = new FindingRules({ database, keyring, appendEvent: events.append, baseUrl });
  return {
    exports: [
      exportOf({ table: 'findings', columns: FINDINGS, key: ['jti'] }),
      exportOf({ table: 'programs', columns: PROGRAMS, key: ['id'], omit: ['key_hash'] }),
    ],
    erases: [
      rowsOf('finding_outcomes', ['jti', 'program_id'], { by: 'jti', through: { table: 'findings', id: 'jti' } }),
      rowsOf('finding_outcomes', ['jti', 'program_id'], { by: 'program_id', through: { table: 'programs', id: 'id' } }),
      rowsOf('findings', ['jti']),
      rowsOf('programs', ['id']),
      rowsOf('program_counts', ['account_id']),
      rowsOf('track_records', ['account_id', 'severity']),
    ],
    endpoints: [...findingRoutes({ rules, baseUrl }), ...programRoutes(database)],
  };
});

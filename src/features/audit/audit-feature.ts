import { type FeatureContext, feature } from '../../feature.ts';
import { allSigningKeys, createVerifier, type Keyring, signerOf } from '../tokens/signing-key-rules.ts';
import { recentChanges } from './audit-query-rules.ts';
import { auditRoutes } from './audit-routes.ts';
import { CheckpointWriter, createCheckpointCheck } from './checkpoint-rules.ts';
import { ReadLog } from './read-log-rules.ts';

type Needs = FeatureContext & { keyring: Keyring };

/** Appends every change to the audit log, signs the log within about a second, and shows it to its account. */
export const auditFeature = feature('audit', ({ database, keyring, now }: Needs) => {
  const checkpoints = new CheckpointWriter({ database, sign: signerOf(keyring), now });
  const { appendAudits, recover } = checkpoints;
  const reads = new ReadLog(database, appendAudits);
  /** Writes the noted reads, then signs what was appended. */
  async function flush(): Promise<void> {
    await reads.flush();
    await checkpoints.flush();
  }
  return {
    endpoints: auditRoutes({ database, publicKeys: () => allSigningKeys(database) }),
    timers: [{ everyMs: 1000, run: flush }],
    recover,
    secure: recentChanges,
    stop: flush,
    provides: {
      audit: { appendAudits, noteRead: reads.note, flush, isGenuine: createCheckpointCheck(createVerifier(database)) },
    },
  };
});

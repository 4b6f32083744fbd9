import { type FeatureContext, feature } from '../../feature.ts';
import { allSigningKeys, createVerifier, type Keyring, signerOf } from '../tokens/signing-key-rules.ts';
import { auditRoutes } from './audit-routes.ts';
import { appendSealed, createSealCheck, createSealer } from './checkpoint-rules.ts';
import { createReadLog } from './read-log-rules.ts';

type Needs = FeatureContext & { keyring: Keyring };

/** The audit trail: appended to with every change, signed within a second, read by its account. */
export const auditFeature = feature('audit', ({ database, keyring, now }: Needs) => {
  const sealer = createSealer({ database, sign: signerOf(keyring), now });
  const appendAudits = appendSealed(sealer);
  const reads = createReadLog(database, appendAudits);
  /** Puts noted reads on record, then signs what was appended. */
  async function flush(): Promise<void> {
    await reads.flush();
    await sealer.flush();
  }
  return {
    endpoints: auditRoutes({ database, publicKeys: () => allSigningKeys(database) }),
    timers: [{ everyMs: 1000, run: flush }],
    recover: sealer.recover,
    stop: flush,
    provides: {
      audit: { appendAudits, noteRead: reads.note, flush, isGenuine: createSealCheck(createVerifier(database)) },
    },
  };
});

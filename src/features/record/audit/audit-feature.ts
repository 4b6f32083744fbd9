import type { AuditRecord } from '../../../api/audit-record.ts';
import type { Tx } from '../../../api/transaction.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import { createVerifier, type Keyring, signerOf } from '../../identity/tokens/signing-keys.ts';
import type { TokenRules } from '../../identity/tokens/token.ts';
import { createAuditErasure } from './audit-erasure.ts';
import { AuditExport, fileSink, stdoutSink } from './audit-export.ts';
import { reserveAudits } from './audit-log.ts';
import { forgetOldNetworks } from './audit-query.ts';
import { auditRoutes } from './audit-routes.ts';
import { AUDIT_ENTRIES, AUDIT_PEOPLE, CHECKPOINTS } from './audit-table.ts';
import { auditKeysExport, CheckpointWriter, createCheckpointCheck } from './checkpoint.ts';
import { decidedEntryRoutes } from './decided-entry-routes.ts';
import { ReadLog } from './read-log.ts';
import { recentChanges } from './recent-changes.ts';
import { RefusalLog } from './refusal-log.ts';

type Needs = FeatureContext & { keyring: Keyring; tokens: TokenRules };

const MINUTE_MS = 60_000;

/** Appends every change to the audit log, signs the log within about a second, and shows it to its account. */
export const auditFeature = feature('audit', ({ config, database, jobEffects, keyring, tokens, now }: Needs) => {
  const checkpoints = new CheckpointWriter({ database, sign: signerOf(keyring), now });
  const { auditExport: target } = config;
  const exporter = target && new AuditExport(database, target === 'stdout' ? stdoutSink : fileSink(target.path));
  async function appendAudits(tx: Tx, records: readonly AuditRecord[]): Promise<void> {
    await checkpoints.appendAudits(tx, records);
    if (exporter) tx.afterCommit(() => exporter.note(records));
  }
  jobEffects.attach(appendAudits);
  const reads = new ReadLog(database, appendAudits);
  const refusals = new RefusalLog(reads.note);
  /** Writes the noted reads and refusals, then signs and exports what was appended. */
  async function flush(): Promise<void> {
    await reads.flush();
    await checkpoints.flush();
    await exporter?.flush();
  }
  const forget = () => forgetOldNetworks(database, now());
  return {
    // In this order an export never holds a checkpoint of an entry that it lacks.
    tables: [CHECKPOINTS, AUDIT_ENTRIES, AUDIT_PEOPLE],
    exports: [auditKeysExport],
    endpoints: [...auditRoutes(database, tokens), ...decidedEntryRoutes(database)],
    timers: [
      { everyMs: 1000, run: flush },
      { everyMs: 10 * MINUTE_MS, run: forget },
      // The command line appends too.
      ...(exporter ? [{ everyMs: MINUTE_MS, run: exporter.find }] : []),
    ],
    recover: async (isStopping: () => boolean) => {
      await exporter?.find();
      await checkpoints.recover(isStopping);
    },
    secure: recentChanges,
    stop: async () => {
      await flush();
      await exporter?.close();
    },
    provides: {
      audit: {
        appendAudits,
        reserveAudits,
        noteRead: reads.note,
        noteRefusal: refusals.note,
        flush,
        forgetNetworks: forget,
        isGenuine: createCheckpointCheck(createVerifier(database)),
        ...createAuditErasure(appendAudits),
      },
    },
  };
});

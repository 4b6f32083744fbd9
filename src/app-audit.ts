import type { Base } from './app-parts.ts';
import { auditRoutes } from './features/audit/audit-routes.ts';
import { createReadLog, type ReadLog } from './features/audit/read-rules.ts';
import { appendSealed, createSealer } from './features/audit/seal-rules.ts';
import { allSigningKeys, type Keyring, signerOf } from './features/tokens/signing-key-rules.ts';
import type { PipelinePorts } from './http/pipeline.ts';
import type { Endpoint } from './kernel/endpoint.ts';

export interface Audit {
  appendAudits: PipelinePorts['appendAudits'];
  /** Its flush also signs what was appended since. */
  reads: ReadLog;
  endpoints: Endpoint[];
  /** Signs what a process that died left unsigned. */
  recover(isStopping: () => boolean): Promise<void>;
}

/** The audit trail: appended to with every change, signed within a second, and read by its account. */
export function buildAudit({ database, now }: Base, keyring: Keyring): Audit {
  const sealer = createSealer({ database, sign: signerOf(keyring), now });
  const appendAudits = appendSealed(sealer);
  const reads = createReadLog(database, appendAudits);
  return {
    appendAudits,
    reads: {
      note: reads.note,
      flush: async () => {
        await reads.flush();
        await sealer.flush();
      },
    },
    endpoints: auditRoutes({ database, publicKeys: () => allSigningKeys(database) }),
    recover: sealer.recover,
  };
}

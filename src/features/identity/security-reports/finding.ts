import { ApiError } from '../../../api/errors.ts';
import type { AppendEvent } from '../../../api/events.ts';
import { newestFirst, type Page } from '../../../api/page.ts';
import type { Database, Reader, Tx } from '../../../api/transaction.ts';
import { newId } from '../../../base/ids.ts';
import { signCompact } from '../../../base/jws.ts';
import { findAccount } from '../../account/accounts/account-lifecycle.ts';
import type { Keyring, SigningKey } from '../tokens/signing-keys.ts';
import {
  countSubmitted,
  findFinding,
  insertFinding,
  listFindings,
  listSeverityRecords,
  recordOutcome,
} from './finding-store.ts';
import {
  type Finding,
  type FindingClaim,
  type Outcome,
  type Program,
  SEVERITIES,
  type Severity,
  type Tally,
} from './finding-table.ts';
import { programOfKey } from './program.ts';

/** How programs judged an agent's findings. */
export interface TrackRecord extends Tally {
  bySeverity: Record<Severity, Tally>;
}

export interface Judgement {
  program: Program;
  outcome: Outcome;
  note: string | null;
}

export interface FindingDeps {
  database: Database;
  keyring: Pick<Keyring, 'current'>;
  appendEvent: AppendEvent<Tx>;
  baseUrl(): string;
}

const NONE: Tally = { submitted: 0, accepted: 0, rejected: 0 };

async function recordOf(reader: Reader, accountId: string): Promise<TrackRecord> {
  const known = await listSeverityRecords(reader, accountId);
  const tallyOf = (severity: Severity): Tally => {
    const { submitted, accepted, rejected } = known.find((record) => record.severity === severity) ?? NONE;
    return { submitted, accepted, rejected };
  };
  const bySeverity = Object.fromEntries(
    SEVERITIES.map((severity) => [severity, tallyOf(severity)]),
  ) as TrackRecord['bySeverity'];
  const sum = (name: keyof Tally): number =>
    SEVERITIES.reduce((total, severity) => total + bySeverity[severity][name], 0);
  return { submitted: sum('submitted'), accepted: sum('accepted'), rejected: sum('rejected'), bySeverity };
}

/** What was found, as the signed claim and the replies show it. */
export const describeFinding = (finding: Finding) => ({
  title: finding.title,
  severity: finding.severity,
  target: finding.target,
  evidence_hash: finding.evidenceHash,
  cwe: finding.cwe,
  evidence_url: finding.evidenceUrl,
  tools_used: finding.toolsUsed,
  time_to_find_ms: finding.timeToFindMs,
});

export class FindingRules {
  readonly #deps: FindingDeps;

  constructor(deps: FindingDeps) {
    this.#deps = deps;
  }

  /** Makes and signs a finding without storing it. @throws ApiError `signing_unavailable` */
  async draft(accountId: string, claim: FindingClaim, now: number): Promise<{ finding: Finding; token: string }> {
    const key = await this.#requireKey();
    const finding = { ...claim, jti: newId('fnd', now), accountId, accepted: 0, rejected: 0, createdAt: now };
    return { finding, token: this.#sign(key, finding) };
  }

  async record(tx: Tx, finding: Finding): Promise<void> {
    await insertFinding(tx, finding);
    await countSubmitted(tx, finding.accountId, finding.severity);
  }

  /** @throws ApiError `not_found`, `signing_unavailable` */
  async signed(jti: string): Promise<{ finding: Finding; token: string }> {
    const key = await this.#requireKey();
    const finding = await this.#requireFinding(jti);
    return { finding, token: this.#sign(key, finding) };
  }

  /** Lists findings, newest first. @throws ApiError `invalid_cursor` */
  list(accountId: string, page: { cursor: string | undefined; limit: number }): Promise<Page<Finding>> {
    return newestFirst(
      'fnd',
      page,
      (before, many) => listFindings(this.#deps.database, { accountId }, { jti: before }, many),
      ({ jti }) => jti,
    );
  }

  /** The program that an `Authorization` header names. @throws ApiError `unauthorized`, `account_suspended` */
  async requireProgram(authorization: string | undefined): Promise<Program> {
    const key = /^bearer +(\S{1,100})$/i.exec(authorization ?? '')?.[1];
    const program = key === undefined ? null : await programOfKey(this.#deps.database, key);
    if (!program)
      throw new ApiError('unauthorized', {
        message: 'Send the key of a program: Authorization: Bearer signet_prog_…',
        headers: { 'www-authenticate': 'Bearer realm="signet"' },
      });
    const owner = await findAccount(this.#deps.database, program.accountId);
    if (owner?.status !== 'active') throw new ApiError('account_suspended');
    return program;
  }

  /** The finding, if the program may judge it. @throws ApiError `not_found`, `audience_mismatch`, `own_finding` */
  async requireJudgeable(jti: string, program: Program): Promise<Finding> {
    const finding = await this.#requireFinding(jti);
    if (finding.audience !== program.audience) throw new ApiError('audience_mismatch');
    // A track record that an agent could fill by itself would prove nothing.
    if ((await this.#platformOf(finding.accountId)) === (await this.#platformOf(program.accountId)))
      throw new ApiError('own_finding');
    return finding;
  }

  /** Records a judgement. @returns the agent's track record after it. @throws ApiError `outcome_exists` */
  async judge(tx: Tx, finding: Finding, { program, outcome, note }: Judgement, now: number): Promise<TrackRecord> {
    const { jti, accountId, severity } = finding;
    if (!(await recordOutcome(tx, finding, { programId: program.id, outcome, note, createdAt: now })))
      throw new ApiError('outcome_exists');
    const data = { jti, outcome, severity, program_id: program.id };
    await this.#deps.appendEvent(tx, { accountId, type: 'finding.judged', data, now });
    return recordOf(tx, accountId);
  }

  /** @throws ApiError `not_found` */
  async trackRecord(accountId: string): Promise<TrackRecord> {
    if (!(await findAccount(this.#deps.database, accountId)))
      throw new ApiError('not_found', { message: 'There is no such agent.' });
    return recordOf(this.#deps.database, accountId);
  }

  async #requireKey(): Promise<SigningKey> {
    const key = await this.#deps.keyring.current();
    if (!key) throw new ApiError('signing_unavailable');
    return key;
  }

  async #requireFinding(jti: string): Promise<Finding> {
    const finding = await findFinding(this.#deps.database, jti);
    if (!finding) throw new ApiError('not_found', { message: 'There is no such finding.' });
    return finding;
  }

  /** The platform of a pod, or the account itself. */
  async #platformOf(accountId: string): Promise<string> {
    return (await findAccount(this.#deps.database, accountId))?.parentId ?? accountId;
  }

  /** Signs at each read with the current key, because findings do not expire and signing keys do. */
  #sign({ kid, privateKey }: SigningKey, finding: Finding): string {
    const claims = {
      iss: this.#deps.baseUrl(),
      sub: finding.accountId,
      ...(finding.audience === null ? {} : { aud: finding.audience }),
      iat: Math.floor(finding.createdAt / 1000),
      jti: finding.jti,
      finding: describeFinding(finding),
    };
    return signCompact({ typ: 'finding+jwt', kid }, claims, privateKey);
  }
}

import { SignJWT } from 'jose';
import { ApiError } from '../../kernel/errors.ts';
import type { AppendEvent } from '../../kernel/events.ts';
import { newId } from '../../kernel/ids.ts';
import { pageOf } from '../../kernel/page.ts';
import type { Database, Reader, Tx } from '../../kernel/transaction.ts';
import { findAccount } from '../accounts/account-rules.ts';
import type { Keyring, SigningKey } from '../tokens/signing-key-rules.ts';
import {
  type Finding,
  type FindingClaim,
  type Outcome,
  type Program,
  SEVERITIES,
  type Severity,
  type Tally,
} from './finding-data.ts';
import {
  countSubmitted,
  findFinding,
  insertFinding,
  listFindings,
  readRecord,
  recordOutcome,
} from './finding-store.ts';
import { cursorId, programOfKey } from './program-rules.ts';

/** What became of an agent's findings. */
export interface TrackRecord extends Tally {
  bySeverity: Record<Severity, Tally>;
}

export interface Judgement {
  program: Program;
  outcome: Outcome;
  note: string | null;
}

export interface FindingRules {
  /** A finding that is not on record yet, and its token. @throws ApiError `signing_unavailable` */
  draft(accountId: string, claim: FindingClaim, now: number): Promise<{ finding: Finding; token: string }>;
  record(tx: Tx, finding: Finding): Promise<void>;
  /** @throws ApiError `not_found`, `signing_unavailable` */
  signed(jti: string): Promise<{ finding: Finding; token: string }>;
  list(accountId: string, cursor: string | undefined, limit: number): Promise<ReturnType<typeof pageOf<Finding>>>;
  /** @throws ApiError `unauthorized`, `account_suspended` */
  requireProgram(authorization: string | undefined): Promise<Program>;
  /** @throws ApiError `not_found`, `audience_mismatch`, `own_finding` */
  requireJudgeable(jti: string, program: Program): Promise<Finding>;
  /** @throws ApiError `outcome_exists` */
  judge(tx: Tx, finding: Finding, judgement: Judgement, now: number): Promise<TrackRecord>;
  /** @throws ApiError `not_found` */
  trackRecord(accountId: string): Promise<TrackRecord>;
}

export interface FindingDeps {
  database: Database;
  keyring: Pick<Keyring, 'current'>;
  appendEvent: AppendEvent<Tx>;
  baseUrl(): string;
}

const NONE: Tally = { submitted: 0, accepted: 0, rejected: 0 };

async function recordOf(reader: Reader, accountId: string): Promise<TrackRecord> {
  const known = await readRecord(reader, accountId);
  const bySeverity = Object.fromEntries(
    SEVERITIES.map((severity) => [severity, known.get(severity) ?? NONE]),
  ) as TrackRecord['bySeverity'];
  const sum = (name: keyof Tally): number =>
    SEVERITIES.reduce((total, severity) => total + bySeverity[severity][name], 0);
  return { submitted: sum('submitted'), accepted: sum('accepted'), rejected: sum('rejected'), bySeverity };
}

export function createFindingRules({ database, keyring, appendEvent, baseUrl }: FindingDeps): FindingRules {
  async function requireKey(): Promise<SigningKey> {
    const key = await keyring.current();
    if (!key) throw new ApiError('signing_unavailable');
    return key;
  }

  /** Signed when it is read, by the key of the day: a finding has no end, and signing keys have. */
  const sign = ({ kid, privateKey }: SigningKey, finding: Finding): Promise<string> =>
    new SignJWT({
      iss: baseUrl(),
      sub: finding.accountId,
      ...(finding.audience === null ? {} : { aud: finding.audience }),
      iat: Math.floor(finding.createdAt / 1000),
      jti: finding.jti,
      finding: {
        title: finding.title,
        severity: finding.severity,
        target: finding.target,
        evidence_hash: finding.evidenceHash,
        cwe: finding.cwe,
        evidence_url: finding.evidenceUrl,
        tools_used: finding.toolsUsed,
        time_to_find_ms: finding.timeToFindMs,
      },
    })
      .setProtectedHeader({ alg: 'EdDSA', typ: 'finding+jwt', kid })
      .sign(privateKey);

  async function requireFinding(jti: string): Promise<Finding> {
    const finding = await findFinding(database, jti);
    if (!finding) throw new ApiError('not_found', { message: 'There is no such finding.' });
    return finding;
  }

  /** The platform of an account: who stands behind it. */
  const platformOf = async (accountId: string): Promise<string> =>
    (await findAccount(database, accountId))?.parentId ?? accountId;

  return {
    async draft(accountId, claim, now) {
      const key = await requireKey();
      const finding = { ...claim, jti: newId('fnd', now), accountId, accepted: 0, rejected: 0, createdAt: now };
      return { finding, token: await sign(key, finding) };
    },

    async record(tx, finding) {
      await insertFinding(tx, finding);
      await countSubmitted(tx, finding.accountId, finding.severity);
    },

    async signed(jti) {
      const key = await requireKey();
      const finding = await requireFinding(jti);
      return { finding, token: await sign(key, finding) };
    },

    list: async (accountId, cursor, limit) =>
      pageOf(await listFindings(database, accountId, cursorId(cursor), limit + 1), limit, ({ jti }) => [jti]),

    async requireProgram(authorization) {
      const key = /^bearer +(\S{1,100})$/i.exec(authorization ?? '')?.[1];
      const program = key === undefined ? null : await programOfKey(database, key);
      if (!program)
        throw new ApiError('unauthorized', {
          message: 'Send the key of a program: Authorization: Bearer signet_prog_…',
          headers: { 'www-authenticate': 'Bearer realm="signet"' },
        });
      const owner = await findAccount(database, program.accountId);
      if (owner?.status !== 'active') throw new ApiError('account_suspended');
      return program;
    },

    async requireJudgeable(jti, program) {
      const finding = await requireFinding(jti);
      if (finding.audience !== program.audience) throw new ApiError('audience_mismatch');
      // A record that an agent could fill by itself would be worth nothing.
      if ((await platformOf(finding.accountId)) === (await platformOf(program.accountId)))
        throw new ApiError('own_finding');
      return finding;
    },

    async judge(tx, finding, { program, outcome, note }, now) {
      const { jti, accountId, severity } = finding;
      if (!(await recordOutcome(tx, finding, { programId: program.id, outcome, note, now })))
        throw new ApiError('outcome_exists');
      const data = { jti, outcome, severity, program_id: program.id };
      await appendEvent(tx, { accountId, type: 'finding.judged', data, now });
      return recordOf(tx, accountId);
    },

    async trackRecord(accountId) {
      if (!(await findAccount(database, accountId)))
        throw new ApiError('not_found', { message: 'There is no such agent.' });
      return recordOf(database, accountId);
    },
  };
}

import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { ApiError } from '../../../api/errors.ts';
import {
  cursorParam,
  limitParam,
  line,
  named,
  nextCursor,
  nullable,
  oneOf,
  record,
  signed,
  text,
  timestamp,
} from '../../../api/fields.ts';
import { requireUri } from '../../../api/uri.ts';
import { type Gate, WAY_REFUSALS } from '../../../api/way-out.ts';
import { iso } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import { describeFinding, type FindingRules, type TrackRecord } from './finding.ts';
import { type Finding, OUTCOMES, SEVERITIES, type Tally } from './finding-table.ts';

const TAG = 'Findings';

const agentParams = record({
  agentId: Type.String({ pattern: '^acc_[0-9A-Za-z]{1,60}$', description: 'An account id.' }),
});

/** @throws ApiError `not_found` for the id of another account, because only an agent itself submits and lists its findings */
function requireSelf(agentId: string, accountId: string): void {
  if (agentId !== accountId)
    throw new ApiError('not_found', {
      message: 'Use the id of your own account. An agent can submit and list only its own findings.',
    });
}

const claimFields = {
  title: Type.String(),
  severity: oneOf(SEVERITIES),
  target: Type.String(),
  evidence_hash: Type.String(),
  cwe: nullable(Type.String()),
  evidence_url: nullable(Type.String()),
  tools_used: Type.Array(Type.String()),
  time_to_find_ms: nullable(Type.Integer()),
  audience: nullable(Type.String()),
};

const counts = {
  accepted: Type.Integer({ description: 'Programs that accepted it.' }),
  rejected: Type.Integer({ description: 'Programs that rejected it.' }),
};

const entryFields = {
  jti: Type.String(),
  agent_id: Type.String(),
  ...claimFields,
  outcomes: record(counts),
  created_at: timestamp(),
  finding_url: Type.String(),
};

const Signed = named(
  'SignedFinding',
  record({
    ...entryFields,
    token: signed(
      Type.String({
        description: 'The finding as a JWT (`typ: finding+jwt`, EdDSA). Verify it with the service’s JWKS.',
      }),
    ),
  }),
);

const TallyEntry = named(
  'FindingTally',
  record({ submitted: Type.Integer(), accepted: Type.Integer(), rejected: Type.Integer() }),
);

const Track = named(
  'FindingRecord',
  record({
    agent_id: Type.String(),
    submitted: Type.Integer(),
    accepted: Type.Integer({ description: 'Judgements that accepted a finding, one per program.' }),
    rejected: Type.Integer(),
    by_severity: record({
      CRITICAL: TallyEntry,
      HIGH: TallyEntry,
      MEDIUM: TallyEntry,
      LOW: TallyEntry,
      INFO: TallyEntry,
    } satisfies Record<(typeof SEVERITIES)[number], typeof TallyEntry>),
  }),
);

const trackEntry = (agentId: string, { bySeverity, ...all }: TrackRecord) => ({
  agent_id: agentId,
  ...(all satisfies Tally),
  by_severity: bySeverity,
});

const findingEntry = (finding: Finding, baseUrl: string) => ({
  jti: finding.jti,
  agent_id: finding.accountId,
  ...describeFinding(finding),
  audience: finding.audience,
  outcomes: { accepted: finding.accepted, rejected: finding.rejected },
  created_at: iso(finding.createdAt),
  finding_url: `${baseUrl}/v1/findings/${finding.jti}`,
});

const SubmitBody = record({
  title: line(300, { minLength: 1, examples: ['Reflected XSS in the search form'] }),
  severity: oneOf(SEVERITIES, { examples: ['HIGH'] }),
  target: line(2048, { minLength: 1, examples: ['https://shop.example.com/search'] }),
  evidence_hash: Type.String({
    pattern: '^sha256:[0-9a-f]{64}$',
    description: 'A hash that proves the evidence later without revealing it now.',
    examples: [`sha256:${'9f'.repeat(32)}`],
  }),
  cwe: Type.Optional(nullable(text(12, { pattern: '^CWE-[1-9][0-9]{0,5}$', examples: ['CWE-79'] }))),
  evidence_url: Type.Optional(nullable(text(2048, { description: 'An absolute URI.' }))),
  tools_used: Type.Optional(Type.Array(line(100, { minLength: 1 }), { maxItems: 20 })),
  time_to_find_ms: Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))),
  audience: Type.Optional(
    nullable(
      text(2048, {
        description: 'An absolute URI. Programs with this audience may judge the finding; without one, no program may.',
      }),
    ),
  ),
});

const uriOrNull = (text: string | null | undefined, path: string): string | null =>
  text === null || text === undefined ? null : requireUri(text, path);

const submitFinding = (rules: FindingRules, gate: Gate, baseUrl: () => string) =>
  endpoint({
    method: 'POST',
    path: '/v1/agents/{agentId}/findings',
    operation: 'submitFinding',
    tag: TAG,
    summary: 'Submit a security finding',
    description:
      'Records and signs the finding. Anyone who has its `jti` can read it, so include only what they may know. Use `evidence_hash` to prove the rest later.',
    auth: 'key',
    scope: 'findings:write',
    addresses: 'none',
    effect: 'write',
    leaves: ['share'],
    action: 'finding.submitted',
    params: agentParams,
    body: SubmitBody,
    replies: { 201: Signed },
    errors: ['invalid_agent_id', 'not_found', 'signing_unavailable', ...WAY_REFUSALS],
    codes: { '/path/agentId': 'invalid_agent_id' },
    handle: async ({ principal, params, body, now, transact }) => {
      requireSelf(params.agentId, principal.accountId);
      const claim = {
        title: body.title,
        severity: body.severity,
        target: body.target,
        evidenceHash: body.evidence_hash,
        cwe: body.cwe ?? null,
        evidenceUrl: uriOrNull(body.evidence_url, '/body/evidence_url'),
        toolsUsed: body.tools_used ?? [],
        timeToFindMs: body.time_to_find_ms ?? null,
        audience: uriOrNull(body.audience, '/body/audience'),
      };
      const { finding, token } = await rules.draft(principal.accountId, claim, now);
      return transact(async (tx, audit) => {
        await gate.require(tx, principal, 'share');
        audit.resourceId = finding.jti;
        await rules.record(tx, finding);
        return reply(201, { ...findingEntry(finding, baseUrl()), token });
      });
    },
  });

const listEntries = (rules: FindingRules, baseUrl: () => string) =>
  endpoint({
    method: 'GET',
    path: '/v1/agents/{agentId}/findings',
    operation: 'listFindings',
    tag: TAG,
    summary: 'List the findings of an agent',
    description: 'Newest first.',
    auth: 'key',
    scope: 'trust:read',
    addresses: 'none',
    effect: 'none',
    params: agentParams,
    query: record({ limit: limitParam(50, 200), cursor: cursorParam() }),
    replies: {
      200: record({ findings: Type.Array(record(entryFields)), count: Type.Integer(), next_cursor: nextCursor() }),
    },
    errors: ['invalid_agent_id', 'invalid_cursor', 'not_found'],
    codes: { '/path/agentId': 'invalid_agent_id' },
    handle: async ({ principal, params, query }) => {
      requireSelf(params.agentId, principal.accountId);
      const page = await rules.list(principal.accountId, { cursor: query.cursor, limit: query.limit as number });
      const findings = page.rows.map((finding) => findingEntry(finding, baseUrl()));
      return reply(200, { findings, count: findings.length, next_cursor: page.nextCursor });
    },
  });

const getFinding = (rules: FindingRules, baseUrl: () => string) =>
  endpoint({
    method: 'GET',
    path: '/v1/findings/{jti}',
    operation: 'getFinding',
    tag: TAG,
    summary: 'Get a signed finding',
    description:
      'Public: anyone who has the `jti` can read it. Ids cannot be guessed. Each reply is signed with the current key.',
    auth: 'none',
    effect: 'none',
    params: record({ jti: text(64) }),
    replies: { 200: Signed },
    errors: ['not_found', 'signing_unavailable'],
    handle: async ({ params }) => {
      const { finding, token } = await rules.signed(params.jti);
      return reply(200, { ...findingEntry(finding, baseUrl()), token }, { 'cache-control': 'no-store' });
    },
  });

const judgeFinding = (rules: FindingRules) =>
  endpoint({
    method: 'POST',
    path: '/v1/findings/{jti}/outcome',
    operation: 'judgeFinding',
    tag: TAG,
    summary: 'Accept or reject a finding',
    description:
      'Requires the key of a program: `Authorization: Bearer signet_prog_…`. A program can judge each finding once. The ' +
      'finding must have the program’s audience and come from another account.',
    auth: 'none',
    effect: 'write',
    leaves: [],
    action: 'finding.judged',
    params: record({ jti: text(64) }),
    body: record({ outcome: oneOf(OUTCOMES), note: Type.Optional(nullable(text(1000))) }),
    replies: {
      200: record({
        jti: Type.String(),
        program_id: Type.String(),
        outcome: oneOf(OUTCOMES),
        recorded_at: timestamp(),
        track_record: Track,
      }),
    },
    errors: ['unauthorized', 'account_suspended', 'audience_mismatch', 'own_finding', 'not_found', 'outcome_exists'],
    handle: async ({ params, body, header, now, transact }) => {
      const program = await rules.requireProgram(header('authorization'));
      const finding = await rules.requireJudgeable(params.jti, program);
      const { outcome, note = null } = body;
      return transact(async (tx, audit) => {
        audit.accountId = program.accountId;
        audit.resourceId = finding.jti;
        const record = await rules.judge(tx, finding, { program, outcome, note }, now);
        const about = { jti: finding.jti, program_id: program.id, outcome, recorded_at: iso(now) };
        return reply(200, { ...about, track_record: trackEntry(finding.accountId, record) });
      });
    },
  });

const getTrackRecord = (rules: FindingRules) =>
  endpoint({
    method: 'GET',
    path: '/v1/agents/{agentId}/track-record',
    operation: 'getTrackRecord',
    tag: TAG,
    summary: 'Get the track record of an agent',
    description: 'Counts the agent’s findings and how programs judged them. Public, like the profile.',
    auth: 'none',
    effect: 'none',
    params: agentParams,
    replies: { 200: Track },
    errors: ['invalid_agent_id', 'not_found'],
    codes: { '/path/agentId': 'invalid_agent_id' },
    handle: async ({ params }) => reply(200, trackEntry(params.agentId, await rules.trackRecord(params.agentId))),
  });

export const findingRoutes = (rules: FindingRules, gate: Gate, baseUrl: () => string): Endpoint[] => [
  submitFinding(rules, gate, baseUrl),
  listEntries(rules, baseUrl),
  getFinding(rules, baseUrl),
  judgeFinding(rules),
  getTrackRecord(rules),
];

import type { Static } from 'typebox';
import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import {
  cursorParam,
  guidance,
  limitParam,
  named,
  nextCursor,
  nullable,
  oneOf,
  record,
  text,
  timestamp,
} from '../../../api/fields.ts';
import { WAY_REFUSALS } from '../../../api/way-out.ts';
import { iso, isoOrNull } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import { recordsOf } from './dns-records.ts';
import type { OwnNames } from './domain.ts';
import { type StackDeps, type StackRules, statusAt } from './stack.ts';
import { PURPOSES, RECORD_STATUSES, STATUSES, type Stack } from './stack-table.ts';

const TAG = 'Stacks';
const StackId = record({ id: text(64) });

const StackReply = named(
  'Stack',
  record({
    id: Type.String(),
    domain: Type.String({ description: 'Lower case; an IDN as A-labels.' }),
    status: oneOf(STATUSES, {
      description:
        '`failed`: not verified within three days, or the ownership record was removed. Verify again at any time.',
    }),
    nameservers: Type.Array(Type.String(), { description: 'Name servers of the domain at the latest check.' }),
    records: Type.Array(
      record({
        purpose: oneOf(PURPOSES),
        type: oneOf(['MX', 'TXT']),
        name: Type.String(),
        value: Type.String({
          description: 'The value to set. An SPF record that includes ours and any DMARC record also pass.',
        }),
        priority: nullable(Type.Integer({ description: 'MX only.' })),
        status: oneOf(RECORD_STATUSES, { description: '`unreachable`: the DNS did not answer.' }),
        found: Type.Array(Type.String({ description: 'A record of this kind that the latest check found.' })),
      }),
    ),
    next_steps: guidance(Type.Array(Type.String())),
    created_at: timestamp(),
    checked_at: nullable(timestamp({ description: 'Null before the first check.' })),
    verified_at: nullable(timestamp({ description: 'Null while it is not active.' })),
  }),
);

function nextSteps({ id, domain }: Stack, status: Stack['status']): string[] {
  if (status === 'active') return [`Claim an address: POST /v1/email/claim with {"address": "hello@${domain}"}.`];
  return [
    `Set the records at the DNS provider of ${domain}.`,
    `Then call POST /v1/stack/${id}/verify. DNS changes can take a while to become visible.`,
  ];
}

function stackBody(stack: Stack, own: OwnNames, now: number): Static<typeof StackReply> {
  const status = statusAt(stack, now);
  return {
    id: stack.id,
    domain: stack.domain,
    status,
    nameservers: stack.nameservers,
    records: recordsOf(stack, own).map((one) => ({
      ...one,
      ...(stack.findings?.[one.purpose] ?? { status: 'unchecked' as const, found: [] }),
    })),
    next_steps: nextSteps(stack, status),
    created_at: iso(stack.createdAt),
    checked_at: isoOrNull(stack.checkedAt),
    verified_at: isoOrNull(stack.verifiedAt),
  };
}

const createStack = (rules: StackRules, { gate, own }: StackDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/stack',
    operation: 'createStack',
    tag: TAG,
    summary: 'Set up your own domain for email',
    description:
      'Returns the DNS records to set, including a DKIM key for this domain. Set them, then verify the stack. After that you can claim addresses at the domain.',
    auth: 'key',
    scope: 'stacks:manage',
    addresses: 'none',
    effect: 'write',
    leaves: ['fetch'],
    action: 'stack.created',
    body: record({ domain: text(500, { examples: ['customer.example'] }) }),
    replies: { 201: StackReply },
    errors: ['invalid_domain', 'stack_limit', 'stack_exists', ...WAY_REFUSALS],
    handle: async ({ principal, body, now, transact }) => {
      const wanted = await rules.prepare(principal, body.domain);
      return transact(async (tx, audit) => {
        await gate.require(tx, principal, 'fetch', [wanted.domain]);
        const stack = await rules.create(tx, principal, wanted, now);
        audit.resourceId = stack.id;
        audit.summary = `Added the domain ${wanted.domain}`;
        return reply(201, stackBody(stack, own(), now));
      });
    },
  });

const listStacks = (rules: StackRules, { own }: StackDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/stack',
    operation: 'listStacks',
    tag: TAG,
    summary: 'List domains',
    description: 'Newest first.',
    auth: 'key',
    scope: 'stacks:manage',
    addresses: 'none',
    effect: 'none',
    bucket: 'inspect',
    query: record({ limit: limitParam(100, 200), cursor: cursorParam() }),
    replies: {
      200: record({ stacks: Type.Array(StackReply), count: Type.Integer(), next_cursor: nextCursor() }),
    },
    errors: ['invalid_cursor'],
    handle: async ({ principal, query, now }) => {
      const page = await rules.list(principal.accountId, { cursor: query.cursor, limit: query.limit ?? 100 });
      const stacks = page.rows.map((stack) => stackBody(stack, own(), now));
      return reply(200, { stacks, count: stacks.length, next_cursor: page.nextCursor });
    },
  });

const getStack = (rules: StackRules, { database, own }: StackDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/stack/{id}',
    operation: 'getStack',
    tag: TAG,
    summary: 'Get a domain',
    description: 'Returns its DNS records and the result of the latest check.',
    auth: 'key',
    scope: 'stacks:manage',
    addresses: 'none',
    effect: 'none',
    bucket: 'inspect',
    params: StackId,
    replies: { 200: StackReply },
    errors: ['not_found'],
    handle: async ({ principal, params, now }) =>
      reply(200, stackBody(await rules.read(database, principal.accountId, params.id), own(), now)),
  });

const verifyStack = (rules: StackRules, { database, gate, own }: StackDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/stack/{id}/verify',
    operation: 'verifyStack',
    tag: TAG,
    summary: 'Verify a domain',
    description:
      'Looks up the DNS records and returns the results, with 200 even if records are missing. A domain verified by another account moves to yours only after that account’s ownership record is removed.',
    auth: 'key',
    scope: 'stacks:manage',
    addresses: 'none',
    effect: 'write',
    leaves: ['fetch'],
    action: 'stack.verified',
    params: StackId,
    replies: { 200: StackReply },
    errors: ['not_found', 'domain_unavailable', ...WAY_REFUSALS],
    handle: async ({ principal, params, now, dryRun, transact }) => {
      const known = await rules.read(database, principal.accountId, params.id);
      // The name servers of the domain learn what is asked.
      await gate.require(database, principal, 'fetch', [known.domain]);
      dryRun?.dependsOn('dns');
      const check = dryRun ? null : await rules.checkDns(known);
      return transact(async (tx, audit) => {
        const { accountId } = principal;
        audit.resourceId = params.id;
        const stack = check ? await rules.applyCheck(tx, accountId, params.id, check, now) : known;
        return reply(200, stackBody(stack, own(), now));
      });
    },
  });

const deleteStack = (rules: StackRules) =>
  endpoint({
    method: 'DELETE',
    path: '/v1/stack/{id}',
    operation: 'deleteStack',
    tag: TAG,
    summary: 'Delete a domain',
    description: 'Mail to and from its addresses is refused from then on. Messages already received stay readable.',
    auth: 'key',
    scope: 'stacks:manage',
    addresses: 'refused',
    effect: 'write',
    leaves: [],
    bucket: 'revoke',
    action: 'stack.deleted',
    params: StackId,
    replies: { 200: record({ deleted: Type.Boolean(), id: Type.String() }) },
    errors: ['not_found'],
    handle: async ({ principal, params, transact }) =>
      transact(async (tx, audit) => {
        audit.resourceId = params.id;
        await rules.remove(tx, principal, params.id);
        return reply(200, { deleted: true, id: params.id });
      }),
  });

export const stackRoutes = (rules: StackRules, deps: StackDeps): Endpoint[] => [
  createStack(rules, deps),
  listStacks(rules, deps),
  getStack(rules, deps),
  verifyStack(rules, deps),
  deleteStack(rules),
];

import { type Static, Type } from 'typebox';
import { iso, isoOrNull } from '../../kernel/clock.ts';
import { type Endpoint, endpoint, reply } from '../../kernel/endpoint.ts';
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
} from '../../kernel/fields.ts';
import type { Reader } from '../../kernel/transaction.ts';
import { FINDINGS, PURPOSES, STATUSES, type Stack } from './stack-data.ts';
import { recordsOf, type StackRules, statusAt } from './stack-rules.ts';

export interface StackRouteDeps {
  rules: StackRules;
  database: Reader;
  mailDomain: string;
}

const TAG = 'Stacks';
const StackId = record({ id: text(64) });

const StackReply = named(
  'Stack',
  record({
    id: Type.String(),
    domain: Type.String({ description: 'As the DNS knows it: lower case, IDN as A-labels.' }),
    status: oneOf(STATUSES, {
      description:
        '`failed`: not verified within three days, or its ownership record was lost. Verify again at any time.',
    }),
    nameservers: Type.Array(Type.String(), { description: 'Where the domain is served, as of the latest check.' }),
    records: Type.Array(
      record({
        purpose: oneOf(PURPOSES),
        type: oneOf(['MX', 'TXT']),
        name: Type.String(),
        value: Type.String({ description: 'What it has to say. Of SPF one that includes ours will do, of DMARC any.' }),
        priority: nullable(Type.Integer()),
        status: oneOf(FINDINGS),
        found: Type.Array(Type.String({ description: 'What the latest check found in its place.' })),
      }),
    ),
    next_steps: guidance(Type.Array(Type.String())),
    created_at: timestamp(),
    checked_at: nullable(timestamp()),
    verified_at: nullable(timestamp()),
  }),
);

function nextSteps({ id, domain }: Stack, status: Stack['status']): string[] {
  if (status === 'active') return [`Claim an address: POST /v1/email/claim with {"address": "hello@${domain}"}.`];
  return [
    `Set the records where ${domain} is served.`,
    `Then POST /v1/stack/${id}/verify; a change in the DNS may take a while to be seen.`,
  ];
}

function stackBody(stack: Stack, mailDomain: string, now: number): Static<typeof StackReply> {
  const status = statusAt(stack, now);
  return {
    id: stack.id,
    domain: stack.domain,
    status,
    nameservers: stack.nameservers,
    records: recordsOf(stack, mailDomain).map((one) => ({
      ...one,
      ...(stack.findings?.[one.purpose] ?? { status: 'unchecked' as const, found: [] }),
    })),
    next_steps: nextSteps(stack, status),
    created_at: iso(stack.createdAt),
    checked_at: isoOrNull(stack.checkedAt),
    verified_at: isoOrNull(stack.verifiedAt),
  };
}

const createStack = ({ rules, database, mailDomain }: StackRouteDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/stack',
    operation: 'createStack',
    tag: TAG,
    summary: 'Set up a domain of your own for mail',
    description:
      'Answers with the DNS records to set, a DKIM key of this domain among them. Once verified, addresses at the domain can be claimed.',
    auth: 'key',
    effect: 'write',
    action: 'stack.created',
    body: record({ domain: text(500, { examples: ['customer.example'] }) }),
    replies: { 201: StackReply },
    errors: ['invalid_domain', 'stack_limit', 'stack_exists'],
    handle: async ({ principal, body, now, transact }) => {
      const wanted = await rules.prepare(database, principal, body.domain);
      return transact(async (tx, audit) => {
        const stack = await rules.create(tx, principal, wanted, now);
        audit.resourceId = stack.id;
        return reply(201, stackBody(stack, mailDomain, now));
      });
    },
  });

const listStacks = ({ rules, database, mailDomain }: StackRouteDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/stack',
    operation: 'listStacks',
    tag: TAG,
    summary: 'The domains of this account, newest first',
    auth: 'key',
    effect: 'none',
    query: record({ limit: limitParam(100, 200), cursor: cursorParam() }),
    replies: {
      200: record({ stacks: Type.Array(StackReply), count: Type.Integer(), next_cursor: nextCursor() }),
    },
    errors: ['invalid_cursor'],
    handle: async ({ principal, query, now }) => {
      const page = await rules.list(database, principal.accountId, query.cursor, query.limit ?? 100);
      const stacks = page.stacks.map((stack) => stackBody(stack, mailDomain, now));
      return reply(200, { stacks, count: stacks.length, next_cursor: page.nextCursor });
    },
  });

const getStack = ({ rules, database, mailDomain }: StackRouteDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/stack/{id}',
    operation: 'getStack',
    tag: TAG,
    summary: 'A domain, its records, and what the latest check found',
    auth: 'key',
    effect: 'none',
    params: StackId,
    replies: { 200: StackReply },
    errors: ['not_found'],
    handle: async ({ principal, params, now }) =>
      reply(200, stackBody(await rules.read(database, principal.accountId, params.id), mailDomain, now)),
  });

const verifyStack = ({ rules, database, mailDomain }: StackRouteDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/stack/{id}/verify',
    operation: 'verifyStack',
    tag: TAG,
    summary: 'Look the records up',
    description:
      'Answers 200 with what was found, whether or not that is enough. A domain that another account verified goes over once that account’s ownership record is gone.',
    auth: 'key',
    effect: 'write',
    action: 'stack.verified',
    params: StackId,
    replies: { 200: StackReply },
    errors: ['not_found', 'domain_unavailable'],
    handle: async ({ principal, params, now, transact }) => {
      const check = await rules.look(await rules.read(database, principal.accountId, params.id));
      return transact(async (tx, audit) => {
        audit.resourceId = params.id;
        const stack = await rules.settle(tx, principal.accountId, params.id, check, now);
        return reply(200, stackBody(stack, mailDomain, now));
      });
    },
  });

const deleteStack = ({ rules }: StackRouteDeps) =>
  endpoint({
    method: 'DELETE',
    path: '/v1/stack/{id}',
    operation: 'deleteStack',
    tag: TAG,
    summary: 'Give a domain up',
    description: 'Mail to and from its addresses is refused from then on; what they have received stays readable.',
    auth: 'key',
    effect: 'write',
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

export const stackRoutes = (deps: StackRouteDeps): Endpoint[] => [
  createStack(deps),
  listStacks(deps),
  getStack(deps),
  verifyStack(deps),
  deleteStack(deps),
];

import { type Static, Type } from 'typebox';
import { iso } from '../../kernel/clock.ts';
import { type Endpoint, endpoint, reply } from '../../kernel/endpoint.ts';
import {
  cursorParam,
  guidance,
  limitParam,
  line,
  named,
  nextCursor,
  nullable,
  oneOf,
  record,
  secret,
  text,
  timestamp,
} from '../../kernel/fields.ts';
import { CAP_PERIODS, RATE_WINDOWS } from '../../kernel/period.ts';
import type { Reader } from '../../kernel/transaction.ts';
import { hasAny, type Pod, type PodChange, type PodRules } from './pod-rules.ts';

export interface PodRouteDeps {
  rules: PodRules;
  database: Reader;
}

const TAG = 'Pods';
const RATE_MAX = 1_000_000_000;
/** Spec, Spending caps. */
const CAP_MAX = 1_000_000_000;
const SCOPES_MAX = 100;

const PodId = record({ pod_id: text(64) });

const amount = (maximum: number) => Type.Optional(nullable(Type.Integer({ minimum: 1, maximum })));
const RateLimitsBody = named(
  'PodRateLimitsInput',
  record(
    { requests_per_minute: amount(RATE_MAX), requests_per_hour: amount(RATE_MAX), requests_per_day: amount(RATE_MAX) },
    { description: 'minute <= hour <= day, of those that are set; null takes one away.' },
  ),
);
const CapsBody = named(
  'PodCapsInput',
  record(
    { daily: amount(CAP_MAX), weekly: amount(CAP_MAX), monthly: amount(CAP_MAX) },
    { description: 'Atomic USDC; daily <= weekly <= monthly, of those that are set; null takes one away.' },
  ),
);
const Scopes = Type.Array(Type.String({ pattern: '^[a-z][a-z0-9._:-]{0,127}$' }), {
  maxItems: SCOPES_MAX,
  uniqueItems: true,
  description: 'The ceiling of the scopes its tokens may have; null: no other than the platform’s.',
});

const settings = {
  name: Type.Optional(nullable(line(100, { description: 'A label; null or empty for none.' }))),
  rate_limits: Type.Optional(nullable(RateLimitsBody)),
  spending_caps: Type.Optional(nullable(CapsBody)),
  allowed_scopes: Type.Optional(nullable(Scopes)),
};
const CreateBody = record(settings);
const ChangeBody = record({
  ...settings,
  status: Type.Optional(oneOf(['active', 'suspended'], { description: '`active` takes a suspended pod back.' })),
});

const whole = Type.Optional(Type.Integer());
const podFields = {
  pod_id: Type.String(),
  account_id: Type.String({ description: 'The account that the pod is.' }),
  name: nullable(Type.String()),
  status: oneOf(['active', 'suspended']),
  created_at: timestamp(),
  updated_at: timestamp(),
  parent_account_id: Type.String(),
  rate_limits: nullable(
    named('PodRateLimits', record({ requests_per_minute: whole, requests_per_hour: whole, requests_per_day: whole })),
  ),
  spending_caps: nullable(named('PodCaps', record({ daily: whole, weekly: whole, monthly: whole }))),
  allowed_scopes: nullable(Type.Array(Type.String())),
};
const PodReply = named('Pod', record(podFields));

/** Only what is set, under the name it has on the wire; null when nothing is. */
const setOnly = <K extends string>(
  names: readonly K[],
  values: Record<K, number | null> | null,
  prefix = '',
): Record<string, number> | null =>
  values !== null && hasAny(values)
    ? Object.fromEntries(names.flatMap((name) => (values[name] === null ? [] : [[prefix + name, values[name]]])))
    : null;

const podBody = (pod: Pod): Static<typeof PodReply> => ({
  pod_id: pod.podId,
  account_id: pod.accountId,
  name: pod.name,
  status: pod.status,
  created_at: iso(pod.createdAt),
  updated_at: iso(pod.updatedAt),
  parent_account_id: pod.parentAccountId,
  rate_limits: setOnly(RATE_WINDOWS, pod.rateLimits, 'requests_per_'),
  spending_caps: setOnly(CAP_PERIODS, pod.spendingCaps),
  allowed_scopes: pod.allowedScopes,
});

/** The rules' own words for a request. */
function changeOf(body: Static<typeof ChangeBody>): PodChange {
  const { name, status, rate_limits: rates, spending_caps: spendingCaps, allowed_scopes: allowedScopes } = body;
  const rateLimits = rates && {
    ...(rates.requests_per_minute === undefined ? {} : { minute: rates.requests_per_minute }),
    ...(rates.requests_per_hour === undefined ? {} : { hour: rates.requests_per_hour }),
    ...(rates.requests_per_day === undefined ? {} : { day: rates.requests_per_day }),
  };
  const given = { name, status, rateLimits, spendingCaps, allowedScopes };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

const createPod = ({ rules }: PodRouteDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/pods',
    operation: 'createPod',
    tag: TAG,
    summary: 'Create a pod: a tenant with its own key',
    description:
      'A pod is an account of its own: its platform sets its limits and cannot read its mail or vault. Tier, daily requests and daily e-mails are shared with the platform.',
    auth: 'platform',
    effect: 'write',
    action: 'pod.created',
    body: CreateBody,
    replies: {
      201: record({ ...podFields, api_key: secret(Type.String()), warning: guidance(Type.String()) }),
    },
    errors: ['pod_auth_forbidden', 'pod_limit_reached'],
    handle: async ({ principal, body, now, transact }) =>
      transact(async (tx, audit) => {
        const { pod, key } = await rules.create(tx, principal, changeOf(body), now);
        audit.resourceId = pod.podId;
        return reply(201, {
          ...podBody(pod),
          api_key: key.key,
          warning: 'Store this key now: only a hash of it is kept, and it cannot be shown again.',
        });
      }),
  });

const listPods = ({ rules, database }: PodRouteDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/pods',
    operation: 'listPods',
    tag: TAG,
    summary: 'The pods of this platform, newest first',
    description: 'Suspended ones too. A pod’s key sees that pod alone.',
    auth: 'key',
    effect: 'none',
    query: record({ limit: limitParam(100, 200), cursor: cursorParam() }),
    replies: {
      200: record({ pods: Type.Array(PodReply), count: Type.Integer(), next_cursor: nextCursor() }),
    },
    errors: ['invalid_cursor'],
    handle: async ({ principal, query }) => {
      const { pods, nextCursor: next } = await rules.list(database, principal, query.cursor, query.limit ?? 100);
      return reply(200, { pods: pods.map(podBody), count: pods.length, next_cursor: next });
    },
  });

const getPod = ({ rules, database }: PodRouteDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/pods/{pod_id}',
    operation: 'getPod',
    tag: TAG,
    summary: 'A pod',
    auth: 'key',
    effect: 'none',
    params: PodId,
    replies: { 200: PodReply },
    errors: ['not_found'],
    handle: async ({ principal, params }) => reply(200, podBody(await rules.read(database, principal, params.pod_id))),
  });

const updatePod = ({ rules }: PodRouteDeps) =>
  endpoint({
    method: 'PATCH',
    path: '/v1/pods/{pod_id}',
    operation: 'updatePod',
    tag: TAG,
    summary: 'Change a pod',
    description:
      'What is absent stays, inside `rate_limits` and `spending_caps` too; null for either removes all of it. `status: "active"` takes a suspended pod back.',
    auth: 'platform',
    effect: 'write',
    action: 'pod.updated',
    params: PodId,
    body: ChangeBody,
    replies: { 200: record({ id: Type.String(), ...podFields, updated: Type.Boolean() }) },
    errors: ['pod_auth_forbidden', 'pod_limit_reached', 'account_suspended', 'not_found'],
    handle: async ({ principal, params, body, now, transact }) =>
      transact(async (tx, audit) => {
        audit.resourceId = params.pod_id;
        const change = changeOf(body);
        const pod = await rules.change(tx, principal, params.pod_id, change, now);
        return reply(200, { id: pod.podId, ...podBody(pod), updated: Object.keys(change).length > 0 });
      }),
  });

const suspendPod = ({ rules }: PodRouteDeps) =>
  endpoint({
    method: 'DELETE',
    path: '/v1/pods/{pod_id}',
    operation: 'suspendPod',
    tag: TAG,
    summary: 'Suspend a pod',
    description: 'Its key answers 403 `pod_suspended` from then on. Nothing of it is deleted; PATCH takes it back.',
    auth: 'platform',
    effect: 'write',
    action: 'pod.suspended',
    params: PodId,
    replies: { 200: PodReply },
    errors: ['pod_auth_forbidden', 'not_found'],
    handle: async ({ principal, params, now, transact }) =>
      transact(async (tx, audit) => {
        audit.resourceId = params.pod_id;
        return reply(200, podBody(await rules.change(tx, principal, params.pod_id, { status: 'suspended' }, now)));
      }),
  });

const replacePodKey = ({ rules }: PodRouteDeps) =>
  endpoint({
    method: 'POST',
    path: '/v1/pods/{pod_id}/keys',
    operation: 'replacePodKey',
    tag: TAG,
    summary: 'Give a pod a new key',
    description: 'The previous one, a backup key and the sessions of the pod end with this reply.',
    auth: 'platform',
    effect: 'write',
    action: 'pod.key_replaced',
    params: PodId,
    replies: {
      201: record({
        api_key: secret(Type.String()),
        key_prefix: Type.String(),
        pod_id: Type.String(),
        created_at: timestamp(),
        warning: guidance(Type.String()),
      }),
    },
    errors: ['pod_auth_forbidden', 'not_found'],
    handle: async ({ principal, params, now, transact }) =>
      transact(async (tx, audit) => {
        audit.resourceId = params.pod_id;
        const minted = await rules.replaceKey(tx, principal, params.pod_id, now);
        return reply(201, {
          api_key: minted.key,
          key_prefix: minted.prefix,
          pod_id: params.pod_id,
          created_at: iso(minted.createdAt),
          warning: 'Store this key now: it cannot be shown again, and the previous one no longer works.',
        });
      }),
  });

export const podRoutes = (deps: PodRouteDeps): Endpoint[] => [
  createPod(deps),
  listPods(deps),
  getPod(deps),
  updatePod(deps),
  suspendPod(deps),
  replacePodKey(deps),
];

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
import { hasAny, listPodsOf, type Pod, type PodChange, type PodRules, readPod } from './pod-rules.ts';

export interface PodRouteDeps {
  rules: PodRules;
  database: Reader;
}

const TAG = 'Pods';
const RATE_MAX = 1_000_000_000;
/** The largest cap (specification, Spending caps). */
const CAP_MAX = 1_000_000_000;
const SCOPES_MAX = 100;

const PodId = record({ pod_id: text(64) });

const amount = (maximum: number) => Type.Optional(nullable(Type.Integer({ minimum: 1, maximum })));
const RateLimitsBody = named(
  'PodRateLimitsInput',
  record(
    { requests_per_minute: amount(RATE_MAX), requests_per_hour: amount(RATE_MAX), requests_per_day: amount(RATE_MAX) },
    { description: '`minute <= hour <= day` must hold for the limits that are set; null removes a limit.' },
  ),
);
const CapsBody = named(
  'PodCapsInput',
  record(
    { daily: amount(CAP_MAX), weekly: amount(CAP_MAX), monthly: amount(CAP_MAX) },
    {
      description:
        'Atomic USDC per UTC period. `daily <= weekly <= monthly` must hold for the caps that are set; null removes a cap.',
    },
  ),
);
const Scopes = Type.Array(Type.String({ pattern: '^[a-z][a-z0-9._:-]{0,127}$' }), {
  maxItems: SCOPES_MAX,
  uniqueItems: true,
  description: 'The scopes that its tokens may have; null for those of the platform.',
});

const settings = {
  name: Type.Optional(nullable(line(100, { description: 'A label; null or empty removes it.' }))),
  rate_limits: Type.Optional(nullable(RateLimitsBody)),
  spending_caps: Type.Optional(nullable(CapsBody)),
  allowed_scopes: Type.Optional(nullable(Scopes)),
};
const CreateBody = record(settings);
const ChangeBody = record({
  ...settings,
  status: Type.Optional(oneOf(['active', 'suspended'], { description: '`active` reactivates a suspended pod.' })),
});

const whole = Type.Optional(Type.Integer());
const podFields = {
  pod_id: Type.String(),
  account_id: Type.String({ description: 'The pod’s own account.' }),
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

/** Returns the values that are set, under their names in the API; null when none is. */
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

/** Translates a request into a change of a pod. */
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
    summary: 'Create a pod',
    description:
      'A pod is a tenant of your platform: an account of its own, with its own key. Its platform sets its limits but cannot read its mail or vault. Tier, daily requests and daily emails are shared with the platform.',
    auth: 'platform',
    scope: 'pods:manage',
    wholeAccount: true,
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
          warning: 'Store this key now. Only a hash of it is kept, so it cannot be shown again.',
        });
      }),
  });

const listPods = ({ database }: PodRouteDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/pods',
    operation: 'listPods',
    tag: TAG,
    summary: 'List pods, newest first',
    description: 'Includes suspended pods. With a pod’s key, returns that pod alone.',
    auth: 'key',
    scope: 'pods:manage',
    addresses: 'none',
    effect: 'none',
    query: record({ limit: limitParam(100, 200), cursor: cursorParam() }),
    replies: {
      200: record({ pods: Type.Array(PodReply), count: Type.Integer(), next_cursor: nextCursor() }),
    },
    errors: ['invalid_cursor'],
    handle: async ({ principal, query }) => {
      const page = await listPodsOf(database, principal, { cursor: query.cursor, limit: query.limit as number });
      return reply(200, { pods: page.rows.map(podBody), count: page.rows.length, next_cursor: page.nextCursor });
    },
  });

const getPod = ({ database }: PodRouteDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/pods/{pod_id}',
    operation: 'getPod',
    tag: TAG,
    summary: 'Get a pod',
    auth: 'key',
    scope: 'pods:manage',
    addresses: 'none',
    effect: 'none',
    params: PodId,
    replies: { 200: PodReply },
    errors: ['not_found'],
    handle: async ({ principal, params }) => reply(200, podBody(await readPod(database, principal, params.pod_id))),
  });

const updatePod = ({ rules }: PodRouteDeps) =>
  endpoint({
    method: 'PATCH',
    path: '/v1/pods/{pod_id}',
    operation: 'updatePod',
    tag: TAG,
    summary: 'Update a pod',
    description:
      'Absent fields stay as they are, including those inside `rate_limits` and `spending_caps`. Null for either removes all of its values. `status: "active"` reactivates a suspended pod.',
    auth: 'platform',
    scope: 'pods:manage',
    addresses: 'none',
    effect: 'write',
    bucket: 'pods',
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
    description:
      'Requests with its key get 403 `pod_suspended`, and mail to it is refused. Nothing is deleted; `PATCH` with `status: "active"` reactivates it.',
    auth: 'platform',
    scope: 'pods:manage',
    addresses: 'none',
    effect: 'write',
    bucket: 'pods',
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
    summary: 'Replace the key of a pod',
    description: 'Ends the previous key, the backup key and all sessions of the pod at once.',
    auth: 'platform',
    scope: 'pods:manage',
    wholeAccount: true,
    effect: 'write',
    bucket: 'pods',
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
          warning: 'Store this key now. It cannot be shown again, and the previous key no longer works.',
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

import type { Static, TSchema } from 'typebox';
import { changeOf as auditedChange } from '../../../api/audit-record.ts';
import { type Endpoint, endpoint, reply } from '../../../api/endpoint.ts';
import { cursorParam, guidance, limitParam, nextCursor, record, secret, timestamp } from '../../../api/fields.ts';
import { atomicLimit, displayed } from '../../../api/money-fields.ts';
import { requireWhole } from '../../../api/scopes.ts';
import { WAY_REFUSALS } from '../../../api/way-out.ts';
import { iso } from '../../../base/clock.ts';
import { CAP_PERIODS, RATE_WINDOWS } from '../../../base/period.ts';
import { Type } from '../../../base/schema.ts';
import { requirePersonalEmail } from '../../../mail/address/mail-address.ts';
import { peopleBody, peopleFields } from '../../account/accounts/account-people-schema.ts';
import { hasAny, listPodsOf, type Pod, type PodChange, type PodDeps, type PodRules, readPod } from './pod.ts';
import { CAP_RANGE, CreateBody, changeBody, PodId, PodReply, podFields } from './pod-schema.ts';

const TAG = 'Pods';
/** Returns the values that are set, under their names in the API; null when none is. */
const setOnly = <K extends string>(
  names: readonly K[],
  values: Record<K, number | null> | null,
  prefix = '',
): Record<string, number> | null =>
  values !== null && hasAny(values)
    ? Object.fromEntries(names.flatMap((name) => (values[name] === null ? [] : [[prefix + name, values[name]]])))
    : null;

function podBody(pod: Pod): Static<typeof PodReply> {
  const caps = setOnly(CAP_PERIODS, pod.spendingCaps);
  return {
    pod_id: pod.podId,
    account_id: pod.accountId,
    name: pod.name,
    status: pod.status,
    created_at: iso(pod.createdAt),
    updated_at: iso(pod.updatedAt),
    parent_account_id: pod.parentAccountId,
    rate_limits: setOnly(RATE_WINDOWS, pod.rateLimits, 'requests_per_'),
    spending_caps: caps,
    spending_caps_display: caps && displayed(caps),
    allowed_scopes: pod.allowedScopes,
  };
}

/** Translates a request into a change of a pod. */
function changeOf(body: Static<ReturnType<typeof changeBody<TSchema>>>): PodChange {
  const { name, status, rate_limits: rates, spending_caps: caps, allowed_scopes: allowedScopes } = body;
  const { recovery_email: email, policy } = body;
  const spendingCaps =
    caps &&
    Object.fromEntries(
      CAP_PERIODS.flatMap((period) => {
        const cap = atomicLimit(caps[period], `/body/spending_caps/${period}`, CAP_RANGE);
        return cap === undefined ? [] : [[period, cap]];
      }),
    );
  const recoveryEmail = typeof email === 'string' ? requirePersonalEmail(email, '/body/recovery_email') : email;
  const rateLimits = rates && {
    ...(rates.requests_per_minute === undefined ? {} : { minute: rates.requests_per_minute }),
    ...(rates.requests_per_hour === undefined ? {} : { hour: rates.requests_per_hour }),
    ...(rates.requests_per_day === undefined ? {} : { day: rates.requests_per_day }),
  };
  const given = { name, status, rateLimits, spendingCaps, allowedScopes, recoveryEmail, policy: policy as object };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

const createPod = (rules: PodRules) =>
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
    leaves: ['invite', 'publish'],
    action: 'pod.created',
    body: CreateBody,
    replies: {
      201: record({ ...podFields, api_key: secret(Type.String()), warning: guidance(Type.String()) }),
    },
    errors: ['pod_auth_forbidden', 'pod_limit_reached', ...WAY_REFUSALS],
    handle: async ({ principal, body, now, transact }) =>
      transact(async (tx, audit) => {
        const { pod, key } = await rules.create(tx, principal, changeOf(body), now);
        audit.resourceId = pod.podId;
        audit.change = auditedChange(PodReply, null, podBody(pod));
        return reply(201, {
          ...podBody(pod),
          api_key: key.key,
          warning: 'Store this key now. Only a hash of it is kept, so it cannot be shown again.',
        });
      }),
  });

const listPods = ({ database }: PodDeps) =>
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
    bucket: 'inspect',
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

const getPod = ({ database, people, podPolicies }: PodDeps) =>
  endpoint({
    method: 'GET',
    path: '/v1/pods/{pod_id}',
    operation: 'getPod',
    tag: TAG,
    summary: 'Get a pod',
    description: 'With its people and limits.',
    auth: 'key',
    scope: 'pods:manage',
    addresses: 'none',
    effect: 'none',
    bucket: 'inspect',
    params: PodId,
    replies: { 200: record({ ...podFields, ...peopleFields, policy: Type.Optional(podPolicies.schema) }) },
    errors: ['not_found'],
    handle: async ({ principal, params }) => {
      const pod = await readPod(database, principal, params.pod_id);
      // A platform's lists are not its pods' matter.
      const policy = principal.kind === 'pod' ? {} : { policy: await podPolicies.show(database, pod.accountId) };
      return reply(200, { ...podBody(pod), ...peopleBody(await people.list(database, pod.accountId)), ...policy });
    },
  });

const updatePod = (rules: PodRules, { people, podPolicies }: PodDeps) =>
  endpoint({
    method: 'PATCH',
    path: '/v1/pods/{pod_id}',
    operation: 'updatePod',
    tag: TAG,
    summary: 'Update a pod',
    description:
      'Absent fields stay as they are, including those inside `rate_limits`, `spending_caps` and `policy`. Null for one of these removes all of its values. `status: "active"` reactivates a suspended pod. Only the primary key and a session set `recovery_email`; only the authority of the platform sets `policy`.',
    auth: 'platform',
    scope: 'pods:manage',
    addresses: 'none',
    effect: 'write',
    leaves: ['publish', 'invite'],
    bucket: 'pods',
    action: 'pod.updated',
    params: PodId,
    body: changeBody(podPolicies.schema),
    replies: {
      200: record({
        id: Type.String(),
        ...podFields,
        ...peopleFields,
        policy: podPolicies.schema,
        updated: Type.Boolean(),
      }),
    },
    errors: [
      'pod_auth_forbidden',
      'pod_limit_reached',
      'account_suspended',
      'not_found',
      'address_refused',
      ...WAY_REFUSALS,
    ],
    handle: async ({ principal, params, body, now, transact }) =>
      transact(async (tx, audit) => {
        audit.resourceId = params.pod_id;
        const change = changeOf(body);
        // An unknown pod is 404 for every credential.
        const before = await readPod(tx, principal, params.pod_id);
        if (change.recoveryEmail !== undefined) requireWhole(principal, 'pods:manage');
        const pod = await rules.change(tx, principal, params.pod_id, change, now);
        audit.change = auditedChange(PodReply, podBody(before), podBody(pod));
        const shown = { ...podBody(pod), ...peopleBody(await people.list(tx, pod.accountId)) };
        const policy = await podPolicies.show(tx, pod.accountId);
        return reply(200, { id: pod.podId, ...shown, policy, updated: Object.keys(change).length > 0 });
      }),
  });

const suspendPod = (rules: PodRules) =>
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
    leaves: [],
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

const replacePodKey = (rules: PodRules) =>
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
    leaves: [],
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

export const podRoutes = (rules: PodRules, deps: PodDeps): Endpoint[] => [
  createPod(rules),
  listPods(deps),
  getPod(deps),
  updatePod(rules, deps),
  suspendPod(rules),
  replacePodKey(rules),
];

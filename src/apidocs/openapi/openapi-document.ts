import type { TSchema } from 'typebox';
import type { Endpoint } from '../../api/endpoint.ts';
import type { ErrorCode } from '../../api/errors.ts';
import { CALL_BUCKETS } from '../../api/metering/call-bucket.ts';
import { API_VERSION } from '../../base/version.ts';
import {
  createSchemaNames,
  ERROR_RESPONSE,
  ERROR_SCHEMAS,
  errorTable,
  type Json,
  type SchemaNames,
} from './openapi-schemas.ts';
import { shareRepeats } from './openapi-sharing.ts';
import { WEBHOOK_SCHEMAS, webhooksSpec } from './openapi-webhooks.ts';

const ANY_CREDENTIAL = [
  'unauthorized',
  'insufficient_scope',
  'passkey_required',
  'account_suspended',
  'pod_suspended',
  'rate_limited',
] as const;

/** Error codes that follow from the method, auth and other fields of an endpoint. */
const ERROR_GROUPS = {
  /** Needs a credential that is no backup key. */
  credential: [...ANY_CREDENTIAL, 'backup_key_only_activates'],
  /** Also accepts a backup key. */
  any_credential: ANY_CREDENTIAL,
  /** Accepts no key of a pod. */
  platform: ['pod_auth_forbidden'],
  /** Changes something, and a deletion of the account bars it. */
  change: ['account_deleting'],
  /** Accepts only a session. */
  person: ['session_required'],
  /** Has parameters or a body. */
  input: ['invalid_request'],
  body: ['invalid_json', 'body_too_large', 'unsupported_media_type'],
  /** Accepts a body of any kind. */
  any_body: ['body_too_large', 'unsupported_media_type'],
  /** Accepts an `Idempotency-Key`. */
  idempotency: ['idempotency_mismatch', 'idempotency_in_progress', 'idempotency_secret_spent'],
  /** Accepts payments. */
  payment: ['payment_required', 'payment_invalid', 'payment_unavailable'],
  /** Cannot be tried, as `x-dry-run` says, so none names it. */
  no_dry_run: ['dry_run_unavailable'],
  /** Every operation belongs to this one, so none names it. */
  every: ['storage_unavailable'],
} as const satisfies Record<string, readonly ErrorCode[]>;

type ErrorGroup = keyof typeof ERROR_GROUPS;

function errorGroupsOf({ auth, method, query, params, anyBody, payable, replies, ...call }: Endpoint): ErrorGroup[] {
  const hasBody = method !== 'GET';
  const applies: Record<ErrorGroup, boolean> = {
    credential: auth !== 'none' && auth !== 'backup',
    any_credential: auth === 'backup',
    platform: auth === 'platform',
    change: auth !== 'none' && auth !== 'person' && hasBody && call.effect === 'write' && !call.whileSuspended,
    person: auth === 'person',
    input: hasBody || query !== undefined || params !== undefined,
    body: hasBody && !anyBody,
    any_body: hasBody && (anyBody ?? false),
    idempotency: method === 'POST' || method === 'PUT',
    payment: payable ?? false,
    no_dry_run: call.dryRun === false,
    // An endpoint with its own 503 reply describes it itself.
    every: !(503 in replies),
  };
  return (Object.keys(applies) as ErrorGroup[]).filter((group) => applies[group]);
}

/** Lists the error codes of an endpoint: those it declares and those of its groups. */
export const errorsOf = (endpoint: Endpoint): ErrorCode[] => [
  ...new Set([...endpoint.errors, ...errorGroupsOf(endpoint).flatMap((group) => ERROR_GROUPS[group])]),
];

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Method = Endpoint['method'];

const takesIdempotencyKey = (method: Method): boolean => method === 'POST' || method === 'PUT';
const parameterRef = (name: string) => ({ $ref: `#/components/parameters/${name}` });

/** What most operations of a method have. An operation names its error groups only when they differ. */
const groupsOfMethod = (method: Method): ErrorGroup[] => [
  'credential',
  ...(method === 'GET' ? [] : (['change'] as const)),
  'input',
  ...(method === 'GET' ? [] : (['body'] as const)),
  ...(takesIdempotencyKey(method) ? (['idempotency'] as const) : []),
];

/** The parameters and error groups that operations of a method have without naming them, by method. */
const METHOD_DEFAULTS = Object.fromEntries(
  METHODS.map((method) => [
    method.toLowerCase(),
    {
      parameters: [
        'verbose',
        ...(takesIdempotencyKey(method) ? ['idempotencyKey'] : []),
        ...(method === 'GET' ? [] : ['dryRun']),
      ].map(parameterRef),
      'x-error-groups': groupsOfMethod(method),
    },
  ]),
);

function parameters(endpoint: Endpoint, names: SchemaNames): Json[] {
  const of = (schema: Endpoint['query'], place: 'query' | 'path') =>
    Object.entries(schema?.properties ?? {}).map(([name, property]) => {
      const isRequired = place === 'path' || ((schema?.required ?? []) as string[]).includes(name);
      return names.placeParameter({
        name,
        in: place,
        ...(isRequired ? { required: true } : {}),
        schema: property,
      });
    });
  const payment = endpoint.payable ? ['payment', 'paymentSignature'].map(parameterRef) : [];
  return [...of(endpoint.params, 'path'), ...of(endpoint.query, 'query'), ...payment];
}

/** Descriptions of replies whose schema has none, by the first digit of the status. */
const DESCRIPTIONS: Record<string, string> = { 2: 'OK', 3: 'See `Location`.', 5: 'Unavailable.' };

function replySpec(status: string, schema: TSchema, names: SchemaNames, alsoText?: string): unknown {
  const { contentMediaType } = schema as { contentMediaType?: string };
  const description = (schema as { description?: string }).description ?? DESCRIPTIONS[status.charAt(0)] ?? '';
  if ((schema as { type?: string }).type === 'null') return { description };
  return {
    description,
    content: {
      [contentMediaType ?? 'application/json']: { schema: names.place(schema, 'reply') },
      ...(alsoText && status.startsWith('2') ? { [alsoText]: { schema: { type: 'string' } } } : {}),
    },
  };
}

/** The error codes that an operation lists itself, and its groups where they are not those of its method. */
function errorsSpec(endpoint: Endpoint): Json {
  const groups = errorGroupsOf(endpoint);
  const implied = new Set<ErrorCode>(groups.flatMap((group) => ERROR_GROUPS[group]));
  const own = errorsOf(endpoint).filter((code) => !implied.has(code));
  const named = groups.filter((group) => group !== 'every' && group !== 'no_dry_run');
  const isUsual = named.join() === groupsOfMethod(endpoint.method).join();
  return { ...(own.length > 0 ? { 'x-errors': own } : {}), ...(isUsual ? {} : { 'x-error-groups': named }) };
}

function operation(endpoint: Endpoint, names: SchemaNames): Json {
  const success = Object.entries(endpoint.replies).map(([status, schema]) => [
    status,
    replySpec(status, schema, names, endpoint.alsoText),
  ]);
  const given = parameters(endpoint, names);
  return {
    operationId: endpoint.operation,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    ...(endpoint.description ? { description: endpoint.description } : {}),
    // The document's own `security` applies to the rest.
    ...(endpoint.auth === 'none' ? { security: [] } : {}),
    ...(endpoint.auth === 'optional' ? { security: [{}, { bearer: [] }] } : {}),
    ...(endpoint.scope === undefined || endpoint.anyScope ? {} : { 'x-signet-scope': endpoint.scope }),
    ...(endpoint.wholeAccount ? { 'x-signet-named-keys': false } : {}),
    ...(endpoint.outlives ? { 'x-signet-access-tokens': false } : {}),
    ...(endpoint.addresses === 'refused' ? { 'x-signet-limited-keys': false } : {}),
    ...(endpoint.whileSuspended ? { 'x-signet-while-suspended': true } : {}),
    ...(endpoint.dryRun === false ? { 'x-dry-run': false } : {}),
    ...(endpoint.leaves?.length ? { 'x-leaves': endpoint.leaves } : {}),
    ...(endpoint.bucket ? { 'x-signet-limit': CALL_BUCKETS[endpoint.bucket] } : {}),
    ...(given.length > 0 ? { parameters: given } : {}),
    ...(endpoint.body
      ? {
          requestBody: {
            required: ((endpoint.body as { required?: string[] }).required ?? []).length > 0,
            content: Object.fromEntries(
              ['application/json', ...(endpoint.form ? ['application/x-www-form-urlencoded'] : [])].map((type) => [
                type,
                { schema: names.place(endpoint.body, 'request') },
              ]),
            ),
          },
        }
      : {}),
    responses: { ...Object.fromEntries(success), default: { $ref: '#/components/responses/Error' } },
    ...errorsSpec(endpoint),
  };
}

const components = {
  securitySchemes: {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description:
        'An API key (`signet_live_…`, `signet_pod_…`), a session token (`session_…`), or a named key (`signet_key_…`), which may call the operations whose `x-signet-scope` it has, unless `x-signet-named-keys` (with `addresses`: `x-signet-limited-keys`) is false. An access token of a delegate (`signet_at_…`) is like a named key, and `x-signet-access-tokens` false refuses it too. An operator session may name one of its accounts in the header `Signet-Account`; another’s is 404.',
    },
  },
  parameters: {
    verbose: {
      name: 'verbose',
      in: 'query',
      description: '`false` removes fields for people (marked `x-guidance`) from the reply.',
      schema: { type: 'string', enum: ['true', 'false'] },
    },
    idempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      description:
        'A repeat of the request with the same key within 24 hours gets the first reply and changes nothing.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    },
    dryRun: {
      name: 'dry_run',
      in: 'query',
      description:
        '`true`: says what the call would do, and does nothing. Not where `x-dry-run` is false, nor with an `Idempotency-Key`.',
      schema: { type: 'string', enum: ['true'] },
    },
    payment: {
      name: 'X-PAYMENT',
      in: 'header',
      description:
        'A payment (x402 version 1) for a request over a limit: base64 of a payment for one of `accepts` in the 402. The reply then has `X-PAYMENT-RESPONSE`.',
      schema: { type: 'string', maxLength: 8192 },
    },
    paymentSignature: {
      name: 'PAYMENT-SIGNATURE',
      in: 'header',
      description:
        'A payment (x402 version 2) for the terms in `PAYMENT-REQUIRED` of the 402. The reply then has `PAYMENT-RESPONSE`.',
      schema: { type: 'string', maxLength: 8192 },
    },
  },
};

/** The whole document, or a part of it that stands alone. */
export interface ApiDocument extends Json {
  paths: Record<string, Json>;
  /** What the service sends, by the type of the event. */
  webhooks?: Json;
  components: Record<string, Json>;
}

/** Builds the OpenAPI 3.1 document of the endpoint table. */
export function openApiDocument(endpoints: readonly Endpoint[], baseUrl: string): ApiDocument {
  const paths: Record<string, Json> = {};
  const names = createSchemaNames();
  for (const endpoint of endpoints) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation(endpoint, names) };
  }
  shareRepeats(paths, names);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Signet',
      version: API_VERSION,
      summary: 'An identity that AI agents own.',
      description:
        'Keys without personal data, real email inboxes, an event log and an audit log behind one API. Ignore fields of a reply that you do not know. Every operation also has the parameters that `x-methods` lists for its method. `x-error-codes` lists the codes by status.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    security: [{ bearer: [] }],
    tags: [...new Set(endpoints.map(({ tag }) => tag))].map((name) => ({ name })),
    'x-methods': METHOD_DEFAULTS,
    'x-error-groups': ERROR_GROUPS,
    'x-error-codes': errorTable(),
    paths,
    webhooks: webhooksSpec(),
    components: {
      ...components,
      parameters: { ...components.parameters, ...names.parameters },
      responses: { Error: ERROR_RESPONSE },
      schemas: { ...ERROR_SCHEMAS, ...WEBHOOK_SCHEMAS, ...names.schemas },
    },
  };
}

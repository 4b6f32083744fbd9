import type { TSchema } from 'typebox';
import type { Endpoint } from '../kernel/endpoint.ts';
import { ERRORS, type ErrorCode } from '../kernel/errors.ts';
import { API_VERSION } from '../kernel/version.ts';
import { createSchemaNames, ERROR_SCHEMAS, errorResponses, type SchemaNames } from './openapi-schemas.ts';

/** The old name of {@link API_VERSION}. */
export const SERVICE_VERSION = API_VERSION;

/**
 * Lists the error codes of an endpoint: those it declares, and those that follow from its method, auth and other
 * fields.
 */
export function errorsOf(endpoint: Endpoint): ErrorCode[] {
  const codes = new Set<ErrorCode>(endpoint.errors);
  if (endpoint.auth !== 'none')
    for (const code of ['unauthorized', 'account_suspended', 'pod_suspended', 'rate_limited'] as const) codes.add(code);
  if (endpoint.auth !== 'none' && endpoint.auth !== 'backup') codes.add('backup_key_only_activates');
  if (endpoint.auth === 'platform') codes.add('pod_auth_forbidden');
  const takesInput = endpoint.method !== 'GET' || endpoint.query !== undefined || endpoint.params !== undefined;
  if (takesInput) codes.add('invalid_request');
  if (endpoint.anyBody) {
    for (const code of ['body_too_large', 'unsupported_media_type'] as const) codes.add(code);
  } else if (endpoint.method !== 'GET')
    for (const code of ['invalid_json', 'body_too_large', 'unsupported_media_type'] as const) codes.add(code);
  if (endpoint.method === 'POST' || endpoint.method === 'PUT') {
    for (const code of ['idempotency_mismatch', 'idempotency_in_progress', 'idempotency_secret_spent'] as const)
      codes.add(code);
  }
  if (endpoint.payable)
    for (const code of ['payment_required', 'payment_invalid', 'payment_unavailable'] as const) codes.add(code);
  // An endpoint with its own 503 reply describes it itself.
  if (!(503 in endpoint.replies)) codes.add('storage_unavailable');
  return [...codes];
}

function parameters(endpoint: Endpoint, names: SchemaNames): unknown[] {
  const of = (schema: Endpoint['query'], place: 'query' | 'path') =>
    Object.entries(schema?.properties ?? {}).map(([name, property]) => {
      const required = place === 'path' || ((schema?.required ?? []) as string[]).includes(name);
      return names.placeParameter({ name, in: place, required, schema: property });
    });
  const list: unknown[] = [
    ...of(endpoint.params, 'path'),
    ...of(endpoint.query, 'query'),
    { $ref: '#/components/parameters/verbose' },
  ];
  if (endpoint.method === 'POST' || endpoint.method === 'PUT')
    list.push({ $ref: '#/components/parameters/idempotencyKey' });
  if (endpoint.payable)
    for (const name of ['payment', 'paymentSignature']) list.push({ $ref: `#/components/parameters/${name}` });
  return list;
}

/** References to the shared error responses, one per status. */
const errorReplies = (codes: readonly ErrorCode[]): Record<string, unknown> =>
  Object.fromEntries(
    codes.map((code) => ERRORS[code].status).map((status) => [status, { $ref: `#/components/responses/${status}` }]),
  );

function replySpec(status: string, schema: TSchema, names: SchemaNames): unknown {
  const { contentMediaType } = schema as { contentMediaType?: string };
  const description =
    (schema as { description?: string }).description ?? (Number(status) < 300 ? 'Success.' : 'See Location.');
  if ((schema as { type?: string }).type === 'null') return { description };
  return { description, content: { [contentMediaType ?? 'application/json']: { schema: names.place(schema) } } };
}

function operation(endpoint: Endpoint, names: SchemaNames): unknown {
  const codes = errorsOf(endpoint);
  const success = Object.entries(endpoint.replies).map(([status, schema]) => [
    status,
    replySpec(status, schema, names),
  ]);
  return {
    operationId: endpoint.operation,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    ...(endpoint.description ? { description: endpoint.description } : {}),
    security: endpoint.auth === 'none' ? [] : [{ bearer: [] }],
    parameters: parameters(endpoint, names),
    ...(endpoint.body
      ? {
          requestBody: {
            required: ((endpoint.body as { required?: string[] }).required ?? []).length > 0,
            content: Object.fromEntries(
              ['application/json', ...(endpoint.form ? ['application/x-www-form-urlencoded'] : [])].map((type) => [
                type,
                { schema: names.place(endpoint.body) },
              ]),
            ),
          },
        }
      : {}),
    responses: { ...errorReplies(codes), ...Object.fromEntries(success) },
    'x-errors': codes,
  };
}

const components = {
  securitySchemes: {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: 'An API key (`signet_live_…`, `signet_pod_…`) or a session token (`session_…`).',
    },
  },
  parameters: {
    verbose: {
      name: 'verbose',
      in: 'query',
      required: false,
      description: '`false` removes fields for people (marked `x-guidance`) from the reply.',
      schema: { type: 'string', enum: ['true', 'false'] },
    },
    idempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'A repeat of the request with the same key within 24 hours gets the first reply and changes nothing.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    },
    payment: {
      name: 'X-PAYMENT',
      in: 'header',
      required: false,
      description:
        'A payment (x402 version 1) for a request over a limit: base64 of a payment for one of `accepts` in the 402. The reply then has `X-PAYMENT-RESPONSE`.',
      schema: { type: 'string', maxLength: 8192 },
    },
    paymentSignature: {
      name: 'PAYMENT-SIGNATURE',
      in: 'header',
      required: false,
      description:
        'A payment (x402 version 2) for the terms in `PAYMENT-REQUIRED` of the 402. The reply then has `PAYMENT-RESPONSE`.',
      schema: { type: 'string', maxLength: 8192 },
    },
  },
};

/** Builds the OpenAPI 3.1 document of the endpoint table. */
export function openApiDocument(endpoints: readonly Endpoint[], baseUrl: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  const names = createSchemaNames();
  for (const endpoint of endpoints) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation(endpoint, names) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Signet',
      version: API_VERSION,
      summary: 'An identity that AI agents own.',
      description: 'Keys without personal data, real e-mail inboxes, an event log and an audit log behind one API.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    tags: [...new Set(endpoints.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      ...components,
      parameters: { ...components.parameters, ...names.parameters },
      responses: errorResponses(),
      schemas: { ...ERROR_SCHEMAS, ...names.schemas },
    },
  };
}

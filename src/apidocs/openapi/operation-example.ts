import type { Endpoint } from '../../api/endpoint.ts';

/** A valid request of each operation for the documentation, from the examples in the schemas of its fields. */

export interface OperationExample {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  /** Undefined if the operation takes no body, or needs none. */
  body: unknown;
}

interface Node {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Node[];
  else?: Node;
  default?: unknown;
  examples?: unknown[];
  format?: string;
  minLength?: number;
  minimum?: number;
  minItems?: number;
  items?: Node;
  properties?: Record<string, Node>;
  required?: string[];
}

/** What fields hold whose schema gives no example, by operation and field or by field. */
const VALUES: Readonly<Record<string, unknown>> = {
  'changeNamedKey.name': 'my helper',
  'confirmPerson.token': 'TOKEN',
  'register.name': 'my agent',
  'updateCalendarEvent.summary': 'Review',
  'updateEventWebhook.events': ['email.received'],
  'updateProfile.name': 'Ada',
  'viewConfirmation.token': 'TOKEN',
  'waitForMail.code': 'true',
  'waitForMail.wait': 60,
  recovery_email: 'ada@example.com',
  address: 'ada@example.com',
  agentId: 'acc_01kabcdefghjkmnpqrstvwxyz0',
  amount: '3.00',
  'charge.description': 'search API',
  'claimAddress.address': 'ada',
  code: 'K7QD-M2XP',
  'createDraft.text': 'Are you there?',
  decision: 'approve',
  email: 'ada@example.com',
  'createEventWebhook.events': ['email.received'],
  expires_at: '2099-01-14T12:00:00Z',
  'getAsset.name': 'client.js',
  'createNamedKey.scopes': ['mail:read'],
  from: 'ada@example.com',
  n: 0,
  name: 'ada',
  'sendEmail.text': 'Are you there?',
  'sendFromInbox.body': 'Are you there?',
  'replyToMessage.text': 'Yes.',
  'replyToAll.text': 'Yes.',
  'setBudget.daily': '5.00',
  'setBudget.on_limit': 'approve',
  scopes: ['mail:read'],
  subject: 'Hello',
  to: 'grace@example.com',
  url: 'https://example.com/hooks',
  'updateAddress.display_name': 'Ada',
};

const FORMATS: Record<string, string> = { 'date-time': '2026-01-14T12:00:00Z', email: 'ada@example.com' };

/** An id or token that only the caller knows: `webhook_id` is `WEBHOOK_ID`. */
const placeholder = (name: string): string => name.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase();

class ExampleValues {
  readonly #operation: string;

  constructor(operation: string) {
    this.#operation = operation;
  }

  #chosen(name: string): unknown {
    return VALUES[`${this.#operation}.${name}`];
  }

  /** The simplest value of a field. */
  field(name: string, node: Node): unknown {
    const given = this.#chosen(name) ?? node.examples?.[0] ?? node.const ?? VALUES[name];
    if (given !== undefined && (node.enum === undefined || node.enum.includes(given))) return given;
    return this.#plain(name, node);
  }

  #plain(name: string, node: Node): unknown {
    const given = node.default ?? node.enum?.[0];
    if (given !== undefined) return given;
    if (node.anyOf) return this.field(name, node.anyOf[0] as Node);
    switch ([node.type].flat()[0]) {
      case 'string':
        return FORMATS[node.format ?? ''] ?? placeholder(name).padEnd(node.minLength ?? 0, '_');
      case 'integer':
      case 'number':
        return node.minimum ?? 1;
      case 'boolean':
        return true;
      case 'array':
        return Array.from({ length: node.minItems ?? 0 }, () => this.field(name, node.items ?? {}));
      case 'object':
        return this.object(node);
      default:
        return null;
    }
  }

  /** The required fields of an object, and those that {@link VALUES} names for the operation. */
  object(node: Node): Record<string, unknown> {
    const required = new Set(node.required ?? []);
    const shown = Object.entries(node.properties ?? {}).filter(
      ([name]) => required.has(name) || this.#chosen(name) !== undefined,
    );
    return Object.fromEntries(shown.map(([name, field]) => [name, this.field(name, field)]));
  }
}

/** Makes the example of an operation: its required fields, and those without which it would do nothing. */
export function exampleOf({ operation, params, query, body, method }: Endpoint): OperationExample {
  const values = new ExampleValues(operation);
  const objectOf = (schema: unknown) => values.object((schema ?? {}) as Node);
  const node = body as Node | undefined;
  const whole = node && node.type === undefined && node.else ? node.else : node;
  const given = whole === undefined || method === 'GET' ? undefined : objectOf(whole);
  const isEmpty = given !== undefined && Object.keys(given).length === 0 && (whole?.required ?? []).length === 0;
  return { params: objectOf(params), query: objectOf(query), body: isEmpty ? undefined : given };
}

const query = (values: Record<string, unknown>): string => {
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) asked.set(name, String(value));
  return asked.size === 0 ? '' : `?${asked.toString().replaceAll('%40', '@')}`;
};

/** The path of an example with its query. */
const pathOf = (path: string, { params, query: asked }: OperationExample): string =>
  path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(String(params[name])).replaceAll('%40', '@')) +
  query(asked);

/** The example as a command for a shell in which `KEY` holds an API key. */
export function curlExample(endpoint: Endpoint, baseUrl: string): string {
  const { method, path, auth } = endpoint;
  const example = exampleOf(endpoint);
  const plain = example.body === undefined ? 'GET' : 'POST';
  const url = `${baseUrl}${pathOf(path, example)}`;
  return [
    `curl ${method === plain ? '' : `-X ${method} `}${url.includes('?') ? `'${url}'` : url}`,
    ...(auth === 'none' ? [] : ['-H "authorization: Bearer $KEY"']),
    ...(example.body === undefined
      ? []
      : ["-H 'content-type: application/json'", `-d '${JSON.stringify(example.body).replaceAll("'", "'\\''")}'`]),
  ].join(' \\\n  ');
}

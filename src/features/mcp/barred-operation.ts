import type { Endpoint } from '../../api/endpoint.ts';

/** The pages of the console on which a person does what models may not. By tag, and by the first path that fits. */
const BY_PATH: readonly [start: RegExp, page: string][] = [
  [/^\/v1\/(auth|account)\/(keys|sessions?|grants)\b|^\/v1\/keys$|^\/oauth\/|^\/v1\/passkeys/, 'keys'],
  [/^\/v1\/(budget|approvals)/, 'money'],
  [/^\/v1\/vault/, 'vault'],
  [/^\/v1\/credentials|^\/v1\/operator\/agents/, 'home'],
  [/^\/v1\/email\/webhooks|^\/v1\/webhooks/, 'webhooks'],
  [/^\/v1\/email\/(reviews|quarantine|messages|policy)/, 'mail'],
  [/^\/v1\/calendar/, 'calendar'],
  [/^\/v1\/pods/, 'pods'],
  [/^\/v1\/(delegations|agents|programs|findings|tokens)/, 'identity'],
  [/^\/v1\/(events|ws|operator\/events)/, 'activity'],
];

/** The page on which a person does what an operation does. */
export function personPage({ path }: Endpoint, baseUrl: string): string {
  const page = BY_PATH.find(([start]) => start.test(path))?.[1] ?? 'settings';
  return `${baseUrl}/dashboard#/${page}`;
}

/** What a model hears that asks for an operation which is not for models. */
export function barredMessage(endpoint: Endpoint, baseUrl: string): string {
  const { tools = [], replies } = endpoint;
  const [tool] = tools;
  if (tool !== undefined) return `Use the tool ${tool.name} for this.`;
  if (endpoint.operation === 'getAttachment')
    return 'Files are not shown here: read_mail links them, and resources/read gets them.';
  const isFile = Object.values(replies).some((schema) => 'contentMediaType' in schema);
  if (isFile && endpoint.auth === 'none')
    return `A tool cannot show what this answers. Get it over HTTP: ${endpoint.method} ${baseUrl}${endpoint.path}.`;
  return `This operation is not for models. A person does it at ${personPage(endpoint, baseUrl)}.`;
}

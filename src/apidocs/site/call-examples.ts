import type { Endpoint } from '../../api/endpoint.ts';
import { OPERATIONS } from '../../client/generated/operations.ts';
import { PACKAGE_NAME } from '../../client/package-name.ts';
import { curlExample, exampleOf } from '../openapi/operation-example.ts';
import { fenced } from '../pages/operation-page.ts';

/** The same call by HTTP and in the three clients. */

/** Where a client has an operation: `email.send`. */
type Name = readonly [group: string, method: string];

/** The service that an example calls, and whether it needs a key for that. */
interface Service {
  baseUrl: string;
  hasKey: boolean;
}

/** Absent: the clients do not call it. */
const NAMES: ReadonlyMap<string, Name> = new Map(
  Object.entries(OPERATIONS).map(([operation, { group, name }]) => [operation, [group, name]]),
);

/** Whether the clients have an operation. */
export const hasClient = (operation: string): boolean => NAMES.has(operation);

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
/** Names of fields and methods that are words of Python. */
const PYTHON_WORDS = new Set(['from', 'import', 'in', 'is', 'not', 'pass', 'raise', 'return', 'with', 'class']);
const pythonName = (name: string): string => (PYTHON_WORDS.has(name) ? `${name}_` : name);

const pythonValue = (value: unknown): string => {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(', ')}]`;
  if (typeof value === 'object')
    return `{${Object.entries(value)
      .map(([name, field]) => `${JSON.stringify(name)}: ${pythonValue(field)}`)
      .join(', ')}}`;
  return JSON.stringify(value);
};

const scriptValue = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(scriptValue).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(([name, field]) => `${scriptName(name)}: ${scriptValue(field)}`);
    return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
  }
  return typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : String(value);
};
const scriptName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`);

/** The fields of path, query and body together, as the clients take them. */
function inputOf(endpoint: Endpoint): Record<string, unknown> {
  const { params, query, body } = exampleOf(endpoint);
  const isWhole = endpoint.body !== undefined && !('type' in endpoint.body);
  return { ...params, ...query, ...(isWhole ? { body } : (body as Record<string, unknown> | undefined)) };
}

/** An agent has its key in the environment, so that no program holds it. */
function typescript([group, method]: Name, input: Record<string, unknown>, { baseUrl, hasKey }: Service): string {
  const given = Object.keys(input).length === 0 ? '' : scriptValue(input);
  const key = hasKey ? ', key: process.env.SIGNET_KEY' : '';
  return [
    `import { SignetClient } from '${PACKAGE_NAME}';`,
    '',
    `const signet = new SignetClient({ baseUrl: '${baseUrl}'${key} });`,
    `const reply = await signet.${group}.${method}(${given});`,
  ].join('\n');
}

function python([group, method]: Name, input: Record<string, unknown>, { baseUrl, hasKey }: Service): string {
  const named = Object.entries(input).map(([name, value]) => `${pythonName(name)}=${pythonValue(value)}`);
  const key = hasKey ? ', key=os.environ["SIGNET_KEY"]' : '';
  return [
    ...(hasKey ? ['import os', ''] : []),
    'from signet_client import Signet',
    '',
    `signet = Signet(base_url="${baseUrl}"${key})`,
    `reply = signet.${snake(group)}.${pythonName(snake(method))}(${named.join(', ')})`,
  ].join('\n');
}

const quoted = (text: string): string => (/^[\w@./:+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

function commandLine(operation: string, input: Record<string, unknown>, { baseUrl }: Service): string {
  const options = Object.entries(input).flatMap(([name, value]) => {
    const option = `--${name}`;
    if (value === true) return [option];
    const isTexts = Array.isArray(value) && value.every((one) => typeof one === 'string');
    if (isTexts) return value.map((one: string) => `${option} ${quoted(one)}`);
    return [`${option} ${quoted(typeof value === 'string' ? value : JSON.stringify(value))}`];
  });
  return `export SIGNET_URL=${baseUrl}\n${['signet call', operation, ...options].join(' ')}`;
}

/** The example of an operation by curl, and in every client that has it, as Markdown. */
export function callExamples(endpoint: Endpoint, baseUrl: string): string {
  const blocks = [fenced('sh', curlExample(endpoint, baseUrl))];
  const name = NAMES.get(endpoint.operation);
  if (name) {
    const input = inputOf(endpoint);
    const service = { baseUrl, hasKey: endpoint.auth !== 'none' };
    blocks.push(fenced('ts', typescript(name, input, service)), fenced('python', python(name, input, service)));
    blocks.push(fenced('cli', commandLine(endpoint.operation, input, service)));
  }
  return blocks.join('\n\n');
}

import type { Endpoint } from '../src/api/endpoint.ts';
import { EVENT_TYPES, EVENTS } from '../src/api/events.ts';
import { comment, inputOf, isCallable, pascal, type Schema, schemaOf, typeOf } from './client-source.ts';
import { methodNames } from './method-names.ts';

/** Writes src/client/generated/methods.ts: the methods by group (`signet.email.send`), and the type of each event. */

export const ownFieldOf = (endpoint: Endpoint): 'address' | 'from' | undefined => {
  const { path, method, query, body } = endpoint;
  if (!path.startsWith('/v1/email/')) return undefined;
  if (schemaOf(query).required?.includes('address')) return 'address';
  return method === 'POST' && schemaOf(body).required?.includes('from') ? 'from' : undefined;
};

function methodOf(endpoint: Endpoint, method: string): string {
  const name = pascal(endpoint.operation);
  const own = ownFieldOf(endpoint);
  const input = own === undefined ? `${name}Input` : `Defaulted<${name}Input, '${own}'>`;
  const isOptional = (inputOf(endpoint).required ?? []).every((field) => field === own);
  const text = `${endpoint.summary}: \`${endpoint.method} ${endpoint.path}\`, as \`${endpoint.operation}\`.`;
  const listed = endpoint.operation === 'listEvents' ? 'EventPage' : `${name}Reply`;
  return `${comment(text, '  ')}  ${method}(input${isOptional ? '?' : ''}: ${input}, options?: CallOptions): Promise<${listed}>;\n`;
}

/** The fields of `data` of each event type. */
function eventTypes(): string {
  const rows = EVENT_TYPES.map((type) => {
    const { summary, data } = EVENTS[type];
    const shape = typeOf(data as Schema, '  ', { isReply: true });
    return `${comment(summary, '  ')}  '${type}': ${shape};\n`;
  });
  return rows.join('');
}

const HEADER = `// Made from the endpoint table by \`npm run generate\`: change the endpoint, not this file.
import type { CallOptions } from '../operation.ts';
`;

/** Which field of a call takes the only address of the caller, when it is left out. */
function ownFields(endpoints: readonly Endpoint[]): string {
  const rows = endpoints.flatMap((endpoint) => {
    const own = ownFieldOf(endpoint);
    return own ? [`  ${endpoint.operation}: '${own}',\n`] : [];
  });
  return `{\n${rows.join('')}}`;
}

/** Builds the text of src/client/generated/methods.ts from a table. */
export function methodSource(endpoints: readonly Endpoint[]): string {
  const all = endpoints.filter(isCallable);
  const names = methodNames(all);
  const groups = new Map<string, { endpoint: Endpoint; method: string }[]>();
  for (const endpoint of all) {
    const { group, method } = names.get(endpoint.operation) as { group: string; method: string };
    groups.set(group, [...(groups.get(group) ?? []), { endpoint, method }]);
  }
  const entries = [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
  const types = all.flatMap(({ operation }) => [`${pascal(operation)}Input`, `${pascal(operation)}Reply`]);
  return [
    HEADER,
    `import {\n${[...types, 'OperationName'].map((type) => `  type ${type},\n`).join('')}  Operations,\n} from './operations.ts';\n`,
    `\n/** The fields of each event's \`data\`. */\nexport interface EventData {\n${eventTypes()}}\n`,
    '\n/** An event of the log, told apart by `type`. It is the same by webhook, WebSocket, stream and `GET /v1/events`. */\n',
    'export type SignetEvent = {\n  [Type in keyof EventData]: {\n    /** Also a cursor. */\n    id: string;\n    type: Type;\n    created_at: string;\n    data: EventData[Type];\n  };\n}[keyof EventData];\n',
    "\n/** A page of events. */\nexport type EventPage = Omit<ListEventsReply, 'events'> & { events: SignetEvent[] };\n",
    '\n/** An input that may leave out a field: the client fills in the only address of the account. */\n',
    'type Defaulted<Input, Field extends keyof Input> = Omit<Input, Field> & { [Name in Field]?: Input[Name] | undefined };\n',
    ...entries.map(
      ([group, methods]) =>
        `\nexport interface ${pascal(group)}Methods {\n${methods.map(({ endpoint, method }) => methodOf(endpoint, method)).join('\n')}}\n`,
    ),
    '\n/** Every operation, by group and method. */\nexport interface MethodGroups {\n',
    ...entries.map(([group]) => `  ${group}: ${pascal(group)}Methods;\n`),
    '}\n',
    '\nexport const METHODS = {\n',
    ...entries.map(
      ([group, methods]) =>
        `  ${group}: {\n${methods.map(({ endpoint, method }) => `    ${method}: '${endpoint.operation}',\n`).join('')}  },\n`,
    ),
    '} as const satisfies Record<keyof MethodGroups, Record<string, OperationName>>;\n',
    `\n/** The field that takes the only address of the account, when it is left out. */\nexport const OWN_ADDRESS: Readonly<Partial<Record<OperationName, 'address' | 'from'>>> = ${ownFields(all)};\n`,
    '\n/** Every operation as a method, and the groups of methods as properties. */\nexport abstract class Methods extends Operations {\n',
    '  protected abstract group<Name extends keyof MethodGroups>(name: Name): MethodGroups[Name];\n',
    ...entries.map(
      ([group]) => `\n  get ${group}(): ${pascal(group)}Methods {\n    return this.group('${group}');\n  }\n`,
    ),
    '}\n',
  ].join('');
}

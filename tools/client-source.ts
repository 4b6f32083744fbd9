import type { Endpoint } from '../src/api/endpoint.ts';
import { ERRORS } from '../src/api/errors.ts';
import { EVENT_TYPES, EVENTS } from '../src/api/events.ts';
import { type ClientOperation, clientOperations, groupsOf, pascal, type Schema } from './client-operation.ts';
import { FORMER_GROUPS } from './method-names.ts';
import { type Field, isTimeText, SchemaTypes, type Side, words } from './schema-types.ts';

/** Writes src/client/generated/operations.ts from the endpoint table, so that the client always matches the service. */

const HEADER = `// Made from the endpoint table by \`npm run generate\`: change the endpoint, not this file.
import type { AttachedFile, CallOptions, Operation } from '../operation.ts';
`;

/** A comment before a declaration. Its text cannot end it. */
function comment(text: string | undefined, indent: string): string {
  if (!text) return '';
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  return lines.length === 1
    ? `${indent}/** ${lines[0]} */\n`
    : `${indent}/**\n${lines.map((line) => `${indent} *${line ? ` ${line}` : ''}\n`).join('')}${indent} */\n`;
}

const LINE_CHARS = 100;

/** The type of an object: on one line, where that can be read. */
function objectType(fields: readonly Field[], side: Side, indent: string): string {
  if (fields.length === 0) return 'Record<string, never>';
  const typed = fields.map(({ name, type, isOptional, description: said, isDeprecated }) => {
    const description = isDeprecated ? `@deprecated ${said}` : said;
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    // An optional field may also be undefined, which is easier for callers that build objects.
    const orUndefined = isOptional && side === 'input' ? ' | undefined' : '';
    return { description, text: `${key}${isOptional ? '?' : ''}: ${type}${orUndefined};` };
  });
  const line = `{ ${typed.map(({ text }) => text).join(' ')} }`.replace(/; }$/, ' }');
  const isPlain = typed.every(({ description, text }) => !description && !text.includes('{'));
  if (isPlain && line.length <= LINE_CHARS) return line;
  const inner = `${indent}  `;
  return `{\n${typed.map(({ description, text }) => `${comment(description, inner)}${inner}${text}\n`).join('')}${indent}}`;
}

class TypeScriptTypes extends SchemaTypes {
  protected readonly simple = {
    string: 'string',
    integer: 'number',
    number: 'number',
    boolean: 'boolean',
    null: 'null',
  };
  protected readonly unknown = 'unknown';
  protected literal = (value: unknown): string => JSON.stringify(value);
  protected union = (types: readonly string[]): string => [...new Set(types)].join(' | ');
  protected list = (item: string): string =>
    item.replaceAll(/\{[^{}]*\}/g, '').includes(' | ') ? `(${item})[]` : `${item}[]`;
  protected map = (value: string): string => `Record<string, ${value}>`;
  protected alias = (name: string, type: string): string => `export type ${name} = ${type};\n`;

  /** A time may be a `Date`, an attachment a file or bytes. */
  override typeOf(schema: Schema, side: Side, name: string): string {
    if (side === 'input' && schema['x-name'] === 'Attachments') return 'AttachedFile[]';
    const isTime = side === 'input' && schema.type === 'string' && isTimeText(schema);
    return isTime ? 'string | Date' : super.typeOf(schema, side, name);
  }

  protected object(fields: readonly Field[], side: Side, name: string, isNamed: boolean): string {
    const text = objectType(fields, side, '');
    return isNamed || text.includes('\n') ? this.declare(name, text, (free) => this.alias(free, text), isNamed) : text;
  }
}

/** What is not JSON, as a type. */
const NOT_JSON = { bytes: 'Uint8Array<ArrayBuffer>', text: 'string', location: '{ location: string }' } as const;

/** The types of input and reply of an operation, and those that they need. */
function typesOf(types: TypeScriptTypes, operation: ClientOperation): string {
  const { type, input, reply } = operation;
  types.declareAs(`${type}Input`, types.typeOf(input, 'input', `${type}Input`));
  if (reply === 'json') types.declareReply(operation);
  else types.declareAs(`${type}Reply`, NOT_JSON[reply]);
  return `\n${types.take().join('')}`;
}

/** The fields of `data` of each event type. */
function eventTypes(types: TypeScriptTypes): string {
  const rows = EVENT_TYPES.map((type) => {
    const { summary, data } = EVENTS[type];
    const fields = types.fieldsOf(data as Schema, 'reply', `${words(type)}Data`);
    return `${comment(summary, '  ')}  '${type}': ${objectType(fields, 'reply', '  ')};\n`;
  });
  const declared = types.take().map((text) => `\n${text}`);
  return `${declared.join('')}\n/** The fields of each event's \`data\`. */\nexport interface EventData {\n${rows.join('')}}\n`;
}

const EVENT = `
/** An event of the log, told apart by \`type\`. It is the same by webhook, WebSocket, stream and \`GET /v1/events\`. */
export type SignetEvent = {
  [Type in keyof EventData]: {
    /** Also a cursor. */
    id: string;
    type: Type;
    created_at: string;
    data: EventData[Type];
  };
}[keyof EventData];

/** A page of events. */
export type EventPage = Omit<ListEventsReply, 'events'> & { events: SignetEvent[] };
`;

function rowOf(operation: ClientOperation): string {
  const { endpoint, repeatable, query, body, reply, own, group, method: name, formerly } = operation;
  const { method, path } = endpoint;
  const page = operation.page && {
    items: operation.page.items,
    cursor: operation.page.cursor,
    next: operation.page.next,
  };
  const former = formerly.length > 0 ? formerly : undefined;
  const row = { method, path, repeatable, query, body, reply, page, own, group, name, former };
  return `  ${endpoint.operation}: ${JSON.stringify(row)},\n`;
}

const isOptional = ({ input, own }: ClientOperation, filled: boolean): boolean =>
  (input.required ?? []).every((field) => filled && field === own);

/** A method by its operation's name, with the whole text. */
function methodOf(operation: ClientOperation): string {
  const { endpoint, type, errors } = operation;
  const { operation: name, method, path, summary, description } = endpoint;
  const text = [`${summary}: \`${method} ${path}\``, ...(description ? ['', description] : [])];
  text.push(`@throws {SignetError} ${errors.map((code) => `\`${code}\``).join(', ')}`);
  const input = `input${isOptional(operation, false) ? '?' : ''}: ${type}Input`;
  return `\n${comment(text.join('\n'), '  ')}  ${name}(${input}, options?: CallOptions): Promise<${type}Reply>;\n`;
}

/** A method in its group, and under the names that it had before. */
function groupedOf(operation: ClientOperation, group: string): string {
  const { endpoint, type, method: name, own, page, formerly } = operation;
  const { method, path, summary, operation: flat } = endpoint;
  const input = own === undefined ? `${type}Input` : `Defaulted<${type}Input, '${own}'>`;
  const reply = flat === 'listEvents' ? 'EventPage' : `${type}Reply`;
  const optional = isOptional(operation, true) ? '?' : '';
  const entry = flat === 'listEvents' ? 'SignetEvent' : `PagedItems['${flat}']`;
  const text = comment(`${summary}: \`${method} ${path}\`, as \`${flat}\`.`, '  ');
  const call = `(input${optional}: ${input}, options?: CallOptions): Promise<${reply}>`;
  const listed = `{ ${call}; iter(input${optional}: ${input}, options?: CallOptions): AsyncGenerator<${entry}, void, undefined> }`;
  const former = formerly.map(
    (earlier) =>
      `  /** @deprecated The earlier name of \`${name}\`. */\n  ${earlier}: ${pascal(group)}Methods['${name}'];\n`,
  );
  return `${text}  ${page ? `${name}: ${listed}` : `${name}${call}`};\n${former.join('')}`;
}

/** The groups as properties, also under the names that they had before. */
function groupGetter(group: string): string {
  const former = FORMER_GROUPS[group];
  const getter = (name: string, about = '') =>
    `\n${about}  get ${name}(): ${pascal(group)}Methods {\n    return this.group('${group}');\n  }\n`;
  const about = `  /** @deprecated The earlier name of \`${group}\`. */\n`;
  return getter(group) + (former ? getter(former, about) : '');
}

const INSTALL = `
// Each method is the same call under another name, so it is made from its row.
for (const name of Object.keys(OPERATIONS) as OperationName[])
  Object.defineProperty(Operations.prototype, name, {
    configurable: true,
    writable: true,
    value(this: { perform(name: OperationName, input: object, options?: CallOptions): unknown }, input = {}, options?: CallOptions) {
      return this.perform(name, input, options);
    },
  });
`;

/** Builds the text of src/client/generated/operations.ts from a table. */
export function clientSource(endpoints: readonly Endpoint[]): string {
  const all = clientOperations(endpoints);
  const groups = groupsOf(all);
  const types = new TypeScriptTypes();
  const paged = all.flatMap(({ endpoint, type, page }) =>
    page ? [`  ${endpoint.operation}: ${type}Reply['${page.items}'][number];\n`] : [],
  );
  return [
    HEADER,
    ...all.map((operation) => typesOf(types, operation)),
    `\n/** Every error code of the service. */\nexport type SignetErrorCode =\n${Object.keys(ERRORS)
      .map((code) => `  | '${code}'`)
      .join('\n')};\n`,
    eventTypes(types),
    EVENT,
    `\nexport const OPERATIONS = {\n${all.map(rowOf).join('')}} as const satisfies Record<string, Operation>;\n`,
    '\nexport type OperationName = keyof typeof OPERATIONS;\n',
    '\n/** The input and output of each operation. */\n',
    'export type OperationTypes = {\n  [Name in OperationName]: {\n    input: NonNullable<Parameters<Operations[Name]>[0]>;\n    reply: Awaited<ReturnType<Operations[Name]>>;\n  };\n};\n',
    `\n/** The entries of lists with pages. */\nexport interface PagedItems {\n${paged.join('')}}\n`,
    '\n/** An input that may leave out a field: the client fills in the only address of the account. */\n',
    'type Defaulted<Input, Field extends keyof Input> = Omit<Input, Field> & { [Name in Field]?: Input[Name] | undefined };\n',
    ...groups.map(
      ([group, operations]) =>
        `\nexport interface ${pascal(group)}Methods {\n${operations.map((operation) => groupedOf(operation, group)).join('')}}\n`,
    ),
    '\n/** Every operation, by group and method. */\nexport interface MethodGroups {\n',
    ...groups.map(([group]) => `  ${group}: ${pascal(group)}Methods;\n`),
    '}\n',
    '\n/** Every operation as a method. */\nexport interface Operations {\n',
    ...all.map(methodOf),
    '}\n',
    '\n/** Every operation as a method, and the groups of methods as properties. */\n',
    'export abstract class Operations {\n',
    '  protected abstract perform(name: OperationName, input: object, options?: CallOptions): Promise<unknown>;\n',
    '  protected abstract group<Name extends keyof MethodGroups>(name: Name): MethodGroups[Name];\n',
    ...groups.map(([group]) => groupGetter(group)),
    '}\n',
    INSTALL,
  ].join('');
}

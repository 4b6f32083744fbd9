import type { Endpoint } from '../../api/endpoint.ts';
import { ERRORS } from '../../api/errors.ts';
import { type ApiDocument, errorsOf } from '../openapi/openapi-document.ts';
import { apiPart, firstThatFits } from '../openapi/openapi-parts.ts';
import type { Json } from '../openapi/openapi-schemas.ts';
import { curlExample } from '../openapi/operation-example.ts';
import { type Field, type OperationShape, readShape } from './operation-shape.ts';

/** One operation of the OpenAPI document as Markdown, for agents that read pages rather than schemas. */

/** The most bytes of a page. */
const PAGE_BYTES = 6 * 1024;

/** How much a page says of its reply: everything, no descriptions, or only the first level. */
type Depth = 'full' | 'terse' | 'shallow';

/** The lines of fields, each indented below the one that it is part of. */
class FieldLines {
  readonly lines: string[] = [];

  add(fields: readonly Field[], depth: Depth, level = 0): void {
    for (const field of fields) this.one(field, field.isRequired ? 'required' : '', depth, level);
  }

  one({ name, type, isDeprecated, description, fields }: Field, mark: string, depth: Depth, level: number): void {
    const about = [type, mark, isDeprecated ? 'deprecated' : ''].filter(Boolean).join(', ');
    const said = depth === 'full' && description !== '' ? `: ${description}` : '';
    const [begin, rest] = [`${'  '.repeat(level)}- `, ` (${about})${said}`];
    const last = this.lines.at(-1) ?? '';
    // Neighbours of which the same is said share a line.
    if (said && last.startsWith(begin) && last.endsWith(rest))
      this.lines.splice(-1, 1, `${last.slice(0, -rest.length)}, \`${name}\`${rest}`);
    else this.lines.push(`${begin}\`${name}\`${rest}`);
    if (depth !== 'shallow') this.add(fields, depth, level + 1);
  }
}

function shapeLines({ parameters, body, replies }: OperationShape, depth: Depth): string[] {
  const of = (title: string, add: (lines: FieldLines) => void): string[] => {
    const fields = new FieldLines();
    add(fields);
    return [`## ${title}`, '', ...fields.lines, ''];
  };
  const places = (lines: FieldLines): void => {
    for (const one of parameters) lines.one(one, `${one.place}${one.isRequired ? ', required' : ''}`, 'full', 0);
  };
  return [
    ...(parameters.length === 0 ? [] : of('Parameters', places)),
    ...(body === null ? [] : of('Body, as JSON', (lines) => lines.add(body, 'full'))),
    ...replies.flatMap(({ status, type, fields }) =>
      type === 'application/json'
        ? of(`Reply ${status}`, (lines) => lines.add(fields, depth))
        : [`## Reply ${status}`, '', type === null ? 'No body.' : `\`${type}\``, ''],
    ),
  ];
}

/** A block of code in Markdown. */
export const fenced = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``;

/** The start of the page of an operation: what it is, and its examples. @param examples as Markdown */
export function operationHead(endpoint: Endpoint, baseUrl: string, examples: string): string {
  const { method, path, operation, summary, description, scope, auth } = endpoint;
  const needs = auth === 'none' ? 'No credential.' : `Scope: \`${scope}\`.`;
  return [
    ...[`# ${summary}`, '', `\`${method} ${baseUrl}${path}\` (\`${operation}\`). ${needs}`, ''],
    ...(description ? [description, ''] : []),
    ...['## Example', '', examples, ''],
  ].join('\n');
}

/** The part of the document with an operation, and the operation. */
export function documentedOperation(document: ApiDocument, endpoint: Endpoint): [part: ApiDocument, operation: Json] {
  const part = apiPart(document, [endpoint]);
  return [part, part.paths[endpoint.path]?.[endpoint.method.toLowerCase()] as Json];
}

/**
 * Writes the page of an operation, at most 6 KB: where a reply is too large for that, its descriptions stay out, then
 * its inner fields.
 * @param document the OpenAPI document
 */
export function operationPage(document: ApiDocument, endpoint: Endpoint, baseUrl: string): string {
  const head = operationHead(endpoint, baseUrl, fenced('sh', curlExample(endpoint, baseUrl)));
  const shape = readShape(...documentedOperation(document, endpoint));
  const codes = errorsOf(endpoint).map((code) => `${ERRORS[code].status} \`${code}\``);
  const errors = ['## Errors', '', `${codes.join(', ')}. [What they mean](/docs/errors-and-limits.md)`, ''];
  const pages = (['full', 'terse', 'shallow'] as const).map(
    (depth) => () => [head, ...shapeLines(shape, depth), ...errors].join('\n'),
  );
  return firstThatFits(pages, PAGE_BYTES);
}

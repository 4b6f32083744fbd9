import type { Endpoint } from '../../api/endpoint.ts';
import { ERRORS } from '../../api/errors.ts';
import { type ApiDocument, errorsOf } from '../openapi/openapi-document.ts';
import { apiPart, firstThatFits } from '../openapi/openapi-parts.ts';
import type { Json } from '../openapi/openapi-schemas.ts';
import { curlExample } from '../openapi/operation-example.ts';

/** One operation of the OpenAPI document as Markdown, for agents that read pages rather than schemas. */

/** The most bytes of a page. */
const PAGE_BYTES = 6 * 1024;

/** How much a page says of its reply: everything, no descriptions, or only the first level. */
type Depth = 'full' | 'terse' | 'shallow';

class OperationPage {
  readonly #document: ApiDocument;
  readonly #lines: string[] = [];

  constructor(document: ApiDocument) {
    this.#document = document;
  }

  write(endpoint: Endpoint, baseUrl: string, depth: Depth, examples: string): string {
    const { method, path, operation, summary, description, scope, auth } = endpoint;
    const shown = this.#document.paths[path]?.[method.toLowerCase()] as Json;
    const needs = auth === 'none' ? 'No credential.' : `Scope: \`${scope}\`.`;
    this.#lines.push(`# ${summary}`, '', `\`${method} ${baseUrl}${path}\` (\`${operation}\`). ${needs}`, '');
    if (description) this.#lines.push(description, '');
    this.#lines.push('## Example', '', examples, '');
    this.#parameters((shown.parameters ?? []) as Json[]);
    const body = (shown.requestBody as { content?: Record<string, { schema: Json }> })?.content?.['application/json'];
    if (body) this.#section('Body, as JSON', body.schema, 'full');
    for (const [status, response] of Object.entries(shown.responses as Record<string, Json>))
      if (status !== 'default') this.#reply(status, response, depth);
    this.#errors(endpoint);
    return `${this.#lines.join('\n')}\n`;
  }

  #parameters(parameters: readonly Json[]): void {
    const shown = parameters.map((one) => this.#resolve(one)).filter(({ in: place }) => place !== 'header');
    if (shown.length === 0) return;
    this.#lines.push('## Parameters', '');
    for (const { name, in: place, required, description, schema } of shown) {
      const about = { ...this.#resolve(schema as Json), ...(description ? { description } : {}) };
      this.#field(`${name}`, about, `${place}${required ? ', required' : ''}`, 'full', 0);
    }
    this.#lines.push('');
  }

  #section(title: string, schema: Json, depth: Depth): void {
    this.#lines.push(`## ${title}`, '');
    this.#fields(schema, depth, 0);
    this.#lines.push('');
  }

  #reply(status: string, response: Json, depth: Depth): void {
    const [type, content] = Object.entries((response.content ?? {}) as Record<string, { schema: Json }>)[0] ?? [];
    if (type === 'application/json' && content) this.#section(`Reply ${status}`, content.schema, depth);
    else this.#lines.push(`## Reply ${status}`, '', type ? `\`${type}\`` : 'No body.', '');
  }

  #errors(endpoint: Endpoint): void {
    const codes = errorsOf(endpoint).map((code) => `${ERRORS[code].status} \`${code}\``);
    this.#lines.push('## Errors', '', `${codes.join(', ')}. [What they mean](/docs/errors-and-limits.md)`);
  }

  #resolve(node: Json | undefined): Json {
    const { $ref, ...own } = node ?? {};
    if (typeof $ref !== 'string') return own;
    const [, , kind = '', name = ''] = $ref.split('/');
    return { ...this.#resolve(this.#document.components[kind]?.[name] as Json | undefined), ...own };
  }

  /** The fields of an object, of each object in a list, or of the branches of a union. */
  #fields(node: Json, depth: Depth, level: number): void {
    const schema = this.#resolve(node);
    if (schema.items) this.#fields(schema.items as Json, depth, level);
    for (const branch of (schema.anyOf ?? []) as Json[]) this.#fields(branch, depth, level);
    const required = new Set((schema.required ?? []) as string[]);
    for (const [name, property] of Object.entries((schema.properties ?? {}) as Record<string, Json>))
      this.#field(name, this.#resolve(property), required.has(name) ? 'required' : '', depth, level);
  }

  #field(name: string, schema: Json, mark: string, depth: Depth, level: number): void {
    const about = [this.#typeOf(schema), mark, schema.deprecated ? 'deprecated' : ''].filter(Boolean).join(', ');
    const said = depth === 'full' && schema.description ? `: ${schema.description}` : '';
    const [begin, rest] = [`${'  '.repeat(level)}- `, ` (${about})${said}`];
    const last = this.#lines.at(-1) ?? '';
    // Neighbours of which the same is said share a line.
    if (said && last.startsWith(begin) && last.endsWith(rest))
      this.#lines.splice(-1, 1, `${last.slice(0, -rest.length)}, \`${name}\`${rest}`);
    else this.#lines.push(`${begin}\`${name}\`${rest}`);
    if (depth !== 'shallow') this.#fields(schema, depth, level + 1);
  }

  #typeOf(node: Json): string {
    const schema = this.#resolve(node);
    if (Array.isArray(schema.enum)) return schema.enum.map((word) => JSON.stringify(word)).join(' or ');
    if ('const' in schema) return JSON.stringify(schema.const);
    if (Array.isArray(schema.anyOf))
      return [...new Set((schema.anyOf as Json[]).map((branch) => this.#typeOf(branch)))].join(' or ');
    if (schema.type === 'array') return `list of ${this.#typeOf((schema.items ?? {}) as Json)}`;
    return Array.isArray(schema.type) ? schema.type.join(' or ') : String(schema.type ?? 'any');
  }
}

/** A block of code in Markdown. */
export const fenced = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``;

/**
 * Writes the page of an operation, at most 6 KB: where a reply is too large for that, its descriptions stay out, then
 * its inner fields.
 * @param document the OpenAPI document
 */
export function operationPage(document: ApiDocument, endpoint: Endpoint, baseUrl: string): string {
  const example = fenced('sh', curlExample(endpoint, baseUrl));
  const part = apiPart(document, [endpoint]);
  const pages = (['full', 'terse', 'shallow'] as const).map(
    (depth) => () => new OperationPage(part).write(endpoint, baseUrl, depth, example),
  );
  return firstThatFits(pages, PAGE_BYTES);
}

/**
 * Writes the page of an operation with everything that is known of it, for people.
 * @param examples the same call in several languages, as Markdown
 */
export const wholeOperationPage = (
  document: ApiDocument,
  endpoint: Endpoint,
  baseUrl: string,
  examples: string,
): string => new OperationPage(apiPart(document, [endpoint])).write(endpoint, baseUrl, 'full', examples);

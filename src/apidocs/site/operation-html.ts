import type { Endpoint } from '../../api/endpoint.ts';
import { ERRORS } from '../../api/errors.ts';
import { escaped } from '../../api/page-frame.ts';
import { type ApiDocument, errorsOf } from '../openapi/openapi-document.ts';
import { documentedOperation, operationHead } from '../pages/operation-page.ts';
import { type Field, type Parameter, type ReplyShape, readShape } from '../pages/operation-shape.ts';
import { callExamples, hasClient } from './call-examples.ts';
import { docsHtml, type Section } from './docs-html.ts';

/** The page of an operation for people: what it takes and gives as a tree, with everything that is known of it. */

/** Text of the API description, which has marks of Markdown. */
const prose = (markdown: string): string => (markdown === '' ? '' : docsHtml(markdown).html);

/** What most operations take. The page about errors and limits has it. */
const COMMON = ['verbose', 'dry_run'];

/** What is worth a mark: of a request, what must be there; of a reply, what may be missing. */
type Side = 'request' | 'reply';

function nameLine(field: Field | Parameter, side: Side): string {
  const { name, type, isRequired, isDeprecated } = field;
  const place = 'place' in field ? `in the ${field.place}` : '';
  const missing = side === 'reply' && !isRequired ? 'not always' : '';
  const said = [type, place, missing, isDeprecated ? 'deprecated' : ''].filter(Boolean).map(escaped).join(', ');
  const must = side === 'request' && isRequired ? ' <em>required</em>' : '';
  return `<code>${escaped(name)}</code> <span>${said}</span>${must}`;
}

/** What is inside a field folds with it. Only the first level is open at the start. */
function tree(fields: readonly (Field | Parameter)[], side: Side, level = 0): string {
  const items = fields.map((field) => {
    const line = nameLine(field, side);
    const about = prose(field.description);
    if (field.fields.length === 0) return `<li><div>${line}</div>${about}</li>`;
    const open = level === 0 ? ' open' : '';
    return `<li><details${open}><summary>${line}</summary>${about}${tree(field.fields, side, level + 1)}</details></li>`;
  });
  return `<ul class="shape">${items.join('\n')}</ul>`;
}

function reply({ type, fields }: ReplyShape): string {
  if (type === null) return '<p>No body.</p>';
  return type === 'application/json' && fields.length > 0
    ? tree(fields, 'reply')
    : `<p><code>${escaped(type)}</code></p>`;
}

function errors(endpoint: Endpoint): string {
  const rows = errorsOf(endpoint).map((code) => {
    const { status, message } = ERRORS[code];
    return `<tr><td>${status}</td><td><code>${code}</code></td><td>${escaped(message).replace(/`([^`]+)`/g, '<code>$1</code>')}</td></tr>`;
  });
  const head = '<thead><tr><th>Status</th><th>Code</th><th>Meaning</th></tr></thead>';
  return (
    `<div class="table codes" tabindex="0" role="group" aria-label="Errors"><table>${head}<tbody>${rows.join('\n')}</tbody></table></div>` +
    '<p>More: <a href="/docs/errors-and-limits">errors and limits</a></p>'
  );
}

/** Leads to the console, which alone has a login: this page reads none. */
const tryLink = ({ operation }: Endpoint): string =>
  hasClient(operation)
    ? `<p class="actions"><a class="button" href="/console/try?operation=${operation}">Try it in the console</a></p>`
    : '';

type Part = [title: string, anchor: string, html: string];

/** @param document the OpenAPI document */
export function operationHtml(
  document: ApiDocument,
  endpoint: Endpoint,
  baseUrl: string,
): { html: string; sections: Section[] } {
  const head = docsHtml(operationHead(endpoint, baseUrl, callExamples(endpoint, baseUrl)));
  const { parameters, body, replies } = readShape(...documentedOperation(document, endpoint));
  const own = parameters.filter(({ name }) => !COMMON.includes(name));
  const parts: Part[] = [
    ...(own.length === 0 ? [] : [['Parameters', 'parameters', tree(own, 'request')] as Part]),
    ...(body === null ? [] : [['Body, as JSON', 'body', tree(body, 'request')] as Part]),
    ...replies.map((one): Part => [`Reply ${one.status}`, `reply-${one.status}`, reply(one)]),
    ['Errors', 'errors', errors(endpoint)],
  ];
  const sections = parts.map(([title, anchor]) => ({ anchor, title, depth: 2, text: '' }));
  const shown = parts.map(
    ([title, anchor, html]) => `<h2 id="${anchor}"><a class="anchor" href="#${anchor}">${title}</a></h2>\n${html}`,
  );
  return {
    html: [head.html, tryLink(endpoint), ...shown].join('\n'),
    sections: [...head.sections, ...sections],
  };
}

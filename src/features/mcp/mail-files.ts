import type { TObject } from 'typebox';
import type { Endpoint } from '../../api/endpoint.ts';
import { ApiError, invalidField } from '../../api/errors.ts';
import type { Content, Json } from './mcp-messages.ts';

/** Files of mail, as tools name them: links to those that came, and those to send. */

/** The types that a name may stand for. What a sender calls a file never reaches a model outside a fence. */
const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  gif: 'image/gif',
  html: 'text/html',
  ics: 'text/calendar',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  md: 'text/markdown',
  pdf: 'application/pdf',
  png: 'image/png',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  webp: 'image/webp',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
  zip: 'application/zip',
};
const UNKNOWN = 'application/octet-stream';

/** The known extension of a file name, or of the header that names it. */
function extensionOf(name: unknown): string | null {
  const extension = /\.([a-z0-9]{2,4})$/i.exec(String(name))?.[1]?.toLowerCase();
  return extension !== undefined && Object.hasOwn(TYPES, extension) ? extension : null;
}

/** The media type of a file by its name. */
export function typeOfName(name: unknown): string {
  const extension = extensionOf(name);
  return extension === null ? UNKNOWN : (TYPES[extension] as string);
}

const ATTACHMENT = /^\/v1\/email\/messages\/[^/?#]+\/attachments\/\d{1,6}(\?address=[^&#]+)?$/;

/** The path of an attachment that a tool linked to. Null: the address is of anything else. */
export function attachmentPath(uri: unknown, baseUrl: string): string | null {
  const path = typeof uri === 'string' && uri.startsWith(baseUrl) ? uri.slice(baseUrl.length) : '';
  return ATTACHMENT.test(path) ? path : null;
}

/** Links to the attachments of a reply, which the host reads with `resources/read`. */
export function linksOf({ attachments }: Json, baseUrl: string): Content[] {
  const files = (Array.isArray(attachments) ? attachments : []) as Json[];
  return files
    .filter(({ url }) => typeof url === 'string')
    .map(({ filename, url, size }, i) => {
      const extension = extensionOf(filename);
      return {
        type: 'resource_link',
        uri: `${baseUrl}${url}`,
        name: `attachment-${i + 1}${extension === null ? '' : `.${extension}`}`,
        mimeType: typeOfName(filename),
        size: Number(size),
      };
    });
}

/** What reading an attachment needs. */
export const READING = ['mail:read', 'mail:codes'] as const;

/** The argument `attachments` of the tools that write mail. */
export const ATTACHMENTS_ARGUMENT = {
  type: 'array',
  maxItems: 20,
  description: 'Files to send.',
  items: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 255, description: 'With its extension.' },
      content_base64: { type: 'string' },
      resource: { type: 'string', description: 'Instead: the uri of an attachment that read_mail linked.' },
    },
    required: ['name'],
    additionalProperties: false,
  },
};

/** Whether one of the files to send is one that came. */
export const hasResources = (files: unknown): boolean =>
  Array.isArray(files) && files.some((file) => typeof file === 'object' && file !== null && 'resource' in file);

/** Reads an attachment by its path. Null: it is longer than `bytesMax`, and was not read. */
export type ReadFile = (path: string, bytesMax: number) => Promise<Buffer | null>;

const fault = (path: string, code: string, message: string): ApiError => invalidField(path, code, message);

async function sentFile(
  file: unknown,
  path: string,
  baseUrl: string,
  contentOf: (path: string) => Promise<string>,
): Promise<unknown> {
  if (typeof file !== 'object' || file === null || !('name' in file)) return file;
  const { name, content_base64: content, resource, ...others } = file as Json;
  const [other] = Object.keys(others);
  if (other !== undefined)
    throw fault(`${path}/${other.slice(0, 100)}`, 'unknown_field', 'A file has name, and content_base64 or resource.');
  if (typeof name !== 'string') throw fault(`${path}/name`, 'wrong_type', 'name must be a text.');
  if ((content === undefined) === (resource === undefined))
    throw fault(path, 'required', 'Send content_base64 or resource, one of them.');
  const about = { filename: name, content_type: typeOfName(name) };
  if (resource === undefined) return { ...about, content };
  const at = attachmentPath(resource, baseUrl);
  if (at === null)
    throw fault(
      `${path}/resource`,
      'invalid_format',
      'resource must be the uri of an attachment that read_mail linked.',
    );
  return { ...about, content: await contentOf(at) };
}

/** Reads attachments in base64, each once, until together they are longer than `bytesMax`. */
function createReader(bytesMax: number, read: ReadFile): (path: string) => Promise<string> {
  const known = new Map<string, string>();
  let left = bytesMax;
  return async (path) => {
    const content = known.get(path) ?? (await read(path, Math.floor((left * 3) / 4)))?.toString('base64');
    if (content === undefined || content.length > left)
      throw new ApiError('body_too_large', {
        message: `The files are too large. In base64 they may have at most ${bytesMax} bytes together.`,
        fields: { limit_bytes: bytesMax },
      });
    left -= content.length;
    known.set(path, content);
    return content;
  };
}

/**
 * The attachments of a call, as its endpoint takes them. Entries that are written as the endpoint wants them stay. What the
 * endpoint would refuse for its number or its length is not read.
 * @throws ApiError `invalid_request`, `body_too_large`
 */
export async function sentFiles(
  { body, bodyLimitBytes = 0 }: Endpoint,
  files: unknown,
  baseUrl: string,
  read: ReadFile,
): Promise<unknown> {
  const taken = (body as TObject | undefined)?.properties.attachments as { maxItems?: number } | undefined;
  if (!Array.isArray(files) || taken === undefined) return files;
  const { maxItems = 0 } = taken;
  if (files.length > maxItems)
    throw fault('/arguments/attachments', 'too_many', `attachments may have at most ${maxItems} files.`);
  const contentOf = createReader(bodyLimitBytes, read);
  const sent: unknown[] = [];
  for (const [i, file] of files.entries())
    sent.push(await sentFile(file, `/arguments/attachments/${i}`, baseUrl, contentOf));
  return sent;
}

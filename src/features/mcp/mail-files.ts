import { type ApiError, invalidField } from '../../api/errors.ts';
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

/** Reads an attachment by its path. */
export type ReadFile = (path: string) => Promise<Buffer>;

const fault = (path: string, code: string, message: string): ApiError => invalidField(path, code, message);

async function sentFile(file: unknown, path: string, baseUrl: string, read: ReadFile): Promise<unknown> {
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
  return { ...about, content: (await read(at)).toString('base64') };
}

/**
 * The attachments of a call, as its endpoint takes them. Entries that are written as the endpoint wants them stay.
 * @throws ApiError `invalid_request`
 */
export async function sentFiles(files: unknown, baseUrl: string, read: ReadFile): Promise<unknown> {
  if (!Array.isArray(files)) return files;
  const sent: unknown[] = [];
  for (const [i, file] of files.entries())
    sent.push(await sentFile(file, `/arguments/attachments/${i}`, baseUrl, read));
  return sent;
}

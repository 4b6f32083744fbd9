import type { Static } from 'typebox';
import { invalidField } from '../../../api/errors.ts';
import { decodeBase64 } from '../../../mail/mime/base64-text.ts';
import type { Attachments } from './send-schema.ts';

const ATTACHMENT_BYTES = 25 * 1_048_576;

/** Decodes the attachments of a request. @throws ApiError `invalid_request` */
export async function decodeFiles(files: Static<typeof Attachments> = []) {
  let total = 0;
  const decoded: { filename: string; contentType: string; content: Buffer }[] = [];
  for (const [i, { filename, content_type: contentType = 'application/octet-stream', content }] of files.entries()) {
    const path = `/body/attachments/${i}/content`;
    const bytes = await decodeBase64(content);
    if (bytes === null) throw invalidField(path, 'invalid_format', `${path} must be base64.`);
    total += bytes.length;
    if (total > ATTACHMENT_BYTES)
      throw invalidField('/body/attachments', 'too_long', 'Attachments may have at most 25 MiB in total.');
    decoded.push({ filename, contentType, content: bytes });
  }
  return decoded;
}

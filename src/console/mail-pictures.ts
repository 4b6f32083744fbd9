import { toBase64 } from '../client/encoding.ts';
import type { GetMessageReply } from '../client/operations.ts';
import type { Desk } from './desk.ts';
import { contentIdsIn, type Pictures } from './mail-frame.ts';

/** The pictures that a mail brings along: attachments that its HTML names by content id. Nothing comes from elsewhere. */

const SHOWN = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
/** More than these stay attachments: all of them are in the page at once. */
const PICTURES_MAX = 20;
const BYTES_MAX = 10 * 1_048_576;

export async function picturesOf(desk: Desk, address: string, { message_id: id, html, attachments }: GetMessageReply) {
  const wanted = contentIdsIn(html ?? '');
  const pictures = new Map<string, string>();
  let room = BYTES_MAX;
  for (const [n, { content_id: cid, content_type: type, size }] of attachments.entries()) {
    const kind = type.toLowerCase();
    if (cid === undefined || !wanted.has(cid) || !SHOWN.has(kind) || size > room || pictures.size === PICTURES_MAX)
      continue;
    room -= size;
    const content = (await desk.service.getAttachment({ id, address, n })) as Uint8Array;
    pictures.set(cid, `data:${kind};base64,${toBase64(content)}`);
  }
  return pictures satisfies Pictures;
}

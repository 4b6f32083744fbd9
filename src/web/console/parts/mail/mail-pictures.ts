import { toBase64 } from '../../../../client/encoding.ts';
import type { GetMessageReply } from '../../../../client/generated/operations.ts';
import type { Pictures } from '../../ui/mail/mail-copy.ts';
import { contentIdsIn, remoteIn } from '../../ui/mail/mail-frame.ts';
import type { Workspace } from '../../ui/workspace.ts';

/**
 * The pictures of a mail: attachments that its HTML names by content id, and when a person asks, those of other hosts. The
 * service gets these, so that no host learns the address of the reader.
 */

const SHOWN = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
/** More than these stay attachments: all of them are in the page at once. */
const PICTURES_MAX = 20;
const BYTES_MAX = 10 * 1_048_576;
/** Pictures of other hosts, over several calls. */
const REMOTE_MAX = 60;
/** As the API takes it. */
const URL_MAX = 2048;

export async function picturesOf(
  workspace: Workspace,
  address: string,
  { message_id: id, html, attachments }: GetMessageReply,
) {
  const wanted = contentIdsIn(html ?? '');
  const pictures = new Map<string, string>();
  let room = BYTES_MAX;
  for (const [n, { content_id: cid, content_type: type, size }] of attachments.entries()) {
    const kind = type.toLowerCase();
    if (cid === undefined || !wanted.has(cid) || !SHOWN.has(kind) || size > room || pictures.size === PICTURES_MAX)
      continue;
    room -= size;
    const content = (await workspace.service.getAttachment({ id, address, n })) as Uint8Array;
    pictures.set(cid, `data:${kind};base64,${toBase64(content)}`);
  }
  return pictures satisfies Pictures;
}

/** Pictures of other hosts that a mail names, and what came of them. */
export interface Remote {
  urls: readonly string[];
  hosts: readonly string[];
  /** Null: not asked for. */
  loaded: number | null;
}

export function remoteOf({ html }: GetMessageReply): Remote {
  const urls = remoteIn(html ?? '').filter((url) => URL.canParse(url) && url.length <= URL_MAX);
  return { urls, hosts: [...new Set(urls.map((url) => new URL(url).host))], loaded: null };
}

/** @returns the pictures that came, beside those that the mail brought */
export async function withRemote(
  workspace: Workspace,
  address: string,
  id: string,
  { urls, pictures }: { urls: readonly string[]; pictures: Pictures },
): Promise<Pictures> {
  const all = new Map(pictures);
  for (let at = 0; at < Math.min(urls.length, REMOTE_MAX); at += PICTURES_MAX) {
    const wanted = urls.slice(at, Math.min(at + PICTURES_MAX, REMOTE_MAX));
    const { pictures: found } = await workspace.service.loadPictures({ id, address, urls: wanted });
    for (const { url, content_type: type, content } of found)
      if (SHOWN.has(type)) all.set(url, `data:${type};base64,${content}`);
  }
  return all;
}

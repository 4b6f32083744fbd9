import type { GetMessageReply } from '../../../../client/generated/operations.ts';
import type { Workspace } from '../../ui/workspace.ts';

/** The files of a mail that is written: chosen ones, and those of a message that is passed on. */

/** What all of a mail may take. */
export const FILES_MAX_BYTES = 25 * 1_048_576;

export interface AttachedFile {
  name: string;
  size: number;
  load(): Promise<File>;
}

export const chosenFile = (file: File): AttachedFile => ({ name: file.name, size: file.size, load: async () => file });

/** The files of a message that is passed on, or all of it where it could not be read apart. */
export function passedOnFiles({ service }: Workspace, address: string, message: GetMessageReply): AttachedFile[] {
  const { message_id: id, attachments, parsed, size } = message;
  const file = async (content: unknown, name: string, type: string): Promise<File> =>
    new File([content as BlobPart], name, { type });
  if (!parsed) {
    const load = async () => file(await service.getRawMessage({ id, address }), 'message.eml', '');
    return [{ name: 'message.eml', size, load }];
  }
  return attachments.map((one, n) => {
    const name = one.filename ?? `attachment-${n + 1}`;
    const load = async () => file(await service.getAttachment({ id, address, n }), name, one.content_type);
    return { name, size: one.size, load };
  });
}

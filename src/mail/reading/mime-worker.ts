/** The thread that parses, one message after another. */

import { serveTasks } from '../../workers/worker-task.ts';
import { ByteChunks } from '../mime/mime-bytes.ts';
import type { ParsedMail } from '../mime/parsed-mail.ts';
import { parseMail } from './mime-parse.ts';
import { type ReadWritten, readWritten, type WrittenMail } from './written-mail.ts';

Object.defineProperty(globalThis, 'Blob', { value: ByteChunks });

serveTasks<WrittenMail | null, ParsedMail | ReadWritten>('one', async (raw, written) => {
  if (written !== null) return { reply: await readWritten(written) };
  const mail = await parseMail(raw);
  return { reply: mail, transfer: mail.attachments.map(({ content }) => content.buffer) };
});

/** The thread that parses, one message after another. */
import { ByteChunks } from './mime-bytes.ts';
import { parseMail } from './mime-parse.ts';
import type { ParsedMail } from './parsed-mail.ts';
import { serveTasks } from './worker-task.ts';
import { type ReadWritten, readWritten, type WrittenMail } from './written-mail.ts';

Object.defineProperty(globalThis, 'Blob', { value: ByteChunks });

serveTasks<WrittenMail | null, ParsedMail | ReadWritten>('one', async (raw, written) => {
  if (written !== null) return { reply: readWritten(written) };
  const mail = await parseMail(raw);
  return { reply: mail, transfer: mail.attachments.map(({ content }) => content.buffer) };
});

/** The thread that parses, one message after another. */
import { ByteChunks } from './mime-bytes.ts';
import { parseMail } from './mime-parse.ts';
import type { ParsedMail } from './parsed-mail.ts';
import { serveTasks } from './worker-task.ts';

Object.defineProperty(globalThis, 'Blob', { value: ByteChunks });

serveTasks<null, ParsedMail>('one', async (raw) => {
  const mail = await parseMail(raw);
  return { reply: mail, transfer: mail.attachments.map(({ content }) => content.buffer) };
});

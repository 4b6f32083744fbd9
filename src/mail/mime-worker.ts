/** The thread that parses, one message after another; the main thread ends it when one takes too long. */
import { parentPort } from 'node:worker_threads';
import { ByteChunks } from './mime-bytes.ts';
import { parseMail } from './mime-parse.ts';
import type { ParsedMail } from './parsed-mail.ts';

export type ParseRequest = { raw: ArrayBuffer };
/** `mail` null: the parser refused the message. */
export type ParseReply = { mail: ParsedMail | null };

const port = parentPort;
if (port === null) throw new Error('mime-worker runs as a worker thread');

Object.defineProperty(globalThis, 'Blob', { value: ByteChunks });

async function answer({ raw }: ParseRequest): Promise<void> {
  try {
    const mail = await parseMail(raw);
    const contents = mail.attachments.map((attachment) => attachment.content.buffer);
    port?.postMessage({ mail } satisfies ParseReply, contents);
  } catch {
    port?.postMessage({ mail: null } satisfies ParseReply);
  }
}

/** The end of the line: parsing pauses at times, and the answers must come in the order of the questions. */
let last: Promise<void> = Promise.resolve();
port.on('message', (request: ParseRequest) => {
  last = last.then(() => answer(request));
});

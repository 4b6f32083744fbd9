/** The thread that parses. One message at a time; the main thread ends it when it takes too long. */
import { parentPort } from 'node:worker_threads';
import { parseMail } from './mime-parse.ts';
import type { ParsedMail } from './parsed-mail.ts';

export type ParseRequest = { raw: ArrayBuffer };
/** `mail` null: the parser refused the message. */
export type ParseReply = { mail: ParsedMail | null };

const port = parentPort;
if (port === null) throw new Error('mime-worker runs as a worker thread');

port.on('message', (request: ParseRequest) => {
  void parseMail(request.raw).then(
    (mail) =>
      port.postMessage(
        { mail } satisfies ParseReply,
        mail.attachments.map((attachment) => attachment.content.buffer),
      ),
    () => port.postMessage({ mail: null } satisfies ParseReply),
  );
});

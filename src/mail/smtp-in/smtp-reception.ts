/** What every SMTP listener does with a message: it reads DATA to its end within a budget, and answers once. */
import type { AddressInfo } from 'node:net';
import type { SMTPServerDataStream } from 'smtp-server';
import type { Log } from '../../base/log.ts';
import type { SharedMemory } from './shared-memory.ts';
import { MessageBuffer } from './smtp-data-stream.ts';
import type { MailServer } from './smtp-session.ts';

export const DEFAULT_SIZE_BYTES = 26_214_400;

/** A refusal in the form that the library expects. */
export class SmtpReply extends Error {
  readonly responseCode: number;

  constructor(responseCode: number, text: string) {
    super(text);
    this.responseCode = responseCode;
  }
}

export const TRY_LATER = '4.3.0 Temporary trouble, try again later';

type Refusal = { ok: false; code: 451 | 552; text: string };

interface Reception {
  stream: SMTPServerDataStream;
  memory: SharedMemory;
  /** Whose share of it the message takes. */
  owner: string;
  sizeBytesMax: number;
  logger: Pick<Log, 'error'>;
}

/**
 * Reads a message, and has it accepted when it is whole. Never rejects.
 * @returns null if the client disconnected before the end; then nothing is kept
 */
export async function receive<A>(
  { stream, memory, owner, sizeBytesMax, logger }: Reception,
  accept: (buffer: MessageBuffer) => Promise<A>,
) {
  const share = memory.share(owner, () => buffer.refuse('over_budget'));
  const buffer = new MessageBuffer(share, sizeBytesMax);
  try {
    const isWhole = await readAll(stream, buffer);
    if (!isWhole) return null;
    return refusalOf(buffer) ?? (await share.during(() => accept(buffer)));
  } catch (err) {
    logger.error({ err }, 'smtp message not accepted');
    return { ok: false, code: 451, text: TRY_LATER } satisfies Refusal;
  } finally {
    buffer.release();
  }
}

function refusalOf(buffer: MessageBuffer): Refusal | null {
  if (buffer.refusal === 'too_big') return { ok: false, code: 552, text: '5.3.4 Message too big' };
  if (buffer.refusal === 'over_budget')
    return { ok: false, code: 451, text: '4.3.1 Too much mail at once, try again later' };
  return null;
}

/** True when the message arrived whole. */
function readAll(stream: SMTPServerDataStream, buffer: MessageBuffer): Promise<boolean> {
  return new Promise((resolve) => {
    stream.on('data', (chunk: Buffer) => buffer.add(chunk));
    stream.once('end', () => resolve(true));
    // Whichever comes first: the library destroys the stream when the connection breaks.
    stream.once('error', () => resolve(false));
    stream.once('close', () => resolve(false));
  });
}

/** Starts to listen. Rejects when it cannot. @returns the port */
export async function listening(
  server: MailServer,
  { host, port, logger }: { host: string; port: number; logger: Pick<Log, 'warn'> },
): Promise<number> {
  // Without a listener, a client's broken connection would be an uncaught exception.
  server.on('error', (err: NodeJS.ErrnoException) =>
    logger.warn({ code: err.code, reason: err.message }, 'smtp connection'),
  );
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(port, host, () => {
      server.server.off('error', reject);
      resolve();
    });
  });
  return (server.server.address() as AddressInfo).port;
}

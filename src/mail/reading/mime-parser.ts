/** Parses untrusted mail in separate threads. */
import { availableParallelism } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { lazy } from '../../base/lazy.ts';
import type { Origin } from '../../workers/fair-queue.ts';
import { WorkerPool } from '../../workers/worker-pool.ts';
import { fallbackParse } from '../mime/mime-fallback.ts';
import type { ParsedMail } from '../mime/parsed-mail.ts';
import { loadHtmlParser } from '../screening/bounded-markup.ts';
import { compileWords } from '../screening/word-match.ts';
import { isAscii, isShort, type ReadWritten, readWritten, toRead, type WrittenMail } from './written-mail.ts';

export interface MimeParserOptions {
  /** Milliseconds one message may take in its worker. Waiting for a free worker does not count. */
  deadlineMs?: number | undefined;
  /** How many messages are parsed at the same time. */
  workers?: number | undefined;
  /** Heap of a worker in MiB; a message that needs more is not parsed. */
  heapMb?: number | undefined;
  /** How long an idle worker lives, milliseconds. */
  idleMs?: number | undefined;
}

/** Reads what an agent wrote; see {@link MimeParser.readWritten}. */
export type ReadsWritten = (mail: WrittenMail, origin: Origin) => Promise<ReadWritten>;

/** Two even on one core, so that a message which takes seconds does not stop all others. */
const THREADS = Math.min(4, Math.max(2, availableParallelism() - 1));

async function compileInTurns(onlyAscii: boolean): Promise<void> {
  const steps = compileWords({ onlyAscii });
  while (!steps.next().done) await nextTurn();
}

/** What is compiled and loaded once in a process, in turns: at once it would hold up everybody for up to 250 ms. */
const ready = {
  ascii: lazy(() => compileInTurns(true)),
  otherText: lazy(() => compileInTurns(false)),
  html: lazy(async () => {
    loadHtmlParser();
    await nextTurn();
  }),
};

async function readShort(mail: WrittenMail): Promise<ReadWritten> {
  await ready.ascii();
  if (!isAscii(mail)) await ready.otherText();
  if (mail.html !== null) await ready.html();
  return readWritten(mail);
}

/** Its workers start with the first message. Idle workers do not keep the process alive. */
export class MimeParser {
  readonly #pool: WorkerPool<WrittenMail | null, ParsedMail | ReadWritten>;

  constructor({ deadlineMs = 10_000, workers = THREADS, heapMb = 512, idleMs }: MimeParserOptions = {}) {
    const file = new URL('./mime-worker.ts', import.meta.url);
    this.#pool = new WorkerPool({ name: 'mime', file, deadlineMs, workers, heapMb, atATime: 'one', idleMs });
  }

  /**
   * Never rejects because of the content: a message that cannot be parsed resolves with `parsed: false`, a `problem`
   * and the headers that could be read. `origin`: whose mail it is, so that the mail of one origin does not wait long
   * for that of others.
   * @throws {PoolClosedError} after {@link close}, which says nothing about the message, so it can be retried
   */
  async parse(raw: Uint8Array, origin?: Origin): Promise<ParsedMail> {
    const result = await this.#pool.run({ raw, context: null, origin });
    if ('reply' in result) return result.reply as ParsedMail;
    return fallbackParse(raw, result.problem === 'refused' ? 'parse_error' : result.problem);
  }

  /**
   * Reads what an agent wrote as it reads mail from outside; the long in a worker. What cannot be read resolves with
   * `parsed: false`, its own text if it has one, and no HTML, as a message from outside does.
   * @throws {PoolClosedError} after {@link close}
   */
  readonly readWritten: ReadsWritten = async (mail, origin) => {
    const written = toRead(mail);
    if (isShort(written)) return readShort(written);
    const result = await this.#pool.run({ raw: new Uint8Array(), context: written, origin });
    if ('reply' in result) return result.reply;
    const problem = result.problem === 'refused' ? 'parse_error' : result.problem;
    return { parsed: false, problem, text: mail.text ?? '', html: null, visibleText: null, findings: null };
  };

  /** Ends the workers and rejects the messages that are not parsed yet. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}

/**
 * Parsing of mail from strangers, off the main thread: a message may be built to take minutes or gigabytes, and must
 * then cost its own text and nothing else.
 */
import { Worker } from 'node:worker_threads';
import { fallbackParse } from './mime-fallback.ts';
import type { ParseReply, ParseRequest } from './mime-worker.ts';
import type { MailProblem, ParsedMail } from './parsed-mail.ts';

export type MimeParserOptions = {
  /** Milliseconds one message may take in its worker, waiting for a free worker not counted. */
  deadlineMs?: number | undefined;
  /** How many messages are parsed at the same time. */
  workers?: number | undefined;
  /** Heap of a worker in MiB; a message that needs more is not parsed. */
  heapMb?: number | undefined;
};

export type MimeParser = {
  /**
   * Never rejects for what the message holds: one that cannot be parsed comes back with `parsed: false`, a `problem`
   * and the headers that could be read. Rejects only after `close()`, with {@link MimeParserClosedError}.
   */
  parse(raw: Uint8Array): Promise<ParsedMail>;
  /** Ends the workers. Messages not done yet are rejected: they were not judged, so they are worth another try. */
  close(): Promise<void>;
};

export class MimeParserClosedError extends Error {
  override readonly name = 'MimeParserClosedError';
}

type Job = { raw: Uint8Array; resolve: (mail: ParsedMail) => void; reject: (err: Error) => void };
type SlotOptions = { deadlineMs: number; heapMb: number; onIdle: () => void };

/** A parser whose workers start with the first message and keep no process alive while they wait. */
export function createMimeParser(options: MimeParserOptions = {}): MimeParser {
  const queue: Job[] = [];
  let closed = false;
  const dispatch = (): void => {
    for (const slot of slots) {
      if (slot.busy) continue;
      const job = queue.shift();
      if (job === undefined) return;
      slot.run(job);
    }
  };
  const { deadlineMs = 10_000, workers = 1, heapMb = 512 } = options;
  const slots = Array.from({ length: workers }, () => new WorkerSlot({ deadlineMs, heapMb, onIdle: dispatch }));
  return {
    parse: (raw) =>
      new Promise((resolve, reject) => {
        if (closed) {
          reject(new MimeParserClosedError('the MIME parser is closed'));
          return;
        }
        queue.push({ raw, resolve, reject });
        dispatch();
      }),
    close: async () => {
      closed = true;
      for (const job of queue.splice(0)) job.reject(new MimeParserClosedError('the MIME parser was closed'));
      await Promise.all(slots.map((slot) => slot.close()));
    },
  };
}

/** Room for one worker and the message it is on. A worker that fails is dropped; the next message gets a new one. */
class WorkerSlot {
  readonly #options: SlotOptions;
  #worker: Worker | null = null;
  #job: Job | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: SlotOptions) {
    this.#options = options;
  }

  get busy(): boolean {
    return this.#job !== null;
  }

  run(job: Job): void {
    this.#job = job;
    this.#timer = setTimeout(() => this.#fail('deadline'), this.#options.deadlineMs);
    this.#worker ??= this.#start();
    this.#worker.ref();
    // A copy of its own: the caller keeps the raw bytes, and a view may belong to a far larger buffer.
    const raw = new Uint8Array(job.raw).buffer;
    this.#worker.postMessage({ raw } satisfies ParseRequest, [raw]);
  }

  async close(): Promise<void> {
    const job = this.#release();
    const worker = this.#worker;
    this.#worker = null;
    job?.reject(new MimeParserClosedError('the MIME parser was closed'));
    await worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(new URL('./mime-worker.ts', import.meta.url), {
      name: 'mime',
      // What parses hostile input has no business with the environment and the secrets in it.
      env: {},
      // Nor with the flags of the process: some of them (`--input-type`, `--test`) are not for a worker at all.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: this.#options.heapMb, maxYoungGenerationSizeMb: 64 },
    });
    // Events of a worker that was already replaced concern nobody.
    const current = (): boolean => this.#worker === worker;
    worker.on('message', (reply: ParseReply) => {
      if (current()) this.#finish(reply.mail);
    });
    worker.on('error', (err: NodeJS.ErrnoException) => {
      if (current()) this.#fail(err.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'out_of_memory' : 'worker_crashed');
    });
    worker.on('exit', () => {
      if (current()) this.#fail('worker_crashed');
    });
    return worker;
  }

  #finish(mail: ParsedMail | null): void {
    const job = this.#release();
    this.#worker?.unref();
    job?.resolve(mail ?? fallbackParse(job.raw, 'parse_error'));
    this.#options.onIdle();
  }

  #fail(problem: MailProblem): void {
    const job = this.#release();
    const worker = this.#worker;
    this.#worker = null;
    // Not awaited: ending a thread that spins takes a moment, and the next message need not wait for it.
    void worker?.terminate();
    job?.resolve(fallbackParse(job.raw, problem));
    this.#options.onIdle();
  }

  #release(): Job | null {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const job = this.#job;
    this.#job = null;
    return job;
  }
}

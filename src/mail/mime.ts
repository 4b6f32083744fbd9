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
type SlotOptions = { deadlineMs: number; heapMb: number; onIdle: () => void; giveBack: (jobs: Job[]) => void };

/**
 * What a worker is handed ahead of the message it is on, so that it never waits for the main thread and the results of
 * many small messages reach that in one turn, and share a commit. What is large is handed over alone.
 */
const AHEAD = { messages: 64, bytes: 1_048_576 };

/** A parser whose workers start with the first message and keep no process alive while they wait. */
export function createMimeParser(options: MimeParserOptions = {}): MimeParser {
  const queue: Job[] = [];
  let closed = false;
  const dispatch = (): void => {
    for (;;) {
      const job = queue[0];
      if (job === undefined) return;
      const slot = slots.filter((candidate) => candidate.hasRoom(job)).sort((a, b) => a.ahead - b.ahead)[0];
      if (slot === undefined) return;
      queue.shift();
      slot.run(job);
    }
  };
  const giveBack = (jobs: Job[]): void => void queue.unshift(...jobs);
  const { deadlineMs = 10_000, workers = 1, heapMb = 512 } = options;
  const slots = Array.from(
    { length: workers },
    () => new WorkerSlot({ deadlineMs, heapMb, onIdle: dispatch, giveBack }),
  );
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

/**
 * Room for one worker, the message it is on, and some it is handed ahead. It parses them in order, so the first one is
 * to blame for a failure: it is given up, the others get a new worker.
 */
class WorkerSlot {
  readonly #options: SlotOptions;
  #worker: Worker | null = null;
  #jobs: Job[] = [];
  #bytes = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: SlotOptions) {
    this.#options = options;
  }

  get ahead(): number {
    return this.#jobs.length;
  }

  hasRoom({ raw }: Job): boolean {
    if (this.#jobs.length === 0) return true;
    return this.#jobs.length < AHEAD.messages && this.#bytes + raw.length <= AHEAD.bytes;
  }

  run(job: Job): void {
    this.#worker ??= this.#start();
    if (this.#jobs.length === 0) {
      this.#worker.ref();
      this.#watch();
    }
    this.#jobs.push(job);
    this.#bytes += job.raw.length;
    // A copy of its own: the caller keeps the raw bytes, and a view may belong to a far larger buffer.
    const raw = new Uint8Array(job.raw).buffer;
    this.#worker.postMessage({ raw } satisfies ParseRequest, [raw]);
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    for (const job of this.#takeAll()) job.reject(new MimeParserClosedError('the MIME parser was closed'));
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
    const job = this.#jobs.shift();
    if (job === undefined) return;
    this.#bytes -= job.raw.length;
    if (this.#jobs.length > 0) this.#watch();
    else this.#rest();
    job.resolve(mail ?? fallbackParse(job.raw, 'parse_error'));
    this.#options.onIdle();
  }

  #fail(problem: MailProblem): void {
    const worker = this.#worker;
    this.#worker = null;
    const [job, ...others] = this.#takeAll();
    this.#options.giveBack(others);
    // Not awaited: ending a thread that spins takes a moment, and the next message need not wait for it.
    void worker?.terminate();
    job?.resolve(fallbackParse(job.raw, problem));
    this.#options.onIdle();
  }

  /** The clock of the message the worker is on now. */
  #watch(): void {
    if (this.#timer === null) this.#timer = setTimeout(() => this.#fail('deadline'), this.#options.deadlineMs);
    else this.#timer.refresh();
  }

  #rest(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#worker?.unref();
  }

  #takeAll(): Job[] {
    this.#rest();
    this.#bytes = 0;
    return this.#jobs.splice(0);
  }
}

/** The thread's side of a worker pool. */
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { FromWorker, ToWorker } from './worker-protocol.ts';

/** Asks the main thread. @throws Error with the `code` of its failure */
export type Ask<Question, Answer> = (question: Question) => Promise<Answer>;

export interface Handled<Reply> {
  reply: Reply;
  /** Buffers of the reply that move to the main thread without a copy. */
  transfer?: ArrayBuffer[];
}

/** What a thread does with one message. */
export type TaskHandler<Context, Reply, Question, Answer> = (
  raw: ArrayBuffer,
  context: Context,
  ask: Ask<Question, Answer>,
) => Promise<Handled<Reply>>;

/**
 * On a machine whose processors are all busy, the main thread runs three times as long as one that reads hostile mail. Linux
 * sets the priority of the calling thread alone; elsewhere it would be that of the process.
 */
function yieldToMain(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(5);
  } catch {
    // A sandbox may forbid it. Then all threads are equal.
  }
}

interface OpenQuestion {
  resolve(answer: unknown): void;
  reject(err: Error): void;
}

/** Serves the pool that started this thread. `atATime` as in its options. */
export function serveTasks<Context, Reply, Question = never, Answer = never>(
  atATime: 'one' | 'many',
  handle: TaskHandler<Context, Reply, Question, Answer>,
): void {
  const port = parentPort;
  if (port === null) throw new Error('this file runs as a worker thread');
  const send = (message: FromWorker, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer);
  const questions = new Map<number, OpenQuestion>();
  let asked = 0;

  async function run({ id, raw, context }: Extract<ToWorker, { kind: 'task' }>): Promise<void> {
    const ask = (question: Question): Promise<Answer> =>
      new Promise((resolve, reject) => {
        const number = asked++;
        questions.set(number, { resolve: resolve as OpenQuestion['resolve'], reject });
        send({ kind: 'question', id: number, task: id, question });
      });
    try {
      const { reply, transfer } = await handle(raw, context as Context, ask);
      send({ kind: 'reply', id, reply }, transfer);
    } catch {
      send({ kind: 'refused', id });
    }
  }

  yieldToMain();
  send({ kind: 'ready' });
  let last: Promise<void> = Promise.resolve();
  port.on('message', (message: ToWorker) => {
    if (message.kind === 'task') {
      last = atATime === 'one' ? last.then(() => run(message)) : run(message);
      return;
    }
    const question = questions.get(message.id);
    questions.delete(message.id);
    if (message.kind === 'answer') question?.resolve(message.answer);
    else question?.reject(Object.assign(new Error('no answer'), { code: message.code ?? undefined }));
  });
}

/**
 * The thread that checks senders. The main thread answers its look-ups, and ends it when a message keeps it busy: the
 * library takes minutes over some that were made for it.
 */
import { parentPort } from 'node:worker_threads';
import type { SenderVerdict } from './sender-auth.ts';
import { judge, type Session } from './sender-auth-judge.ts';

/** A message to judge, or what a look-up of an earlier one came to. */
export type ToJudge =
  | { kind: 'mail'; id: number; raw: ArrayBuffer; session: Session }
  | { kind: 'answer'; id: number; records: string[][] | string[] | null; code: string };
/** A verdict, null when the library refused the message, or a look-up that one needs. */
export type FromJudge =
  | { kind: 'verdict'; id: number; verdict: SenderVerdict | null }
  | { kind: 'question'; id: number; mail: number; name: string; type: string };

const port = parentPort;
if (port === null) throw new Error('sender-auth-worker runs as a worker thread');
const send = (message: FromJudge): void => port.postMessage(message);

type Records = string[][] | string[];
const open = new Map<number, { resolve(records: Records): void; reject(err: Error): void }>();
let questions = 0;

const ask = (mail: number, name: string, type: string): Promise<Records> =>
  new Promise((resolve, reject) => {
    const id = questions++;
    open.set(id, { resolve, reject });
    send({ kind: 'question', id, mail, name, type });
  });

port.on('message', (message: ToJudge) => {
  const { id } = message;
  if (message.kind === 'answer') {
    const question = open.get(id);
    open.delete(id);
    if (message.records) question?.resolve(message.records);
    else question?.reject(Object.assign(new Error('look-up failed'), { code: message.code }));
    return;
  }
  void judge(Buffer.from(message.raw), message.session, (name, type) => ask(id, name, type)).then(
    (verdict) => send({ kind: 'verdict', id, verdict }),
    () => send({ kind: 'verdict', id, verdict: null }),
  );
});

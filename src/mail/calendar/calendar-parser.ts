import type { Origin } from '../../workers/fair-queue.ts';
import { WorkerPool } from '../../workers/worker-pool.ts';
import type { CalendarMail } from './itip-message.ts';

const DEADLINE_MS = 3000;
const HEAP_MB = 128;

/** Reads calendars of strangers in separate threads. These start with the first calendar. */
export class CalendarParser {
  readonly #pool: WorkerPool<null, CalendarMail | null>;

  constructor(deadlineMs = DEADLINE_MS) {
    const file = new URL('./calendar-worker.ts', import.meta.url);
    this.#pool = new WorkerPool({ name: 'calendar', file, deadlineMs, workers: 2, heapMb: HEAP_MB, atATime: 'one' });
  }

  /** Null for what cannot be read, whatever the reason. `origin`: whose mail it is in. @throws {PoolClosedError} after {@link close} */
  async read(raw: Uint8Array, origin?: Origin): Promise<CalendarMail | null> {
    const result = await this.#pool.run({ raw, context: null, origin });
    return 'reply' in result ? result.reply : null;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

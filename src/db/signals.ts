import { EventEmitter } from 'node:events';

/** Wake-ups by topic inside one process. */
export class Signals {
  readonly #emitter = new EventEmitter().setMaxListeners(0);

  emit(topic: string): void {
    this.#emitter.emit(topic);
  }

  /** Wakes every listener: something may have been missed. */
  emitAll(): void {
    for (const topic of this.#emitter.eventNames()) this.#emitter.emit(topic);
  }

  /** @returns what stops it */
  on(topic: string, listener: () => void): () => void {
    this.#emitter.on(topic, listener);
    return () => void this.#emitter.off(topic, listener);
  }
}

import { EventEmitter } from 'node:events';

/** Wake-ups by topic inside one process. */
export interface Signals {
  emit(topic: string): void;
  /** Wakes every listener: something may have been missed. */
  emitAll(): void;
  on(topic: string, listener: () => void): () => void;
}

export function createSignals(): Signals {
  const emitter = new EventEmitter();
  emitter.setMaxListeners(0);
  return {
    emit: (topic) => void emitter.emit(topic),
    emitAll: () => {
      for (const topic of emitter.eventNames()) emitter.emit(topic);
    },
    on: (topic, listener) => {
      emitter.on(topic, listener);
      return () => void emitter.off(topic, listener);
    },
  };
}

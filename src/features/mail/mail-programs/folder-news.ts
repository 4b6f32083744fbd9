import type { Database } from '../../../api/transaction.ts';
import { foldersTopic } from '../../../db/logs/folder-log.ts';

/** A signal between instances can be lost, but what happens in a folder must not be: every watcher looks this often. */
const LOOK_EVERY_MS = 20_000;

/** Those who watch folders on this instance. Its timer runs while there is one. */
export class FolderNews {
  readonly #database: Pick<Database, 'onSignal'>;
  readonly #watchers = new Set<() => void>();
  #timer: NodeJS.Timeout | null = null;

  constructor(database: Pick<Database, 'onSignal'>) {
    this.#database = database;
  }

  /** Calls back when something may have changed in a folder of an address. @returns what stops that */
  watch(address: string, onNews: () => void): () => void {
    const unsubscribe = this.#database.onSignal(foldersTopic(address), onNews);
    // Another function: two sessions may pass the same.
    const watcher = (): void => onNews();
    this.#watchers.add(watcher);
    this.#timer ??= setInterval(() => {
      for (const watching of this.#watchers) watching();
    }, LOOK_EVERY_MS).unref();
    return () => {
      unsubscribe();
      this.#watchers.delete(watcher);
      if (this.#watchers.size > 0 || this.#timer === null) return;
      clearInterval(this.#timer);
      this.#timer = null;
    };
  }
}

import { type FileHandle, open } from 'node:fs/promises';
import type { AuditRecord } from '../../../api/audit-record.ts';
import type { Database } from '../../../api/transaction.ts';
import { chainsBehind, readEntries, readHead, saveExportedSeq } from './audit-store.ts';

/** Where audit entries are also written. `write` resolves when the lines are kept. */
export interface AuditSink {
  write(lines: string): Promise<void>;
  close(): Promise<void>;
}

const PAGE = 500;
const CHAINS = 500;

/** Appends to a file, which only its owner can read. */
export function fileSink(path: string): AuditSink {
  let file: FileHandle | null = null;
  return {
    write: async (lines) => {
      file ??= await open(path, 'a', 0o600);
      await file.appendFile(lines);
      await file.sync();
    },
    close: async () => file?.close(),
  };
}

export const stdoutSink: AuditSink = {
  write: (lines) =>
    new Promise((resolve, reject) => void process.stdout.write(lines, (err) => (err ? reject(err) : resolve()))),
  close: async () => {},
};

/**
 * Writes every audit entry to a sink, in the order of its chain. How far each chain is written is kept in the database,
 * so that nothing is lost when a process dies. What it had written but not noted is written again: a reader drops repeats
 * by `account_id` and `seq`.
 */
export class AuditExport {
  readonly #database: Database;
  readonly #sink: AuditSink;
  #grown = new Set<string>();
  #writing: Promise<void> = Promise.resolve();

  constructor(database: Database, sink: AuditSink) {
    this.#database = database;
    this.#sink = sink;
  }

  /** Notes that chains grew. */
  readonly note = (records: readonly AuditRecord[]): void => {
    for (const { accountId } of records) this.#grown.add(accountId);
  };

  /** Finds chains that grew unnoticed: before a crash, in another process, or before the export was turned on. */
  readonly find = async (): Promise<void> => {
    for (let last = ''; ; ) {
      const page = await chainsBehind(this.#database, last, CHAINS);
      for (const id of page) this.#grown.add(id);
      if (page.length < CHAINS) return;
      last = page.at(-1) as string;
    }
  };

  /** Writes what grew. Waits for an earlier flush. */
  readonly flush = (): Promise<void> => {
    this.#writing = this.#writing.catch(() => {}).then(() => this.#write());
    return this.#writing;
  };

  readonly close = async (): Promise<void> => {
    await this.flush();
    await this.#sink.close();
  };

  async #write(): Promise<void> {
    const due = [...this.#grown];
    this.#grown = new Set();
    try {
      while (due.length > 0) {
        await this.#writeChain(due[0] as string);
        due.shift();
      }
    } catch (err) {
      this.#grown = new Set([...due, ...this.#grown]);
      throw err;
    }
  }

  async #writeChain(accountId: string): Promise<void> {
    const database = this.#database;
    for (let done = (await readHead(database, accountId))?.exportedSeq ?? 0; ; ) {
      const page = await readEntries(database, { accountId }, { seq: done }, PAGE);
      const last = page.at(-1);
      if (!last) return;
      // An entry without content belongs to an account that is deleted.
      const lines = page.filter(({ entry }) => entry !== '').map(({ entry, hash }) => line(entry, hash));
      if (lines.length > 0) await this.#sink.write(lines.join(''));
      done = last.seq;
      await database.transaction((tx) => saveExportedSeq(tx, accountId, last.seq));
      if (page.length < PAGE) return;
    }
  }
}

/** The entry as it is hashed, with its hash behind it. */
const line = (entry: string, hash: string): string => `${entry.slice(0, -1)},"hash":"${hash}"}\n`;

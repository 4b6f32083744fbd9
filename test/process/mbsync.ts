import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { blockOf } from './guide.ts';

const run = promisify(execFile);

/** A mail in a Maildir. */
export interface MaildirFile {
  path: string;
  subject: string;
  /** Letters, as `FS`. */
  flags: string;
}

/** A Maildir that mbsync keeps the same as a mailbox, with the settings of the page. */
export class Mbsync {
  readonly #home: string;
  readonly #near: string;
  readonly #settings: string;

  /** @param home a folder of its own */
  constructor(home: string, imapPort: number, { address, key }: { address: string; key: string }) {
    this.#home = home;
    this.#near = join(home, 'near');
    this.#settings = join(home, 'mbsyncrc');
    mkdirSync(this.#near, { recursive: true });
    writeFileSync(
      this.#settings,
      blockOf('mail-programs.md', 'mbsyncrc')
        .replace('Host mx.agents.example.com', `Host 127.0.0.1\nPort ${imapPort}`)
        .replace('ada@agents.example.com', address)
        .replace('PassCmd "cat ~/.signet-key"', `Pass ${key}`)
        .replace('SSLType IMAPS', 'SSLType None')
        .replaceAll('~/Mail', this.#near),
    );
  }

  /** @throws what mbsync says when it ends with another code than 0 */
  async sync(): Promise<void> {
    const env = { ...process.env, HOME: this.#home };
    await run('mbsync', ['-c', this.#settings, '-a', '-q'], { env, maxBuffer: 1e8 });
  }

  files(folder: string): MaildirFile[] {
    return ['cur', 'new'].flatMap((kind) =>
      readdirSync(join(this.#near, folder, kind)).map((file) => {
        const path = join(this.#near, folder, kind, file);
        const subject = /^Subject: (.*?)\r?$/m.exec(readFileSync(path, 'utf8'))?.[1] ?? '';
        return { path, subject, flags: /:2,([A-Z]*)$/.exec(file)?.[1] ?? '' };
      }),
    );
  }

  /** Puts mails into a folder, as a mail program does. */
  add(folder: string, mails: readonly { name: string; raw: string }[]): void {
    for (const kind of ['cur', 'new', 'tmp']) mkdirSync(join(this.#near, folder, kind), { recursive: true });
    for (const { name, raw } of mails)
      writeFileSync(join(this.#near, folder, 'new', name), raw.replaceAll('\r\n', '\n'));
  }

  flag({ path }: MaildirFile, flags: string): void {
    renameSync(path, `${path.replace('/new/', '/cur/').replace(/:2,.*$/, '')}:2,${flags}`);
  }

  remove({ path }: MaildirFile): void {
    rmSync(path);
  }

  /** Moves a mail to another folder. */
  move({ path, flags }: MaildirFile, folder: string): void {
    const name = path
      .slice(path.lastIndexOf('/') + 1)
      .replace(/,U=\d+/, '')
      .replace(/:2,.*$/, '');
    renameSync(path, join(this.#near, folder, 'cur', `${name}:2,${flags}`));
  }
}

import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { ApiError } from '../../../api/errors.ts';
import type { ParsedMail } from '../../../mail/mime/parsed-mail.ts';
import type { MimeParser } from '../../../mail/reading/mime-parser.ts';

/** The mails that a development server keeps as files in place of sending them. */

/** The most that a list shows. */
const SHOWN = 100;
const FILE = /^[A-Za-z0-9_-]{1,200}\.eml$/;

export interface KeptMail {
  /** `<id>.eml` */
  file: string;
  /** When it was written, milliseconds. */
  at: number;
  mail: ParsedMail;
}

export class KeptMails {
  readonly #dir: string;
  readonly #parser: MimeParser;
  /** A file is written once, so what was read of it stays true. */
  readonly #read = new LRUCache<string, KeptMail>({ max: 2 * SHOWN });

  constructor(dir: string, parser: MimeParser) {
    this.#dir = dir;
    this.#parser = parser;
  }

  /** The newest first. */
  async list(): Promise<KeptMail[]> {
    const names = (await readdir(this.#dir).catch(() => [])).filter((name) => FILE.test(name));
    const dated = await Promise.all(names.map(async (file) => ({ file, at: await this.#timeOf(file) })));
    dated.sort((a, b) => b.at - a.at || (a.file < b.file ? 1 : -1));
    return Promise.all(dated.slice(0, SHOWN).map(({ file, at }) => this.#load(file, at)));
  }

  /** @throws ApiError `not_found` */
  async mail(file: string): Promise<KeptMail & { raw: string }> {
    if (!FILE.test(file)) throw new ApiError('not_found');
    const raw = await readFile(join(this.#dir, file)).catch(() => null);
    if (raw === null) throw new ApiError('not_found');
    return { ...(await this.#load(file, await this.#timeOf(file))), raw: raw.toString('latin1') };
  }

  async #timeOf(file: string): Promise<number> {
    return (await stat(join(this.#dir, file))).mtimeMs;
  }

  async #load(file: string, at: number): Promise<KeptMail> {
    const known = this.#read.get(file);
    if (known) return known;
    const kept = { file, at, mail: await this.#parser.parse(await readFile(join(this.#dir, file))) };
    this.#read.set(file, kept);
    return kept;
  }
}

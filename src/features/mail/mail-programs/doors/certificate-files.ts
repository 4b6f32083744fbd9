import { readFileSync, statSync } from 'node:fs';
import { createSecureContext, type SecureContext } from 'node:tls';

/** How often the files are looked at, at most. */
const LOOK_EVERY_MS = 1000;

/** A certificate and its key, as they were read. */
export interface CertificateTexts {
  cert: string;
  key: string;
}

interface Options {
  now(): number;
  /** Called once for each pair of files that cannot be used. The former certificate stays. */
  onFault(err: unknown): void;
}

/**
 * A certificate that is read anew when its files change: it is renewed every few weeks, and connections of mail programs
 * last for days. The two files are replaced one after the other, so a pair that does not fit together is read again later.
 */
export class CertificateFiles {
  readonly #files: CertificateTexts;
  readonly #options: Options;
  #texts: CertificateTexts;
  #context: SecureContext;
  /** The state of the files that was last read, whether it could be used or not. */
  #state: string;
  #lookedAt: number;

  /** @param initial what the files held at the start, which was checked @param files their paths */
  constructor({ cert, key, files }: CertificateTexts & { files: CertificateTexts }, options: Options) {
    this.#files = files;
    this.#options = options;
    this.#texts = { cert, key };
    this.#context = createSecureContext(this.#texts);
    this.#state = stateOf(files);
    this.#lookedAt = options.now();
  }

  /** What a new connection uses. */
  readonly context = (): SecureContext => {
    this.#look();
    return this.#context;
  };

  /** The texts behind {@link context}. They are another object after each change. */
  readonly texts = (): CertificateTexts => {
    this.#look();
    return this.#texts;
  };

  #look(): void {
    const now = this.#options.now();
    if (Math.abs(now - this.#lookedAt) < LOOK_EVERY_MS) return;
    this.#lookedAt = now;
    const state = stateOf(this.#files);
    if (state === this.#state) return;
    this.#state = state;
    try {
      const texts = { cert: readFileSync(this.#files.cert, 'utf8'), key: readFileSync(this.#files.key, 'utf8') };
      this.#context = createSecureContext(texts);
      this.#texts = texts;
    } catch (err) {
      this.#options.onFault(err);
    }
  }
}

/** Changes whenever one of the files is written or replaced. */
function stateOf({ cert, key }: CertificateTexts): string {
  return [cert, key]
    .map((path) => {
      const found = statSync(path, { throwIfNoEntry: false });
      return found ? `${found.ino} ${found.size} ${found.mtimeMs}` : '';
    })
    .join();
}

import { MAIL_LIMITS } from './parsed-mail.ts';

/** Takes the place of the library's decoder, which needs a quarter of a minute for 24 MB of `QQ==`. */
export class Base64Body {
  readonly #lines: Uint8Array[] = [];
  readonly #onTooMany: () => void;

  /** @param onTooMany is called if the text is padded more often than a mail has lines, and ends there */
  constructor(onTooMany: () => void) {
    this.#onTooMany = onTooMany;
  }

  update(lines: Uint8Array): void {
    this.#lines.push(lines);
  }

  /** The bytes, in a buffer that nothing else uses. Characters that are not of the alphabet are left out (RFC 2045 6.8). */
  async finalize(): Promise<ArrayBuffer> {
    const lines = Buffer.concat(this.#lines);
    // Node's decoder takes these for `+` and `/`.
    if (lines.includes('-') || lines.includes('_'))
      for (let i = 0; i < lines.length; i += 1) if (lines[i] === 0x2d || lines[i] === 0x5f) lines[i] = 0x20;
    const text = lines.toString('latin1');
    const bytes = Buffer.allocUnsafeSlow(Math.ceil((text.length * 3) / 4));
    let size = 0;
    // Some programs pad each line, and Node's decoder stops at the first padding.
    for (let start = 0, parts = 0; start < text.length; parts += 1) {
      if (parts > MAIL_LIMITS.lines) {
        this.#onTooMany();
        break;
      }
      const padding = text.indexOf('=', start);
      const end = padding === -1 ? text.length : padding;
      if (end > start) size += bytes.write(text.slice(start, end), size, 'base64');
      start = end + 1;
    }
    return size === bytes.length ? bytes.buffer : bytes.buffer.slice(0, size);
  }
}

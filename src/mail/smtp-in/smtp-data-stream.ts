/** The DATA phase: finding its end, undoing dot-stuffing, and keeping a bounded number of bytes. */
import { SMTPStream } from 'smtp-server/lib/smtp-stream.js';
import { isLong, joined } from '../../base/byte-slices.ts';
import type { MemoryShare } from './shared-memory.ts';

const CR = 0x0d;
const LF = 0x0a;
const DOT = 0x2e;

/** How far the end mark `CRLF . CRLF` has been seen; the numbers below are states of {@link StrictSmtpStream}. */
const IN_LINE = 0;
const AFTER_CR = 1;
const LINE_START = 2;
const AFTER_DOT = 3;
const AFTER_DOT_CR = 4;

const LF_DOT = Buffer.from('\n.');
/** How far a line with a dot is read byte by byte before the next leap: a message may be nothing but dots. */
const LEAP_BYTES = 256;

/** The state behind bytes of which the first follows no CR. */
function stateAfter(bytes: Buffer, start: number, end: number): number {
  if (bytes[end - 1] === CR) return AFTER_CR;
  return bytes[end - 1] === LF && end - start > 1 && bytes[end - 2] === CR ? LINE_START : IN_LINE;
}

type Done = Parameters<SMTPStream['_feedDataStream']>[1];

/**
 * The library's command stream with a DATA phase that follows RFC 5321 exactly: 4.1.1.4 and 4.5.2: CRLF alone ends a line,
 * only a line that is one dot ends the message, and the first dot of any other line is taken off. A server that also
 * accepts bare LF or CR there lets a stranger smuggle a second message inside the first (such as CVE-2023-51764).
 *
 * The library finds the end as strictly, but also removes dots after a bare LF, which breaks the signature over such
 * a message, and goes through the event loop once for each dot: 25 MiB of `..` lines cost it eleven seconds of
 * processor.
 */
export class StrictSmtpStream extends SMTPStream {
  #state = LINE_START;

  override startDataMode(maxBytes?: number | string | null): ReturnType<SMTPStream['startDataMode']> {
    this.#state = LINE_START;
    return super.startDataMode(maxBytes);
  }

  override _feedDataStream(chunk: Buffer, done: Done): void {
    if (this.#state === IN_LINE && chunk.length > 0 && !chunk.includes(LF_DOT)) {
      this.#state = stateAfter(chunk, 0, chunk.length);
      this.#emit(chunk, done);
      return;
    }
    // The two bytes are those an earlier chunk left undecided: a dot and a CR.
    const out = Buffer.allocUnsafe(chunk.length + 2);
    let length = 0;
    let state = this.#state;
    let leapAt = 0;
    for (let i = 0; i < chunk.length; i += 1) {
      if (state === IN_LINE && i >= leapAt) {
        // Nothing changes before the next line that begins with a dot.
        const newline = chunk.indexOf(LF_DOT, i);
        const end = newline < 0 ? chunk.length : newline + 1;
        out.set(chunk.subarray(i, end), length);
        length += end - i;
        state = stateAfter(chunk, i, end);
        leapAt = end + LEAP_BYTES;
        if (newline < 0) break;
        i = end;
      }
      const byte = chunk[i] ?? 0;
      if (state === LINE_START && byte === DOT) {
        state = AFTER_DOT;
        continue;
      }
      if (state === AFTER_DOT && byte === CR) {
        state = AFTER_DOT_CR;
        continue;
      }
      if (state === AFTER_DOT_CR) {
        if (byte === LF) {
          this.#finish(out.subarray(0, length), chunk.subarray(i + 1), done);
          return;
        }
        out[length++] = CR;
        state = AFTER_CR;
      }
      out[length++] = byte;
      if (byte === CR) state = AFTER_CR;
      else state = byte === LF && state === AFTER_CR ? LINE_START : IN_LINE;
    }
    this.#state = state;
    this.#emit(out.subarray(0, length), done);
  }

  #finish(last: Buffer, rest: Buffer, done: Done): void {
    this.#state = LINE_START;
    this._countDataBytes(last.length);
    this._endDataMode(last, rest, done);
  }

  /** Passes the bytes on and waits for a slow reader. */
  #emit(bytes: Buffer, done: Done): void {
    const stream = this._dataStream;
    if (bytes.length === 0 || stream === null) {
      done();
      return;
    }
    this._countDataBytes(bytes.length);
    if (!stream.writable || stream.write(bytes) || stream.destroyed) {
      done();
      return;
    }
    const resume = (): void => {
      stream.off('drain', resume);
      stream.off('close', resume);
      done();
    };
    stream.once('drain', resume);
    stream.once('close', resume);
  }
}

const SLAB_BYTES = 65_536;

/**
 * The bytes of one message while they arrive. Copied into slabs, because a sender decides how small its packets are,
 * and millions of tiny buffers cost far more than the bytes in them.
 */
export class MessageBuffer {
  readonly #budget: MemoryShare;
  readonly #bytesMax: number;
  #slabs: Buffer[] = [];
  #free = 0;
  #bytes = 0;
  #reserved = 0;
  /** Why the message is no longer kept; later bytes are discarded. */
  #refusal: 'too_big' | 'over_budget' | null = null;

  constructor(budget: MemoryShare, bytesMax: number) {
    this.#budget = budget;
    this.#bytesMax = bytesMax;
  }

  get refusal(): 'too_big' | 'over_budget' | null {
    return this.#refusal;
  }

  add(chunk: Buffer): void {
    if (this.#refusal !== null) return;
    if (this.#bytes + chunk.length > this.#bytesMax) {
      this.refuse('too_big');
      return;
    }
    for (let offset = 0; offset < chunk.length; ) {
      if (this.#free === 0 && !this.#grow()) return;
      const slab = this.#slabs.at(-1);
      if (slab === undefined) return;
      const copied = chunk.copy(slab, SLAB_BYTES - this.#free, offset);
      this.#free -= copied;
      this.#bytes += copied;
      offset += copied;
    }
  }

  /** Everything received behind a prefix, as one buffer, which stays on the budget until {@link release}. */
  take(prefix: Buffer): Buffer | Promise<Buffer> {
    const slabs = this.#slabs;
    const last = slabs.pop();
    if (last !== undefined) slabs.push(last.subarray(0, SLAB_BYTES - this.#free));
    this.#slabs = [];
    this.#free = 0;
    return isLong(this.#bytes) ? joined([prefix, ...slabs]) : Buffer.concat([prefix, ...slabs]);
  }

  /** Returns what the message took from the budget; call it when the message is answered. */
  release(): void {
    this.#budget.give(this.#reserved);
    this.#reserved = 0;
    this.#slabs = [];
    this.#free = 0;
  }

  #grow(): boolean {
    if (!this.#budget.take(SLAB_BYTES)) {
      this.refuse('over_budget');
      return false;
    }
    this.#reserved += SLAB_BYTES;
    this.#slabs.push(Buffer.allocUnsafeSlow(SLAB_BYTES));
    this.#free = SLAB_BYTES;
    return true;
  }

  /** Keeps nothing of it. */
  refuse(reason: 'too_big' | 'over_budget'): void {
    this.release();
    this.#refusal = reason;
  }
}

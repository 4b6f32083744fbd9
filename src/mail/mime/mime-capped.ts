/**
 * postal-mime with additional limits. It bounds nesting and headers by refusing the whole message, and it does not
 * bound parts at all: 25 MiB of `--b` lines are five million of them. Here a message over a limit is cut there and
 * flagged.
 *
 * This reaches into methods the library marks internal, which is why its version is pinned; the tests of the caps fail
 * when an update moves them.
 */

import type { PostalMimeOptions } from 'postal-mime';
import PostalMime from 'postal-mime';
import { Base64Body } from './base64-body.ts';
import { htmlRoom, htmlToText } from './html-text.ts';
import type { MailProblem } from './parsed-mail.ts';
import { MAIL_LIMITS } from './parsed-mail.ts';

type TextItem = { type: 'text'; value: string } | { type: 'subMessage' };
type Internals = {
  currentNode: { state: string; contentDecoder: object | null };
  headerSize: number;
  readPos: number;
  av: Uint8Array<ArrayBuffer>;
  readLine(): { bytes: Uint8Array<ArrayBuffer>; done: boolean };
  textContent: Record<string, string>;
  textMap: Map<unknown, { plain?: TextItem[]; html?: TextItem[] }>;
  processLine(line: Uint8Array, isFinal: boolean): Promise<void>;
  finalize(): Promise<void>;
  renderTextContent(): void;
};

// The internals are left out of the package's declarations; this names the ones used here.
const PostalMimeWithInternals = PostalMime as unknown as new (options: PostalMimeOptions) => PostalMime & Internals;

const DASH = 0x2d;
/** Ours, or the library's, whose class it does not export. */
const isBase64 = (decoder: object | null): boolean =>
  decoder instanceof Base64Body || (decoder ? 'remainder' in decoder : false);
const isFolded = (line: Uint8Array): boolean => line[0] === 0x20 || line[0] === 0x09;
const isDashed = (line: Uint8Array): boolean => line[0] === DASH && line[1] === DASH;

/** A parser for one message. After `parse`, `problems` names the limits that were reached. */
export class CappedMime extends PostalMimeWithInternals {
  readonly problems: Set<MailProblem> = new Set();
  /** Whether a part of its text is plain. */
  hasPlainText = false;
  #parts = 0;
  #lines = 0;
  #skippingHeader = false;

  constructor() {
    super({
      maxNestingDepth: MAIL_LIMITS.nestingDepth,
      maxHeadersSize: MAIL_LIMITS.headerBytes,
      // A message inside a message stays an attachment: its text is not the sender's, and nothing is parsed
      // recursively.
      forceRfc822Attachments: true,
    });
  }

  /** Of base64, all lines up to the next that can be a boundary: to go through each takes longer than to decode them. */
  override readLine(): { bytes: Uint8Array<ArrayBuffer>; done: boolean } {
    const { currentNode: node, readPos: start, av } = this;
    if (node.state !== 'body' || !isBase64(node.contentDecoder)) return super.readLine();
    if (!(node.contentDecoder instanceof Base64Body))
      node.contentDecoder = new Base64Body(() => this.problems.add('too_many_lines'));
    if (av[start] === DASH) return super.readLine();
    const dashes = Buffer.from(av.buffer, av.byteOffset, av.byteLength).indexOf('\n--', start, 'latin1');
    this.readPos = dashes === -1 ? av.length : dashes + 1;
    return { bytes: av.subarray(start, this.readPos), done: this.readPos === av.length };
  }

  /** Called for each line of the message. Not async itself: that would double the cost of a line. */
  override processLine(line: Uint8Array, isFinal: boolean): Promise<void> {
    // A line that may be a boundary takes twice as long.
    this.#lines += isDashed(line) ? 2 : 1;
    if (this.#lines > MAIL_LIMITS.lines && !isFinal) {
      this.problems.add('too_many_lines');
      return this.#stop();
    }
    const node = this.currentNode;
    if (node.state === 'header' && this.#isHeaderToSkip(line)) {
      return isFinal ? this.finalize() : Promise.resolve();
    }
    if (!isDashed(line)) return super.processLine(line, isFinal);
    return this.#processBoundary(line, isFinal);
  }

  /**
   * Header lines beyond the limit are left out one by one, so that a long one does not hide the short ones behind it.
   */
  #isHeaderToSkip(line: Uint8Array): boolean {
    if (line.length === 0 || isDashed(line)) {
      this.#skippingHeader = false;
      return false;
    }
    if (this.#skippingHeader && isFolded(line)) return true;
    this.#skippingHeader = this.headerSize + line.length > MAIL_LIMITS.headerBytes;
    if (this.#skippingHeader) this.problems.add('headers_too_large');
    return this.#skippingHeader;
  }

  async #processBoundary(line: Uint8Array, isFinal: boolean): Promise<void> {
    const before = this.currentNode;
    try {
      await super.processLine(line, isFinal);
    } catch {
      // The library refuses only for these two reasons: one level too deep, or a header that begins with dashes.
      this.problems.add(
        before.state === 'header' && this.headerSize > MAIL_LIMITS.headerBytes
          ? 'headers_too_large'
          : 'nesting_too_deep',
      );
      return this.#stop();
    }
    if (this.currentNode !== before) this.#parts += 1;
    if (this.#parts > MAIL_LIMITS.parts && !isFinal) {
      this.problems.add('too_many_parts');
      await this.#stop();
    }
  }

  /** Leaves the rest of the message unread and closes what is open. */
  #stop(): Promise<void> {
    this.readPos = this.av.length;
    return this.finalize();
  }

  /**
   * The bodies: `plain` from every text part, HTML converted where a part has no plain alternative; `html` only when
   * there is HTML. Replaces the library's own conversion, which keeps style sheets as text.
   */
  override renderTextContent(): void {
    const plain: string[] = [];
    const html: string[] = [];
    const room = htmlRoom();
    let hasHtml = false;
    for (const entry of this.textMap.values()) {
      const plainPart = joinText(entry.plain);
      const htmlPart = joinText(entry.html);
      hasHtml ||= htmlPart !== null;
      this.hasPlainText ||= plainPart !== null;
      plain.push(plainPart ?? htmlToText(htmlPart ?? '', MAIL_LIMITS.textBytes + 1, room));
      html.push(htmlPart ?? `<pre>${escapeHtml(plainPart ?? '')}</pre>`);
    }
    this.textContent = { plain: plain.join('\n'), html: hasHtml ? html.join('\n') : '' };
  }
}

function joinText(items: readonly TextItem[] | undefined): string | null {
  if (items === undefined) return null;
  return items.map((item) => (item.type === 'text' ? item.value : '')).join('\n');
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

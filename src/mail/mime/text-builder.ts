/** Elements that begin and end with an empty line, and those that begin a line. */
export const PARAGRAPHS = new Set([
  'p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'table', 'ul', 'ol', 'dl', 'pre', 'blockquote',
]); // biome-ignore format: a list of words reads best filled.
export const LINES = new Set([
  'div', 'tr', 'section', 'article', 'header', 'footer', 'main', 'nav', 'aside', 'address', 'center', 'form',
  'figure', 'dt', 'dd', 'caption', 'fieldset',
]); // biome-ignore format: a list of words reads best filled.

/** Collects words and lines: whitespace collapses as in a browser, at most one empty line in a row. */
export class TextBuilder {
  #parts: string[] = [];
  #length = 0;
  #preDepth = 0;
  /** What separates the text so far from the next word: 0 nothing, 1 a space, 2 a line break, 3 an empty line. */
  #gap = 0;

  get length(): number {
    return this.#length;
  }

  text(text: string): void {
    if (this.#preDepth > 0) {
      this.#flushGap();
      this.#push(text.replaceAll('\r', ''));
      return;
    }
    if (text !== '' && !/\s/.test(text)) {
      this.#flushGap();
      this.#push(text);
      return;
    }
    if (/^\s/.test(text)) this.space();
    const words = text.split(/\s+/).filter((word) => word !== '');
    if (words.length === 0) return;
    this.#flushGap();
    this.#push(words.join(' '));
    if (/\s$/.test(text)) this.space();
  }

  space(): void {
    this.#gap = Math.max(this.#gap, 1);
  }

  /** A `hard` break (`<br>`) after another makes an empty line, a soft one does not. */
  lineBreak(hard: boolean): void {
    this.#gap = hard && this.#gap >= 2 ? 3 : Math.max(this.#gap, 2);
  }

  paragraph(): void {
    this.#gap = 3;
  }

  bullet(): void {
    this.#flushGap();
    this.#push('* ');
  }

  rule(): void {
    this.lineBreak(false);
    this.#flushGap();
    this.#push('---');
    this.lineBreak(false);
  }

  preformatted(on: boolean): void {
    this.#preDepth = Math.max(0, this.#preDepth + (on ? 1 : -1));
  }

  /** The text from an earlier length on, when it is no longer than `max`; else ''. */
  since(start: number, max: number): string {
    let wanted = this.#length - start;
    if (wanted > max) return '';
    const tail: string[] = [];
    for (let i = this.#parts.length - 1; wanted > 0 && i >= 0; i -= 1) {
      const part = this.#parts[i] ?? '';
      tail.push(part);
      wanted -= part.length;
    }
    return tail
      .reverse()
      .join('')
      .slice(wanted < 0 ? -wanted : 0);
  }

  finish(): string {
    return this.#parts.join('').trim();
  }

  #flushGap(): void {
    if (this.#length > 0 && this.#gap > 0) this.#push(this.#gap === 1 ? ' ' : this.#gap === 2 ? '\n' : '\n\n');
    this.#gap = 0;
  }

  #push(text: string): void {
    this.#parts.push(text);
    this.#length += text.length;
  }
}

import { nothing, type TemplateResult } from 'lit-html';
import { action } from './action.ts';

export interface PageOf<Entry> {
  entries: readonly Entry[];
  /** The cursor of the page after it; null at the end. */
  next: string | null;
}

/** A list that is read page by page, as a person asks for more. */
export class Pager<Entry> {
  all: readonly Entry[] = [];
  #next: string | null = null;
  readonly #read: (cursor: string | undefined) => Promise<PageOf<Entry>>;
  readonly #repaint: () => void;

  private constructor(read: (cursor: string | undefined) => Promise<PageOf<Entry>>, repaint: () => void) {
    this.#read = read;
    this.#repaint = repaint;
  }

  /** Reads the first page. @param read gets the cursor of a page; undefined for the first */
  static async open<Entry>(
    { repaint }: { repaint(): void },
    read: (cursor: string | undefined) => Promise<PageOf<Entry>>,
  ): Promise<Pager<Entry>> {
    const pager = new Pager(read, repaint);
    await pager.reread();
    return pager;
  }

  /** Reads the first page again, in the place of all that is shown. */
  async reread(): Promise<void> {
    const { entries, next } = await this.#read(undefined);
    [this.all, this.#next] = [entries, next];
  }

  readonly #more = async (): Promise<void> => {
    const from = this.#next;
    if (from === null) return;
    const { entries, next } = await this.#read(from);
    // What was read again meanwhile is not what these would follow.
    if (this.#next !== from) return;
    [this.all, this.#next] = [[...this.all, ...entries], next];
    this.#repaint();
  };

  /** The button for the next page; nothing at the end. */
  button(label = 'Show older'): TemplateResult | typeof nothing {
    return this.#next === null ? nothing : action(label, this.#more);
  }
}

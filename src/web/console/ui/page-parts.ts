import { html, nothing, type TemplateResult } from 'lit-html';
import { isSignedOut, messageOf } from './console-service.ts';
import { action } from './kit/action.ts';

/** Says which part of a page did not load, and offers to read it again. @param isOld whether what it showed before is shown */
export const missing = (name: string, err: unknown, isOld: boolean, again: () => Promise<void>): TemplateResult => html`
  <div class="empty failed" role="alert">
    <p><strong>“${name}” did not load.</strong> ${messageOf(err)} ${isOld ? 'What you see may be out of date.' : nothing}</p>
    ${action('Try again', again, { of: name })}
  </div>`;

/** A part of a page, which is read by itself. When reading fails, what it showed before stays. */
export class Part<Value> {
  readonly #name: string;
  readonly #read: (before: Value | undefined) => Promise<Value>;
  readonly #repaint: () => void;
  /** An array of one, because the value may be null. */
  #known: [Value] | [];
  #problem: unknown = null;

  constructor(
    name: string,
    read: (before: Value | undefined) => Promise<Value>,
    repaint: () => void,
    before?: Part<Value>,
  ) {
    [this.#name, this.#read, this.#repaint] = [name, read, repaint];
    this.#known = before ? before.#known : [];
  }

  /** @throws SignetError only when the credential has ended */
  async read(): Promise<void> {
    try {
      this.#known = [await this.#read(this.value)];
      this.#problem = null;
    } catch (err) {
      if (isSignedOut(err)) throw err;
      this.#problem = err;
    }
  }

  /** Why the latest reading failed; null if it did not. */
  get problem(): unknown {
    return this.#problem;
  }

  /** What was read last. Undefined: nothing yet. */
  get value(): Value | undefined {
    return this.#known[0];
  }

  set value(value: Value) {
    [this.#known, this.#problem] = [[value], null];
  }

  readonly #again = async (): Promise<void> => {
    await this.read();
    this.#repaint();
  };

  show(draw: (value: Value) => unknown): unknown {
    const [problem, known] = [this.#problem, this.#known];
    return html`${problem === null ? nothing : missing(this.#name, problem, known.length > 0, this.#again)}${known.length === 0 ? nothing : draw(known[0])}`;
  }
}

/**
 * Reads a part of the page that opens. @param name what is missing if that fails, in words; each part has its own
 * @param read gets what the part shows so far
 */
export type ReadPart = <Value>(
  name: string,
  read: (before: Value | undefined) => Promise<Value>,
) => Promise<Part<Value>>;

/** The parts of one opening of a page. */
export class Parts {
  readonly #before: ReadonlyMap<string, Part<unknown>>;
  readonly #repaint: () => void;
  readonly #parts = new Map<string, Part<unknown>>();

  /** @param before those of the same page, whose values stay where reading fails */
  constructor(before: Parts | null, repaint: () => void) {
    this.#before = before === null ? new Map() : before.#parts;
    this.#repaint = repaint;
  }

  readonly read: ReadPart = async <Value>(name: string, read: (before: Value | undefined) => Promise<Value>) => {
    const part = new Part(name, read, this.#repaint, this.#before.get(name) as Part<Value> | undefined);
    this.#parts.set(name, part as Part<unknown>);
    await part.read();
    return part;
  };

  get problems(): unknown[] {
    return [...this.#parts.values()].flatMap(({ problem }) => (problem === null ? [] : [problem]));
  }

  /**
   * Where none of several parts was read, the page itself has failed, and its view is closed. A page of one part shows more
   * than that part. @throws what failed first
   */
  requireSome(view: { close?(): void }): void {
    const { problems } = this;
    if (problems.length < Math.max(2, this.#parts.size)) return;
    view.close?.();
    throw problems[0];
  }
}

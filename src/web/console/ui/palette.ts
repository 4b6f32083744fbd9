import { html, nothing, render } from 'lit-html';
import { counted } from './format.ts';
import { ask } from './toast.ts';
import type { Command } from './workspace.ts';

/** The palette: every page, agent and action by its name. */

const SHOWN_MAX = 12;

/** The entries that have all the words typed, those that start with them first. */
function matching(commands: readonly Command[], typed: string): Command[] {
  const wanted = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const textOf = ({ title, hint = '' }: Command): string => `${title} ${hint}`.toLowerCase();
  const found = commands.filter((command) => wanted.every((word) => textOf(command).includes(word)));
  const rank = (command: Command): number => (textOf(command).startsWith(wanted[0] ?? '') ? 0 : 1);
  return found.toSorted((a, b) => rank(a) - rank(b));
}

class Palette {
  readonly #commands: readonly Command[];
  readonly #close: (value: string) => void;
  readonly #label: string;
  #found: Command[] = [];
  /** Entries that match and are not shown. */
  #others = 0;
  #at = 0;

  constructor(commands: readonly Command[], label: string, close: (value: string) => void) {
    this.#commands = commands;
    this.#close = close;
    this.#label = label;
    this.#find('');
  }

  #find(typed: string): void {
    const found = matching(this.#commands, typed);
    [this.#found, this.#others] = [found.slice(0, SHOWN_MAX), Math.max(0, found.length - SHOWN_MAX)];
  }

  readonly #type = (event: InputEvent): void => {
    this.#find((event.target as HTMLInputElement).value);
    this.#at = 0;
    this.#draw();
  };

  readonly #press = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && this.#found.length > 0) {
      event.preventDefault();
      this.#at = (this.#at + step + this.#found.length) % this.#found.length;
      this.#draw();
      document.getElementById(`palette-${this.#at}`)?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter') {
      event.preventDefault();
      this.#choose(this.#at);
    }
  };

  #choose(at: number): void {
    const chosen = this.#found[at];
    if (!chosen) return;
    this.#close(String(this.#commands.indexOf(chosen)));
  }

  #draw(): void {
    const place = document.getElementById('palette');
    if (place) render(this.template(), place);
  }

  template() {
    const entries = this.#found.map(
      ({ title, hint, keys }, i) => html`
        <li id="palette-${i}" role="option" aria-selected=${i === this.#at} @click=${() => this.#choose(i)}>
          <span>${title}</span> ${hint ? html`<span class="fine">${hint}</span>` : nothing} ${keys ? html`<kbd>${keys}</kbd>` : nothing}
        </li>`,
    );
    return html`
      <input role="combobox" aria-expanded="true" aria-controls="palette-list" aria-autocomplete="list" autofocus
        aria-label=${this.#label} placeholder=${this.#label} spellcheck="false"
        autocomplete="off" aria-activedescendant=${entries.length > 0 ? `palette-${this.#at}` : nothing}
        @input=${this.#type} @keydown=${this.#press}>
      <ul id="palette-list" role="listbox" aria-label=${this.#label}>${entries}</ul>
      ${this.#others > 0 ? html`<p class="fine">${counted(this.#others, 'more. Type to find it.', 'more. Type to find one.')}</p>` : nothing}
      ${entries.length === 0 ? html`<p class="fine" role="status">Nothing matches.</p>` : nothing}`;
  }
}

/** Opens the palette, and runs what is chosen. @param label what a person types into its field */
export async function openPalette(
  commands: readonly Command[],
  label: string = 'Type a page, an agent or an action',
): Promise<void> {
  if (document.querySelector('dialog[open]')) return;
  const options = { label, name: 'palette' };
  const chosen = ask((close) => {
    const palette = new Palette(commands, label, close);
    queueMicrotask(() => {
      const place = document.getElementById('palette');
      if (place) render(palette.template(), place);
      place?.querySelector('input')?.focus();
    });
    return html`<div id="palette"></div>`;
  }, options);
  const index = await chosen;
  if (index !== '') await commands[Number(index)]?.run();
}

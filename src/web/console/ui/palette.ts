import { html, nothing, render, type TemplateResult } from 'lit-html';
import { counted } from './format.ts';
import { ask } from './toast.ts';
import type { Command } from './workspace.ts';

/** The palette: every page, agent and action by its name or by other words for it, then what a search finds. */

const SHOWN_MAX = 12;
/** A person who types goes on within this time, so a search for less would be for nothing. */
const PAUSE_MS = 180;
const SEARCHED_LEAST = 2;

/** What a search found, under its heading. `problem`: why it could not be searched; null if it was. */
export interface FoundCommands {
  heading: string;
  commands: readonly Command[];
  problem: string | null;
}

interface Options {
  /** What a person types into the field. */
  label?: string;
  /** Searches for what was typed. The groups stand in their order. */
  find?: ((typed: string) => Promise<FoundCommands[]>) | undefined;
}

/** Where the words that were typed are: at the start, in the title or the hint, or only in other words for it. */
function rankOf({ title, hint = '' }: Command, wanted: readonly string[]): number {
  const text = `${title} ${hint}`.toLowerCase();
  if (text.startsWith(wanted.join(' '))) return 0;
  return wanted.every((word) => text.includes(word)) ? 1 : 2;
}

/** The entries that have all the words typed, the best first. */
function matching(commands: readonly Command[], typed: string): Command[] {
  const wanted = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const textOf = ({ title, hint = '', words = '' }: Command): string => `${title} ${hint} ${words}`.toLowerCase();
  const found = commands.filter((command) => wanted.every((word) => textOf(command).includes(word)));
  return found.toSorted((a, b) => rankOf(a, wanted) - rankOf(b, wanted));
}

class Palette {
  readonly #commands: readonly Command[];
  readonly #close: (value: string) => void;
  readonly #label: string;
  readonly #find: Options['find'];
  #groups: FoundCommands[] = [];
  /** What was found for the text before stays until there is something else. */
  #searched: FoundCommands[] = [];
  /** Entries that match and are not shown. */
  #others = 0;
  #at = 0;
  #typed = '';
  #isSearching = false;
  #pause: ReturnType<typeof setTimeout> | undefined;
  chosen: Command | null = null;

  constructor(commands: readonly Command[], { label = '', find }: Options, close: (value: string) => void) {
    this.#commands = commands;
    this.#close = close;
    this.#label = label;
    this.#find = find;
    this.#match();
  }

  get #found(): readonly Command[] {
    return this.#groups.flatMap(({ commands }) => commands);
  }

  #match(): void {
    const found = matching(this.#commands, this.#typed);
    // Of many agents, what a search finds must not be out of sight.
    const most = this.#searched.length > 0 ? SHOWN_MAX / 2 : SHOWN_MAX;
    this.#others = Math.max(0, found.length - most);
    const own = { heading: 'Pages and actions', commands: found.slice(0, most), problem: null };
    this.#groups = [own, ...this.#searched];
  }

  readonly #type = (event: InputEvent): void => {
    this.#typed = (event.target as HTMLInputElement).value;
    this.#at = 0;
    this.#ask();
    this.#match();
    this.#draw();
  };

  /** Searches once a person pauses. */
  #ask(): void {
    clearTimeout(this.#pause);
    const [find, typed] = [this.#find, this.#typed.trim()];
    this.#isSearching = find !== undefined && typed.length >= SEARCHED_LEAST;
    if (!this.#isSearching || find === undefined) {
      this.#searched = [];
      return;
    }
    this.#pause = setTimeout(async () => {
      const found = await find(typed);
      if (typed !== this.#typed.trim()) return;
      const before = this.#found[this.#at];
      [this.#searched, this.#isSearching] = [found, false];
      this.#match();
      // What was chosen with the arrow keys stays chosen.
      this.#at = Math.max(0, before === undefined ? 0 : this.#found.indexOf(before));
      this.#draw();
    }, PAUSE_MS);
  }

  readonly #press = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const { length } = this.#found;
    if (step !== 0 && length > 0) {
      event.preventDefault();
      this.#at = (this.#at + step + length) % length;
      this.#draw();
      document.getElementById(`palette-${this.#at}`)?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter') {
      event.preventDefault();
      this.#choose(this.#at);
    }
  };

  #choose(at: number): void {
    this.chosen = this.#found[at] ?? null;
    if (this.chosen) this.#close('chosen');
  }

  /** Its own: what a search finds late must not be drawn over a palette that was opened since. */
  #place: HTMLElement | null = null;

  open(place: HTMLElement | null): void {
    this.#place = place;
    this.#draw();
    place?.querySelector('input')?.focus();
  }

  #draw(): void {
    if (this.#place) render(this.#template(), this.#place);
  }

  #entry({ title, hint, keys }: Command, at: number): TemplateResult {
    return html`
      <li id="palette-${at}" role="option" aria-selected=${at === this.#at} @click=${() => this.#choose(at)}>
        <span class="palette-title">${title}</span> ${hint ? html`<span class=${hint.includes(' /v1/') ? 'fine mono' : 'fine'}>${hint}</span>` : nothing} ${keys ? html`<kbd>${keys}</kbd>` : nothing}
      </li>`;
  }

  #group({ heading, commands }: FoundCommands, from: number): TemplateResult | typeof nothing {
    if (commands.length === 0) return nothing;
    const entries = commands.map((command, i) => this.#entry(command, from + i));
    // Without a search there is one group, which needs no heading.
    const title =
      this.#searched.length === 0 ? nothing : html`<p class="palette-heading" aria-hidden="true">${heading}</p>`;
    return html`${title}<ul role="group" aria-label=${heading}>${entries}</ul>`;
  }

  #template(): TemplateResult {
    const count = this.#found.length;
    let from = 0;
    const groups = this.#groups.map((group) => {
      const drawn = this.#group(group, from);
      from += group.commands.length;
      return drawn;
    });
    const state = this.#isSearching ? 'Searching…' : count === 0 ? 'Nothing matches.' : '';
    return html`
      <input role="combobox" aria-expanded="true" aria-controls="palette-list" aria-autocomplete="list" autofocus
        aria-label=${this.#label} placeholder=${this.#label} spellcheck="false"
        autocomplete="off" aria-activedescendant=${count > 0 ? `palette-${this.#at}` : nothing}
        @input=${this.#type} @keydown=${this.#press}>
      <div id="palette-list" role="listbox" aria-label=${this.#label}>${groups}</div>
      ${this.#groups.map(({ problem }) => (problem === null ? nothing : html`<p class="fine problem" role="status">${problem}</p>`))}
      ${this.#others > 0 && this.#searched.length === 0 ? html`<p class="fine">${counted(this.#others, 'more. Type to find it.', 'more. Type to find one.')}</p>` : nothing}
      <p class="fine" role="status">${state}</p>`;
  }
}

/** Opens the palette, and runs what is chosen. */
export async function openPalette(
  commands: readonly Command[],
  { label = 'Type a page, an agent or an action', find }: Options = {},
): Promise<void> {
  if (document.querySelector('dialog[open]')) return;
  let opened: Palette | undefined;
  await ask(
    (close) => {
      const palette = new Palette(commands, { label, find }, close);
      opened = palette;
      queueMicrotask(() => palette.open(document.getElementById('palette')));
      return html`<div id="palette"></div>`;
    },
    { label, name: 'palette' },
  );
  await opened?.chosen?.run();
}

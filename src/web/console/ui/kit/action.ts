import { html, nothing, type TemplateResult } from 'lit-html';
import { onPress } from '../handlers.ts';
import { copy, toast } from '../toast.ts';
import { type Icon, icon } from './icon.ts';

/** What a person presses, and what follows from it. */

interface Look {
  /** `primary`, `decide` or `quiet`. */
  kind?: string;
  /** What it is about, for those who hear one button after the other. */
  of?: string;
  id?: string;
  icon?: Icon;
  /** The single key that presses it. */
  key?: string;
}

/** A button. It ignores further presses until its work is done, and says a failure. */
export const action = (
  label: string,
  work: () => Promise<void>,
  { kind = '', of = '', id, icon: drawn, key }: Look = {},
): TemplateResult => html`
  <button type="button" class=${`button ${kind}`.trim()} id=${id ?? nothing} data-key=${key ?? nothing} @click=${onPress(work)}>
    ${drawn === undefined ? nothing : icon(drawn)} ${label}${of === '' ? nothing : html`<span class="visually-hidden"> ${of}</span>`}
  </button>`;

/** The button of an entry. */
export const rowAction = (label: string, of: string, work: () => Promise<void>): TemplateResult =>
  action(label, work, { kind: 'quiet', of });

/** A text to take along, and the button that copies it. @param id of the text */
export const copyable = (id: string, text: string): TemplateResult => html`
  <code id=${id}>${text}</code>
  ${action('Copy', () => copy(text, document.getElementById(id)), { kind: 'quiet', id: `copy-${id}` })}`;

/** Changes something, says so, and shows the page again. */
export async function change(
  { refresh }: { refresh(): Promise<void> },
  work: () => Promise<unknown>,
  done: string,
): Promise<void> {
  await work();
  toast(done);
  await refresh();
}

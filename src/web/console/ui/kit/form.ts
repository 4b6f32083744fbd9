import { html, nothing, type TemplateResult } from 'lit-html';
import { onSubmit } from '../handlers.ts';

/** Forms and their fields. */

type Work = (form: HTMLFormElement) => Promise<void>;

interface FormLook {
  id?: string;
  kind?: string;
  title?: string;
  /** Called when something is typed or chosen. */
  onInput?(): void;
}

/** Where a form says what was wrong. Screen readers announce it. */
export const problem = html`<p class="problem" role="alert"></p>`;

/** @param buttons the label of its only button, or all of its buttons */
export const form = (
  { id, kind = 'sheet', title, onInput }: FormLook,
  work: Work,
  fields: unknown,
  buttons: string | TemplateResult,
): TemplateResult => html`
  <form class=${kind || nothing} id=${id ?? nothing} @submit=${onSubmit(work)} @input=${onInput ?? nothing}>
    ${title === undefined ? nothing : html`<h2>${title}</h2>`}
    ${fields} ${problem}
    <p class="actions">${typeof buttons === 'string' ? html`<button class="button primary">${buttons}</button>` : buttons}</p>
  </form>`;

interface Line {
  /** Of the control. */
  id: string;
  label: string;
  control: TemplateResult;
  action: string;
  hint?: string;
  kind?: string;
}

/** A form of one field, with its button beside it. The control names a hint with `aria-describedby="{id}-hint"`. */
export const lineForm = (work: Work, { id, label, control, action, hint, kind }: Line): TemplateResult => html`
  <form class=${kind ?? nothing} @submit=${onSubmit(work)}>
    <label for=${id}>${label}</label>
    <div class="joined">${control}<button class="button">${action}</button></div>
    ${hint === undefined ? nothing : html`<p class="fine" id="${id}-hint">${hint}</p>`} ${problem}
  </form>`;

/** A control with its label. It names a hint with `aria-describedby="{id}-hint"`. */
export const field = (id: string, label: string, control: TemplateResult, hint?: string, kind = ''): TemplateResult =>
  html`<div class=${`field ${kind}`.trim()}>
    <label for=${id}>${label}</label>${control}
    ${hint === undefined ? nothing : html`<p class="fine" id="${id}-hint">${hint}</p>`}
  </div>`;

/** The options of a `select`. @param labels by value */
export const options = (labels: Readonly<Record<string, string>>, chosen?: string): TemplateResult[] =>
  Object.entries(labels).map(
    ([value, label]) => html`<option value=${value} ?selected=${value === chosen}>${label}</option>`,
  );

/** The text of a field of a form exactly as it was typed. */
export function typedText(form: HTMLFormElement, name: string): string {
  const control = form.elements.namedItem(name);
  return control instanceof HTMLTextAreaElement || control instanceof HTMLInputElement ? control.value : '';
}

/** The trimmed text of a field of a form. */
export const textIn = (form: HTMLFormElement, name: string): string => {
  const value = new FormData(form).get(name);
  return typeof value === 'string' ? value.trim() : '';
};

/** What was chosen of several boxes of one name. */
export const chosenIn = (form: HTMLFormElement, name: string): string[] => new FormData(form).getAll(name).map(String);

/** The entries of a list that was typed with commas between them. */
export const listIn = (form: HTMLFormElement, name: string, separator: RegExp = /[,;]/): string[] =>
  textIn(form, name)
    .split(separator)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** USDC as the API takes it: with a point. A number without one would be atomic. Null for an empty field. */
export const usdcIn = (form: HTMLFormElement, name: string): string | null => {
  const typed = textIn(form, name).replace(',', '.');
  return typed === '' ? null : typed.includes('.') ? typed : `${typed}.00`;
};

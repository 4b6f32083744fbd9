import { html, nothing, type TemplateResult } from 'lit-html';

/** What pages are made of. */

interface ViewLook {
  /** The class of the title. */
  kind?: string;
  /** Leads to the page above. */
  back?: readonly [text: string, href: string];
  intro?: string;
  /** Beside the title. */
  beside?: unknown;
}

/** A page: its title, what it is for, and its content. */
export const view = (title: string, { kind, back, intro, beside }: ViewLook, content: unknown): TemplateResult => html`
  <div class="view">
    ${back === undefined ? nothing : html`<p><a href=${back[1]}>← ${back[0]}</a></p>`}
    ${beside === undefined ? html`<h1 class=${kind ?? nothing}>${title}</h1>` : html`<div class="heading"><h1 class=${kind ?? nothing}>${title}</h1>${beside}</div>`}
    ${intro === undefined ? nothing : html`<p class="intro">${intro}</p>`}
    ${content}
  </div>`;

/** A section with its title. @param id of the title @param beside what stands beside it */
export const section = (
  id: string,
  title: string,
  content: unknown,
  { kind = 'sheet', beside }: { kind?: string; beside?: unknown } = {},
): TemplateResult => html`
  <section class=${kind || nothing} aria-labelledby=${id}>
    ${beside === undefined ? html`<h2 id=${id}>${title}</h2>` : html`<div class="heading"><h2 id=${id}>${title}</h2>${beside}</div>`}
    ${content}
  </section>`;

/** What a state is called, and the class of its colour: `good`, `warn`, `failed` or none. */
export type State = readonly [text: string, kind: string];

export const badge = ([text, kind]: State): TemplateResult => html`<span class="badge ${kind}">${text}</span>`;

/** Links to views of one thing. */
export const tabs = (
  label: string,
  links: readonly (readonly [text: string, href: string, isCurrent: boolean])[],
) => html`
  <nav class="folders" aria-label=${label}>
    ${links.map(([text, href, isCurrent]) => html`<a href=${href} aria-current=${isCurrent ? 'page' : nothing}>${text}</a>`)}
  </nav>`;

export type Fact = readonly [name: string, value: string | TemplateResult | null];

/** Names and values. What is empty is left out. */
export const facts = (
  rows: readonly Fact[],
  { kind = 'facts', id }: { kind?: string; id?: string } = {},
): TemplateResult => html`
  <dl class=${kind} id=${id ?? nothing}>
    ${rows.map(([name, value]) => (value === null || value === '' ? nothing : html`<div><dt>${name}</dt><dd>${value}</dd></div>`))}
  </dl>`;

import { html, nothing, type TemplateResult } from 'lit-html';

/** One card in the middle of a page: what a person does without the frame of the console. */
export const card = (content: TemplateResult, kind = ''): TemplateResult => html`
  <div class="centred">
    <main class="card ${kind}">
      <a class="brand" href="/"><img src="/assets/seal.svg" alt="" width="44" height="44">Signet</a>
      ${content}
    </main>
  </div>`;

export type Fact = readonly [name: string, value: string | TemplateResult | null];

/** Names and values. What is empty is left out. */
export const facts = (rows: readonly Fact[], id?: string): TemplateResult => html`
  <dl class="facts" id=${id ?? nothing}>
    ${rows.map(([name, value]) => (value === null || value === '' ? nothing : html`<div><dt>${name}</dt><dd>${value}</dd></div>`))}
  </dl>`;

import { html, type TemplateResult } from 'lit-html';

/** One card in the middle of a page: what a person does without the frame of the console. */
export const card = (content: TemplateResult, kind = ''): TemplateResult => html`
  <div class="centred">
    <main class="card ${kind}">
      <a class="brand" href="/"><img src="/assets/seal.svg" alt="" width="44" height="44">Signet</a>
      ${content}
    </main>
  </div>`;

import { html, type TemplateResult } from 'lit-html';
import { copy } from '../../ui/toast.ts';
import { words } from '../../words/console-words.ts';

/** The same example in several languages, in tabs as the ARIA patterns describe them. */

type Language = keyof typeof words.examples;

const languages = Object.keys(words.examples) as Language[];
let chosen: Language = 'curl';

/** @param agent what an agent that was just made has; the examples then go on with it */
export function codeTabs(repaint: () => void, agent: { key: string; address: string } | null): TemplateResult {
  const choose = (language: Language): void => {
    chosen = language;
    repaint();
  };
  const press = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    choose(languages[(languages.indexOf(chosen) + step + languages.length) % languages.length] ?? chosen);
    document.getElementById(`tab-${chosen}`)?.focus();
  };
  const examples = agent === null ? words.examples : words.ownExamples;
  const text = examples[chosen]
    .replaceAll('{origin}', location.origin)
    .replaceAll('{key}', agent?.key ?? '')
    .replaceAll('{address}', agent?.address ?? '');
  return html`
    <div class="tabs" role="tablist" aria-label=${words.front.language} @keydown=${press}>
      ${languages.map(
        (language) => html`
          <button type="button" role="tab" id="tab-${language}" aria-controls="example" aria-selected=${language === chosen}
            tabindex=${language === chosen ? 0 : -1} @click=${() => choose(language)}>${language}</button>`,
      )}
    </div>
    <div class="command" role="tabpanel" id="example" aria-labelledby="tab-${chosen}">
      <pre tabindex="0"><code>${text}</code></pre>
      <button type="button" class="copy" @click=${() => void copy(text, document.querySelector('#example code'))}>${words.notices.copy}</button>
    </div>`;
}

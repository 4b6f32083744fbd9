import { html, nothing, type TemplateResult } from 'lit-html';
import { count } from '../ui/format.ts';

let made = 0;

/** A bar of what is used of a limit. It turns red from nine tenths on. */
export function bar(
  label: string,
  used: number,
  limit: number,
  text: string,
  foot?: TemplateResult | string,
): TemplateResult {
  const id = `bar-${made++}`;
  return html`
    <div class=${used >= limit * 0.9 ? 'usage near' : 'usage'}>
      <p class="usage-label"><span id=${id}>${label}</span> <span class="figures">${text}</span></p>
      <progress max=${Math.max(limit, 1)} value=${Math.min(used, limit)} aria-labelledby=${id}></progress>
      ${foot === undefined ? nothing : html`<p class="fine">${foot}</p>`}
    </div>`;
}

/** A bar that says both numbers. */
export const usedBar = (
  label: string,
  { used, limit }: { used: number; limit: number },
  show: (value: number) => string = count,
  foot?: string,
): TemplateResult => bar(label, used, limit, `${show(used)} of ${show(limit)}`, foot);

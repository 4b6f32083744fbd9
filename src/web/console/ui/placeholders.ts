import { html, nothing, type TemplateResult } from 'lit-html';
import { hasCode, isUnreachable, messageOf } from './console-service.ts';

/** What a list or a page shows while it has nothing to show. */

export const loading = (): TemplateResult => html`
  <div class="skeleton" role="status">
    <span class="visually-hidden">Loading</span>
    <i></i><i></i><i></i>
  </div>`;

export const empty = (text: string): TemplateResult => html`<div class="empty"><p>${text}</p></div>`;

/** The page of something that was there once. @param back leads to what is still there */
export const forgotten = (text: string, [label, href]: readonly [string, string]): TemplateResult => html`
  <div class="empty forgotten">
    <h1>No longer kept</h1>
    <p>${text}</p>
    <p><a class="button" href=${href}>${label}</a></p>
  </div>`;

export function failed(err: unknown, again: () => void): TemplateResult {
  const isRefused = hasCode(err, 'insufficient_scope');
  const title = isUnreachable(err) ? 'You are offline' : isRefused ? 'This key may not see this' : 'This did not load';
  const isMissing = hasCode(err, 'not_found');
  return html`
    <div class="empty failed" role="alert">
      <h1>${isMissing ? 'Nothing here' : title}</h1>
      <p>${isMissing ? 'It was deleted, or the address is wrong.' : messageOf(err)}</p>
      ${isRefused || isMissing ? nothing : html`<button type="button" class="button" @click=${again}>Try again</button>`}
    </div>`;
}

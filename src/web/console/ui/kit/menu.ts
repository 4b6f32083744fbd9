import { html, type TemplateResult } from 'lit-html';
import { icon } from './icon.ts';

/** Closes a menu that lost the focus, or whose entry was pressed. */
function closeOn(event: FocusEvent | MouseEvent): void {
  const menu = event.currentTarget as HTMLDetailsElement;
  const isInside =
    event instanceof FocusEvent && event.relatedTarget instanceof Node && menu.contains(event.relatedTarget);
  const isEntry = event.type === 'click' && (event.target as Element).closest('.menu-entries button') !== null;
  if (isEntry || (event.type === 'focusout' && !isInside)) menu.open = false;
}

function closeByKey(event: KeyboardEvent): void {
  const menu = event.currentTarget as HTMLDetailsElement;
  if (event.key !== 'Escape' || !menu.open) return;
  menu.open = false;
  menu.querySelector('summary')?.focus();
}

/** What is rarely needed, behind one button. */
export const menu = (entries: unknown): TemplateResult => html`
  <details class="more" @focusout=${closeOn} @click=${closeOn} @keydown=${closeByKey}>
    <summary class="button">${icon('more')} More</summary>
    <div class="menu-entries">${entries}</div>
  </details>`;

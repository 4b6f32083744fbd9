import { html, nothing, type TemplateResult } from 'lit-html';

/** Tells a person who is asked to operate an agent for how long its key can undo that. */
export const youngOperator = ({ removable_days: days }: { removable_days: number }): TemplateResult | typeof nothing =>
  days === 0
    ? nothing
    : html`<p class="fine" id="young">For ${days} days after you confirm, the agent’s key can remove you at once.</p>`;

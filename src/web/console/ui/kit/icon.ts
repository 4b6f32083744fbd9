import { html, svg, type TemplateResult } from 'lit-html';

/** Small drawings of a line's width. They say nothing by themselves: words stand beside them. */

const LINES = {
  archive: 'M2 3h12v3H2zM3 6v7h10V6M6.5 8.5h3',
  spam: 'M5.2 1.8h5.6l3.4 3.4v5.6l-3.4 3.4H5.2l-3.4-3.4V5.2zM8 4.8v4M8 11v.2',
  trash: 'M2.5 4h11M6 4V2.5h4V4M4 4l.7 9.5h6.6L12 4M6.7 6.5v4.5M9.3 6.5v4.5',
  inbox: 'M2 9.5 4 3h8l2 6.5v4H2zM2 9.5h3.5l1 1.8h3l1-1.8H14',
  clip: 'M11.5 6.5 7 11a2 2 0 0 1-2.9-2.9l5.2-5.2a3 3 0 0 1 4.3 4.3l-5.5 5.4',
  star: 'M8 1.8l1.9 4 4.3.5-3.2 3 .9 4.3L8 11.5l-3.9 2.1.9-4.3-3.2-3 4.3-.5z',
  more: 'M3 8h.01M8 8h.01M13 8h.01',
} as const;
export type Icon = keyof typeof LINES;

export const icon = (name: Icon): TemplateResult => html`
  <svg class="icon icon-${name}" viewBox="0 0 16 16" aria-hidden="true">${svg`<path d=${LINES[name]}></path>`}</svg>`;

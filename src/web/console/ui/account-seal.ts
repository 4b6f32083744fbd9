import { html, svg, type TemplateResult } from 'lit-html';

/**
 * Draws a seal: a guilloché rosette with a legend around it. The text alone determines its shape, so an account always has
 * the same seal and people recognize it.
 */

const CENTRE = 100;
/** Degrees that turn the first word of the legend to the top. */
const LEGEND_TURN = 152;
const STEPS = 360;
/** Radius of the rosette's petals. */
const OUTER = 70;
const CURVES = 9;

/** FNV-1a as the seed of a small generator of numbers in [0, 1). For looks, not for secrets. */
function numbersFrom(text: string): () => number {
  let state = 2166136261;
  for (const char of text) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 16777619);
  return () => {
    state = Math.imul(state ^ (state >>> 15), 2246822519) + 374761393;
    return ((state ^ (state >>> 13)) >>> 0) / 4294967296;
  };
}

/** @returns path data of the closed polar curve */
function curve(radius: (angle: number) => number): string {
  let path = '';
  for (let i = 0; i < STEPS; i++) {
    const angle = (i / STEPS) * 2 * Math.PI;
    const r = radius(angle);
    const x = (CENTRE + r * Math.cos(angle)).toFixed(1);
    const y = (CENTRE + r * Math.sin(angle)).toFixed(1);
    path += `${i === 0 ? 'M' : 'L'}${x} ${y}`;
  }
  return `${path}Z`;
}

function rosette(next: () => number): TemplateResult<2>[] {
  const petals = 5 + Math.floor(next() * 8);
  const lobes = petals * (next() < 0.5 ? 2 : 3);
  const depth = 13 + next() * 5;
  return Array.from({ length: CURVES }, (_, i) => {
    const shift = (i / CURVES) * 2 * Math.PI;
    const path = curve(
      (angle) => OUTER - depth - 5 + depth * Math.cos(petals * angle + shift) + 5 * Math.cos(lobes * angle - shift * 2),
    );
    return svg`<path d=${path} class=${i % 2 === 0 ? 'line' : 'line faint'}></path>`;
  });
}

const circle = (r: number, name: string): TemplateResult<2> =>
  svg`<circle cx=${CENTRE} cy=${CENTRE} r=${r} class=${name}></circle>`;

let drawn = 0;

/**
 * @param text determines the shape
 * @param legend text around the rim
 * @param monogram one or two characters in the middle
 */
export function seal(text: string, legend: string, monogram: string): TemplateResult {
  const rim = `seal-rim-${drawn++}`;
  return html`
    <svg viewBox="0 0 200 200" class="seal" aria-hidden="true" focusable="false">
      ${[circle(97, 'rim'), circle(94, 'line'), circle(77, 'line'), circle(74.5, 'line faint')]}
      <path id=${rim} d="M100 182 a82 82 0 1 1 .01 0" fill="none"></path>
      <text class="legend" transform=${`rotate(${LEGEND_TURN} ${CENTRE} ${CENTRE})`}>
        <textPath href=${`#${rim}`} textLength="505" lengthAdjust="spacing">${legend}</textPath>
      </text>
      ${rosette(numbersFrom(text))} ${circle(22, 'core')} ${circle(19, 'line')}
      <text x=${CENTRE} y=${CENTRE} class="monogram">${monogram}</text>
    </svg>`;
}

const made = new Map<string, TemplateResult>();

/** The seal of an account. It is drawn once, because views are drawn again with every change. */
export function accountSeal(id: string, name: string | null): TemplateResult {
  const key = `${id} ${name}`;
  const monogram = [...(name || id.slice(-1))][0]?.toUpperCase() ?? 'S';
  const drawing = made.get(key) ?? seal(id, `${id.toUpperCase()} · `, monogram);
  made.set(key, drawing);
  return drawing;
}

import { svg } from './dom.js';

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

/**
 * FNV-1a as the seed of a small generator. For looks, not for secrets.
 * @param {string} text
 * @returns {() => number} numbers in [0, 1)
 */
function numbersFrom(text) {
  let state = 2166136261;
  for (const char of text) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 16777619);
  return () => {
    state = Math.imul(state ^ (state >>> 15), 2246822519) + 374761393;
    return ((state ^ (state >>> 13)) >>> 0) / 4294967296;
  };
}

/**
 * @param {(angle: number) => number} radius
 * @returns {string} path data of the closed polar curve
 */
function curve(radius) {
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

/**
 * @param {() => number} next
 * @returns {SVGElement[]}
 */
function rosette(next) {
  const petals = 5 + Math.floor(next() * 8);
  const lobes = petals * (next() < 0.5 ? 2 : 3);
  const depth = 13 + next() * 5;
  const curves = 9;
  return Array.from({ length: curves }, (_, i) => {
    const shift = (i / curves) * 2 * Math.PI;
    const path = curve(
      (angle) => OUTER - depth - 5 + depth * Math.cos(petals * angle + shift) + 5 * Math.cos(lobes * angle - shift * 2),
    );
    return svg('path', { d: path, class: i % 2 === 0 ? 'line' : 'line faint' });
  });
}

let drawn = 0;

/**
 * @param {string} text determines the shape
 * @param {string} legend text around the rim
 * @param {string} monogram one or two characters in the middle
 * @returns {SVGElement}
 */
export function drawSeal(text, legend, monogram) {
  const rim = `seal-rim-${drawn++}`;
  const circle = (/** @type {number} */ r, /** @type {string} */ name) =>
    svg('circle', { cx: CENTRE, cy: CENTRE, r, class: name });
  return svg(
    'svg',
    { viewBox: '0 0 200 200', class: 'seal', 'aria-hidden': 'true', focusable: 'false' },
    circle(97, 'rim'),
    circle(94, 'line'),
    circle(77, 'line'),
    circle(74.5, 'line faint'),
    svg('path', { id: rim, d: 'M100 182 a82 82 0 1 1 .01 0', fill: 'none' }),
    svg(
      'text',
      { class: 'legend', transform: `rotate(${LEGEND_TURN} ${CENTRE} ${CENTRE})` },
      svg('textPath', { href: `#${rim}`, textLength: 505, lengthAdjust: 'spacing' }, legend),
    ),
    ...rosette(numbersFrom(text)),
    circle(22, 'core'),
    circle(19, 'line'),
    svg('text', { x: CENTRE, y: CENTRE, class: 'monogram' }, monogram),
  );
}

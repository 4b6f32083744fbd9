import { type Color, contrast, over } from '../../../../mail/look/color.ts';
import type { Declarations } from '../../../../mail/look/css.ts';
import { type Look, pixels } from '../../../../mail/look/element-look.ts';

/**
 * What a mail may say about its looks. Nothing here can load, cover, move or hide: colours, type, alignment, room and lines.
 * Each value is read and written anew, so that what the browser draws is what the rule about hidden text has judged.
 */

const ROOM_MAX_PX = 96;
const LINE_MAX_PX = 16;
/** Text that is narrower has a letter on a line. */
const WIDTH_MIN_PX = 24;
/** A smaller type can hardly be read, and a larger one pushes the rest away. */
const TYPE_PX = { least: 10, most: 48 };
const LINE_HEIGHT = { least: 1, most: 3 };
/** Text of less contrast to what is drawn below it is drawn in other colours. */
const READABLE = 1.6;

const within = (value: number, { least, most }: { least: number; most: number }): number =>
  Math.min(Math.max(value, least), most);

type Rewrite = (value: string, look: Look) => string | null;

const oneOf =
  (...words: string[]): Rewrite =>
  (value) =>
    words.includes(value) ? value : null;

/** Lengths from 0 to `most` pixels; a negative one would move text out of sight. */
const room =
  (most: number, ...words: string[]): Rewrite =>
  (value, { fontSize }) => {
    if (words.includes(value)) return value;
    const px = value.endsWith('%') ? null : pixels(value, fontSize);
    return px === null || px < 0 ? null : `${Math.min(px, most)}px`;
  };

/** At most as wide as what is around it. */
const width: Rewrite = (value, { fontSize }) => {
  if (/^\d{1,3}(\.\d+)?%$/.test(value)) return `${Math.min(Number.parseFloat(value), 100)}%`;
  const px = pixels(value, fontSize);
  return px === null || px < WIDTH_MIN_PX ? null : `min(${px}px, 100%)`;
};

/** Lines that are too low would lie over each other. */
const lineHeight: Rewrite = (value, { fontSize }) => {
  if (value === 'normal') return value;
  const times = /^[\d.]+$/.test(value) ? Number(value) : (pixels(value, fontSize) ?? Number.NaN) / fontSize;
  return Number.isFinite(times) ? String(within(times, LINE_HEIGHT)) : null;
};

const colorText = ([r, g, b, alpha]: Color): string =>
  `rgba(${[r, g, b].map((channel) => Math.round(within(channel, { least: 0, most: 255 }))).join(', ')}, ${within(alpha, { least: 0, most: 1 })})`;

/** As the browser writes a colour that it has understood. */
const lineColor: Rewrite = (value) => (/^(rgba?\([\d., ]+\)|[a-z]+)$/.test(value) ? value : null);

const family: Rewrite = (value) => (/^[\w\s"',-]{1,200}$/.test(value) ? value : null);
const sides = (pattern: string, rewrite: Rewrite): [string, Rewrite][] =>
  ['top', 'right', 'bottom', 'left'].map((side) => [pattern.replace('*', side), rewrite]);

/** Each property as the browser names it when it has taken a shorthand apart. */
const ALLOWED = new Map<string, Rewrite>([
  ['font-family', family],
  ['font-style', oneOf('normal', 'italic', 'oblique')],
  ['font-weight', (value) => (/^(normal|bold|[1-9]00)$/.test(value) ? value : null)],
  ['font-variant-caps', oneOf('normal', 'small-caps', 'all-small-caps')],
  ['line-height', lineHeight],
  ['text-align', oneOf('left', 'right', 'center', 'justify', 'start', 'end')],
  ['text-decoration-line', (value) => (/^[a-z -]{1,40}$/.test(value) ? value : null)],
  ['text-decoration-style', oneOf('solid', 'double', 'dotted', 'dashed', 'wavy')],
  ['text-decoration-color', lineColor],
  ['vertical-align', oneOf('baseline', 'top', 'middle', 'bottom', 'sub', 'super', 'text-top', 'text-bottom')],
  ['width', width],
  ['max-width', width],
  ['border-collapse', oneOf('collapse', 'separate')],
  ...sides('padding-*', room(ROOM_MAX_PX)),
  ...sides('margin-*', room(ROOM_MAX_PX, 'auto')),
  ...sides('border-*-width', room(LINE_MAX_PX, 'thin', 'medium', 'thick')),
  ...sides('border-*-style', oneOf('none', 'solid', 'dashed', 'dotted', 'double')),
  ...sides('border-*-color', lineColor),
  ...['top-left', 'top-right', 'bottom-left', 'bottom-right'].map((corner): [string, Rewrite] => [
    `border-${corner}-radius`,
    room(ROOM_MAX_PX),
  ]),
]);

/** What a mail may write; the browser takes shorthands apart. Colours and sizes are in the {@link Look} already. */
const WRITTEN = new RegExp(
  [
    '^(font(-family|-style|-weight|-variant|-variant-caps)?|line-height|text-align|text-decoration(-line|-style|-color)?',
    'vertical-align|(max-)?width|border-collapse|(padding|margin)(-top|-right|-bottom|-left)?',
    'border(-top|-right|-bottom|-left)?(-width|-style|-color)?|border(-top|-bottom)?(-left|-right)?-radius)$',
  ].join('|'),
);
/** Only colours are functions: whatever else has brackets may load, compute or read something. */
const PLAIN = /^(?:[^(]|rgba?\([\d\s.,%/]*\)|hsla?\([\d\s.,%/a-z]*\)){1,300}$/;

/** Never in a page: it only takes apart what it is given. */
const scratch = document.createElement('i').style;

/** What is drawn around a text. */
export interface Drawn {
  color: Color;
  background: Color;
}

/** Sets what a mail says about an element, as far as it may. @returns what is drawn inside */
export function dress(style: CSSStyleDeclaration, declared: Declarations, look: Look, around: Drawn): Drawn {
  scratch.cssText = '';
  for (const [name, value] of declared) if (WRITTEN.test(name) && PLAIN.test(value)) scratch.setProperty(name, value);
  for (const [name, rewrite] of ALLOWED) {
    const written = scratch.getPropertyValue(name);
    const value = written === '' ? null : rewrite(written, look);
    if (value !== null) style.setProperty(name, value);
  }
  if (declared.has('font') || declared.has('font-size'))
    style.setProperty('font-size', `${within(look.fontSize, TYPE_PX)}px`);
  const drawn = { ...around };
  if (declared.has('color') || declared.has('-webkit-text-fill-color')) {
    drawn.color = look.color;
    style.setProperty('color', colorText(look.color));
  }
  if (look.background !== null && (declared.has('background') || declared.has('background-color'))) {
    drawn.background = look.background;
    style.setProperty('background-color', colorText(look.background));
  }
  return drawn;
}

/** Whether text can be read: its colours were chosen for a picture that is not drawn, for example. */
export const isReadable = ({ color, background }: Drawn): boolean =>
  contrast(over(color, background), background) >= READABLE;

import { type Color, contrast, over, parseColor } from './color.ts';
import type { Declarations, Matchable, StyleSheet } from './css.ts';

/** What decides whether text inside an element can be seen. Inherited from element to element. */
export interface Look {
  color: Color;
  /** Null: an image, or something that is not known. */
  background: Color | null;
  /** CSS pixels. */
  fontSize: number;
  opacity: number;
  visibility: boolean;
  /** Whether text shows at all. */
  isVisible: boolean;
}

export const ROOT_LOOK: Look = {
  color: [0, 0, 0, 1],
  background: [255, 255, 255, 1],
  fontSize: 16,
  opacity: 1,
  visibility: true,
  isVisible: true,
};

const SIZES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    'xx-small': 9,
    'x-small': 10,
    small: 13,
    medium: 16,
    large: 18,
    'x-large': 24,
  }),
);
/** What browsers do by themselves: text inside several of these vanishes, and so does yellow text that is marked. */
const SMALLER = 1 / 1.2;
const SHRINKING = new Map(Object.entries({ h5: 0.83, h6: 0.67, small: SMALLER, sub: SMALLER, sup: SMALLER }));
const MARKED: { color: Color; background: Color } = { color: [0, 0, 0, 1], background: [255, 255, 0, 1] };
/** A reader does not see text of less contrast than this. White on white is 1. */
const CONTRAST_MIN = 1.2;

/** A length in CSS pixels. Null: not a length, such as `auto`. */
export function pixels(value: string | undefined, em: number): number | null {
  const match = /^(-?(?:\d+(?:\.\d*)?|\.\d+))(px|pt|em|rem|ex|ch|%|in|cm|mm|pc|vw|vh)?$/.exec(value ?? '');
  if (!match) return null;
  const factors: Record<string, number> = {
    pt: 4 / 3,
    em,
    rem: 16,
    ex: em / 2,
    ch: em / 2,
    '%': em / 100,
    in: 96,
    cm: 37.8,
    mm: 3.78,
    pc: 16,
    vw: 12.8,
    vh: 7.2,
  };
  return Number(match[1]) * (factors[match[2] ?? 'px'] ?? 1);
}

function fontSizeOf(declarations: Declarations, parent: number, tag: string): number {
  const shorthand = /(?:^|\s)(0|\d{0,9}\.?\d{1,9}(?:px|pt|em|rem|%))(?:\/|\s)/.exec(
    declarations.get('font') ?? '',
  )?.[1];
  const value = declarations.get('font-size') ?? shorthand;
  const usual = parent * (SHRINKING.get(tag) ?? 1);
  if (value === undefined) return usual;
  return value === 'smaller' ? parent * SMALLER : (SIZES.get(value) ?? pixels(value, parent) ?? usual);
}

/** The first colour of a background. An image or a gradient hides what is below it, so its colour is not known. */
function backgroundOf(declarations: Declarations, parent: Color | null, tag: string): Color | null {
  const value = declarations.get('background-color') ?? declarations.get('background');
  const usual = tag === 'mark' ? MARKED.background : parent;
  if (value === undefined) return usual;
  if (/url\(|gradient/.test(declarations.get('background') ?? '')) return null;
  const color = parseColor(value) ?? parseColor(/^(?:[^\s(]|\([^)]*\)?)*/.exec(value)?.[0] ?? '');
  if (color === null) return usual;
  return color[3] === 1 ? color : parent && over(color, parent);
}

/** Computes what is in force inside an element. */
export function lookOf(declarations: Declarations, parent: Look, tag: string): Look {
  if (declarations.size === 0 && tag !== 'mark' && !SHRINKING.has(tag)) return parent;
  const fontSize = fontSizeOf(declarations, parent.fontSize, tag);
  const background = backgroundOf(declarations, parent.background, tag);
  const fill = declarations.get('-webkit-text-fill-color') ?? declarations.get('color');
  const usual = tag === 'mark' && fill !== 'inherit' ? MARKED.color : parent.color;
  const color = (fill === undefined ? null : parseColor(fill)) ?? usual;
  const opacity = parent.opacity * Math.min(1, Math.max(0, Number.parseFloat(declarations.get('opacity') ?? '1') || 0));
  const said = declarations.get('visibility');
  const visibility = said === undefined || said === 'inherit' ? parent.visibility : said === 'visible';
  const isTooFaint = background !== null && contrast(over(color, background), background) < CONTRAST_MIN;
  const isVisible = visibility && fontSize > 2 && opacity > 0.1 && color[3] > 0.05 && !isTooFaint;
  return { color, background, fontSize, opacity, visibility, isVisible };
}

const FAR = -500;

/** Attributes from before there were styles, and the property that each stands for. */
const ATTRIBUTES = [
  ['bgcolor', 'background-color'],
  ['color', 'color'],
  ['text', 'color'],
] as const;

/** What rules, the attribute `style` and older attributes say of an element. @throws MarkupFloodError */
export function declarationsOf(sheet: StyleSheet, element: Matchable): Map<string, string> {
  const declarations = sheet.of(element, element.attribute('style') ?? '');
  for (const [name, property] of ATTRIBUTES) {
    const value = element.attribute(name);
    if (value !== undefined && !declarations.has(property)) declarations.set(property, value);
  }
  if (element.attribute('background') !== undefined) declarations.set('background', 'url()');
  return declarations;
}

/** Whether an element shows nothing, whatever is inside: by its attributes, or by its box. */
export const isHiddenElement = ({ tag, attribute }: Matchable, declarations: Declarations): boolean =>
  (tag === 'dialog' && attribute('open') === undefined) ||
  attribute('hidden') !== undefined ||
  attribute('aria-hidden') === 'true' ||
  isHiddenBox(declarations);

/** Whether an element's box shows nothing. */
function isHiddenBox(declarations: Declarations): boolean {
  const of = (name: string): string => declarations.get(name) ?? '';
  const isZero = (name: string): boolean => {
    const value = pixels(of(name), 16);
    return value !== null && value <= 1;
  };
  if (of('display') === 'none' || of('mso-hide') === 'all' || of('content-visibility') === 'hidden') return true;
  const isClipped = /hidden|clip/.test(of('overflow') + of('overflow-x') + of('overflow-y'));
  if (isClipped && ['height', 'max-height', 'width', 'max-width'].some(isZero)) return true;
  if (
    /rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01]/.test(of('clip')) ||
    /inset\(\s*(?:50|100)%|circle\(\s*0|polygon\(\s*(?:0(?:px|%)?[\s,)]+){6}/.test(of('clip-path'))
  )
    return true;
  if (/scale[xy3d]{0,2}\(\s*0(?:\.0+)?\s*[),]|translate[xyz3d]{0,2}\([^)]{0,200}-\d{4,}/.test(of('transform')))
    return true;
  if (/opacity\(\s*0(?:\.0+)?%?\s*\)/.test(of('filter')) || (pixels(of('letter-spacing'), 16) ?? 0) <= -8) return true;
  const isPlaced = /absolute|fixed|relative|sticky/.test(of('position'));
  const isFar = (name: string): boolean => (pixels(of(name), 16) ?? 0) <= FAR;
  if (isPlaced && ['left', 'top', 'right', 'bottom'].some(isFar)) return true;
  return isFar('text-indent') || ['margin-left', 'margin-top'].some((name) => (pixels(of(name), 16) ?? 0) <= -2000);
}

/** A colour with its opacity: red, green and blue from 0 to 255, alpha from 0 to 1. */
export type Color = readonly [red: number, green: number, blue: number, alpha: number];

/** The names that mails use. Any other is read as unknown. */
const NAMES: ReadonlyMap<string, string> = new Map(Object.entries({
  white: 'ffffff', black: '000000', red: 'ff0000', green: '008000', blue: '0000ff', gray: '808080', grey: '808080',
  silver: 'c0c0c0', whitesmoke: 'f5f5f5', snow: 'fffafa', ivory: 'fffff0', ghostwhite: 'f8f8ff', navy: '000080',
  lightgray: 'd3d3d3', lightgrey: 'd3d3d3', gainsboro: 'dcdcdc', darkgray: 'a9a9a9', yellow: 'ffff00', orange: 'ffa500',
  purple: '800080', maroon: '800000', olive: '808000', lime: '00ff00', aqua: '00ffff', cyan: '00ffff', teal: '008080',
  fuchsia: 'ff00ff', magenta: 'ff00ff', pink: 'ffc0cb', beige: 'f5f5dc', floralwhite: 'fffaf0', azure: 'f0ffff',
})); // biome-ignore format: a table reads best filled.

function ofHex(hex: string): Color | null {
  const full = hex.length <= 4 ? hex.replace(/./g, '$&$&') : hex;
  if (!/^[\da-f]{6}(?:[\da-f]{2})?$/i.test(full)) return null;
  const channel = (at: number): number => Number.parseInt(full.slice(at, at + 2), 16);
  return [channel(0), channel(2), channel(4), full.length === 8 ? channel(6) / 255 : 1];
}

/** CSS Color 4, 7: a hue in degrees, saturation and lightness in parts of one. */
function ofHsl(hue: number, saturation: number, lightness: number): [number, number, number] {
  const channel = (n: number): number => {
    const k = (n + hue / 30) % 12;
    return (
      255 * (lightness - saturation * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(k - 3, 9 - k, 1)))
    );
  };
  return [channel(0), channel(8), channel(4)];
}

/** Reads a CSS colour. Null: unknown, such as a variable. */
export function parseColor(text: string): Color | null {
  const value = text.trim().toLowerCase();
  if (value === 'transparent') return [0, 0, 0, 0];
  if (value.startsWith('#')) return ofHex(value.slice(1));
  const named = NAMES.get(value);
  if (named !== undefined) return ofHex(named);
  const call = /^(rgb|hsl)a?\(([^)]{1,60})\)/.exec(value);
  if (!call) return /^[\da-f]{6}$/.test(value) ? ofHex(value) : null;
  const parts = (call[2] as string).split(/[\s,/]+/).filter((part) => part !== '');
  const numbers = parts.map((part) => Number.parseFloat(part));
  if (numbers.length < 3 || numbers.some((n) => !Number.isFinite(n))) return null;
  const [a, b, c] = numbers as [number, number, number];
  const alpha = numbers[3] === undefined ? 1 : parts[3]?.endsWith('%') ? numbers[3] / 100 : numbers[3];
  if (call[1] === 'hsl') return [...ofHsl(((a % 360) + 360) % 360, b / 100, c / 100), alpha];
  const scale = parts[0]?.endsWith('%') ? 2.55 : 1;
  return [a * scale, b * scale, c * scale, alpha];
}

/** The colour that shows when one lies over another. */
export const over = ([r, g, b, alpha]: Color, [r2, g2, b2]: Color): Color => [
  r * alpha + r2 * (1 - alpha),
  g * alpha + g2 * (1 - alpha),
  b * alpha + b2 * (1 - alpha),
  1,
];

/** Relative luminance (WCAG 2.2, relative luminance). */
function luminance([r, g, b]: Color): number {
  const linear = (channel: number): number => {
    const c = channel / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

/** The contrast of two opaque colours, from 1 to 21 (WCAG 2.2, contrast ratio). */
export function contrast(a: Color, b: Color): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

/** A text without its invisible characters, and a list of them. */
export interface Seen {
  text: string;
  /** How many characters were removed. */
  removed: number;
  /** Of those, characters that carry a message: tags, selectors and zero-width digits in a row. */
  payload: number;
  /** What the tags and selectors spell. */
  decoded: string;
  /** Invisible characters that split words, so that a search does not find them. */
  splits: number;
  /** Characters that reverse the order of what is shown. */
  overrides: number;
}

/** Runs of characters that show nothing, or that end a line. The marks that Arabic puts under numbers do show. */
const RUN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the point.
  /(?:(?![\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cf}\u2800\u2028\u2029\u0000-\u0008\u000b-\u001f\u007f-\u009f])+/gu;
const MAYBE =
  /[^\t\n\x20-\x7e\u00a0-\u00ac\u00ae-\u02ff\u0370-\u05ff\u0900-\u0dff\u0e00-\u0fff\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these end lines.
const BREAK = /[\u000b\u000c\u0085\u2028\u2029]/;

const PICTURE = /^[\p{Extended_Pictographic}\p{Emoji_Modifier}]$/u;
const EMOJI = /^\p{Emoji}$/u;
const SPACED_LETTER = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]$/u;
/** Letters that joiners connect or keep apart. */
const JOINING =
  /^[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}]$/u;

/** England, Scotland, Wales: the only flags that are written with tags. */
const REGION =
  /^(?:\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f})/u;

/** The part of a run that belongs to what stands before and after it, such as the joiner of a family of emoji. */
function keptOf(run: string, before: string, after: string): string {
  if (before === '\u{1f3f4}') return REGION.exec(run)?.[0] ?? '';
  if (/^\ufe0f?\u200d$/.test(run) && PICTURE.test(before) && PICTURE.test(after)) return run;
  if (/^[\ufe0e\ufe0f]/.test(run) && EMOJI.test(before) && (!/[\d#*]/.test(before) || after === '\u20e3'))
    return run[0] as string;
  if (/^[\u200c\u200d]$/.test(run) && JOINING.test(before) && JOINING.test(after)) return run;
  return '';
}

const SELECTORS = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{3,}/gu;
const ZERO_WIDTH = /[\u200b-\u200f\u2060-\u2064\u180e\ufeff]{12,}/g;
const DECODED_CHARS = 4000;

/** The bytes that a row of variation selectors stands for. */
const bytesOf = (selectors: string): string =>
  Buffer.from(
    [...selectors].map((c) =>
      (c.codePointAt(0) as number) < 0xff00
        ? (c.codePointAt(0) as number) - 0xfe00
        : (c.codePointAt(0) as number) - 0xe0100 + 16,
    ),
  ).toString();

/** A pattern of up to four characters that repeats is padding. Anything else in a row of two kinds spells something. */
const isPadding = (run: string): boolean => {
  const head = run.slice(0, 512);
  return new Set(head).size < 2 || /^(.{1,4})\1{2,}.{0,3}$/s.test(head);
};

/** What a run of invisible characters spells. */
function payloadOf(run: string): { chars: number; decoded: string } {
  const tags = run.match(/[\u{e0020}-\u{e007e}]/gu) ?? [];
  const selectors = run.match(SELECTORS) ?? [];
  const digits = (run.match(ZERO_WIDTH) ?? []).filter((row) => !isPadding(row));
  const chars = tags.length + selectors.join('').length + digits.join('').length;
  const spelt = tags.map((tag) => String.fromCodePoint((tag.codePointAt(0) as number) - 0xe0000)).join('');
  return { chars, decoded: spelt + selectors.map(bytesOf).join(' ') };
}

const lastOf = (text: string, end: number): string => {
  const unit = text.charCodeAt(end - 1);
  return unit >= 0xdc00 && unit <= 0xdfff ? text.slice(end - 2, end) : text.slice(Math.max(0, end - 1), end);
};
const firstOf = (text: string, start: number): string =>
  start < text.length ? String.fromCodePoint(text.codePointAt(start) as number) : '';

/**
 * Removes default-ignorable characters, bidirectional controls and other characters that show nothing (Unicode 17,
 * Default_Ignorable_Code_Point, Bidi_Control, Cf). Joiners and selectors stay inside emoji, joiners between Arabic and
 * Indic letters, and tags in the three flags that have them. Linear.
 */
export function withoutInvisible(source: string): Seen {
  const seen: Seen = {
    text: source.includes('\r') ? source.replace(/\r\n?/g, '\n') : source,
    removed: 0,
    payload: 0,
    decoded: '',
    splits: 0,
    overrides: 0,
  };
  if (!MAYBE.test(seen.text)) return seen;
  const whole = seen.text.toWellFormed();
  seen.text = whole.replace(RUN, (run: string, at: number) => {
    const before = lastOf(whole, at);
    const after = firstOf(whole, at + run.length);
    const kept = keptOf(run, before, after);
    const gone = run.slice(kept.length);
    if (gone === '') return run;
    seen.removed += gone.length;
    seen.overrides += (gone.match(/[\u202d\u202e]/g) ?? []).length;
    const { chars, decoded } = payloadOf(gone);
    seen.payload += chars;
    if (seen.decoded.length < DECODED_CHARS) seen.decoded += decoded;
    if (/[^\u00ad]/.test(gone) && SPACED_LETTER.test(before) && SPACED_LETTER.test(after)) seen.splits += 1;
    return BREAK.test(gone) ? `${kept}\n` : kept;
  });
  seen.decoded = seen.decoded.slice(0, DECODED_CHARS).toWellFormed();
  return seen;
}

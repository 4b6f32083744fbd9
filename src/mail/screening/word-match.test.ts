import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cleanMails } from '../../../test/corpus/hostile/clean.ts';
import { hostileMails } from '../../../test/corpus/hostile/hostile.ts';
import { CODE_PHRASES, OFFERS, OTHER_NUMBERS, TYPE_VERBS } from './code-words.ts';
import { MODEL_WORDS } from './model-words.ts';
import { Words } from './word-match.ts';
import { headsOf } from './word-start.ts';

const TABLES = { ...MODEL_WORDS, CODE_PHRASES, OFFERS, OTHER_NUMBERS, TYPE_VERBS };
/** A character that is no letter, after which a text is searched with the words of all alphabets. */
const OUTSIDE_ASCII = ' \u00a4';

describe('the words of a table', () => {
  const ascii = (text: string): string => text.normalize('NFD').replace(/[^\n\x20-\x7e]/g, '');
  const some = [...hostileMails(), ...cleanMails()].filter((_, n) => n % 12 === 0);
  const texts = some.flatMap(({ mail }) => [ascii(mail.text), ascii(mail.text).toUpperCase()]);

  for (const [name, entries] of Object.entries(TABLES))
    it(`${name}: a text in ASCII has the same as with a character outside of it`, () => {
      const words = new Words(entries);
      for (const text of texts) {
        const found = words.spansIn(text);
        assert.deepEqual(found, words.spansIn(text + OUTSIDE_ASCII), text);
        assert.equal(words.isIn(text), found.length > 0);
      }
    });

  for (const [source, heads] of [
    ['forget', ['for']],
    ['(?:ai|a\\.i\\.)[\\s-]{0,3}agents?', ['ai', 'aia', 'a.i']],
    ['[ou]n?do', ['ond', 'und', 'odo', 'udo']],
    ['e?-?mail', ['e-m', 'ema', '-ma', 'mai']],
    ['\\d{1,3} ?%', [...'0123456789']],
    ['.{0,4}x', ['', 'x']],
    ['(?:ab|c)*d', ['ab', 'c', 'd']],
    ['no(?=[:,])', ['no']],
  ] as const)
    it(`${source} begins with ${heads.join(', ')}`, () => {
      assert.deepEqual([...headsOf(source)].sort(), [...heads].sort());
    });
});

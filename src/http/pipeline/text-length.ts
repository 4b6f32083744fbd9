import { _, type Ajv, type CodeKeywordDefinition, type KeywordCxt, str } from 'ajv';

function codePoints(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    count += 1;
    if ((text.codePointAt(at) as number) > 0xffff) at += 1;
  }
  return count;
}

/** @param words for a text that breaks the rule, as the library has them */
function lengthKeyword(keyword: 'minLength' | 'maxLength', words: 'fewer' | 'more'): CodeKeywordDefinition {
  return {
    keyword,
    type: 'string',
    schemaType: 'number',
    // Where the library has its own: the first fault of a text stays the same.
    before: 'pattern',
    error: {
      message: ({ schemaCode }) => str`must NOT have ${words} than ${schemaCode} characters`,
      params: ({ schemaCode }) => _`{limit: ${schemaCode}}`,
    },
    code(cxt: KeywordCxt): void {
      const { gen, data, schemaCode: limit } = cxt;
      const count = gen.scopeValue('func', { ref: codePoints });
      cxt.fail(
        keyword === 'maxLength'
          ? _`${data}.length > ${limit} && ${count}(${data}) > ${limit}`
          : _`${data}.length < 2 * ${limit} && ${count}(${data}) < ${limit}`,
      );
    },
  };
}

/**
 * Replaces the library's check of the length of a text, which counts the characters of every text one by one. A character is
 * one or two units of UTF-16 (JSON Schema validation 6.3.1, RFC 8259), so their number decides nearly always.
 */
export function addLengthKeywords(ajv: Ajv): Ajv {
  for (const keyword of [lengthKeyword('maxLength', 'more'), lengthKeyword('minLength', 'fewer')])
    ajv.removeKeyword(keyword.keyword as string).addKeyword(keyword);
  return ajv;
}

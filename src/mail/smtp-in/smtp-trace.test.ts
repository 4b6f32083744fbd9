import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withoutBlindCopies } from './smtp-trace.ts';

const clean = (text: string): string => withoutBlindCopies(Buffer.from(text, 'latin1')).toString('latin1');

describe('withoutBlindCopies', () => {
  for (const [what, before, after] of [
    ['alone', 'Bcc: a@x\r\nTo: b\r\n\r\nx', 'To: b\r\n\r\nx'],
    ['between others', 'From: c\r\nBcc: a@x\r\nTo: b\r\n\r\nx', 'From: c\r\nTo: b\r\n\r\nx'],
    ['folded', 'From: c\r\nBCC : a@x,\r\n b@x,\r\n\tc@x\r\nTo: b\r\n\r\nx', 'From: c\r\nTo: b\r\n\r\nx'],
    ['several, in a row and apart', 'bcc:a\nA: 1\nBcc: b\nResent-Bcc: c\nB: 2\nbcc: d\n\nx', 'A: 1\nB: 2\n\nx'],
    ['far before its colon', `To: b\r\nBcc${' '.repeat(900)}: a@x\r\n\r\nx`, 'To: b\r\n\r\nx'],
    ['the last field', 'To: b\r\nBcc: a@x\r\n\r\nx', 'To: b\r\n\r\nx'],
    ['without an end', 'To: b\r\nBcc: a@x', 'To: b\r\n'],
    [
      'lines that are no such field',
      'Bccx: a\r\nX-Bcc: b\r\nResent: c\r\n\r\nBcc: d',
      'Bccx: a\r\nX-Bcc: b\r\nResent: c\r\n\r\nBcc: d',
    ],
    ['in the value of another field', 'To: b\r\n Bcc: c\r\n\r\nx', 'To: b\r\n Bcc: c\r\n\r\nx'],
    ['nothing', '', ''],
  ] as const)
    it(what, () => assert.equal(clean(before), after));
});

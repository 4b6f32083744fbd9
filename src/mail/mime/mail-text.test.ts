import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { WORST_HTML, WORST_QUOTES } from '../../../test/support/worst-mail.ts';
import { htmlToText } from './html-text.ts';
import { snippetOf, stripQuoted } from './reply-text.ts';

const text = (html: string): string => htmlToText(html, 1_000_000);
describe('htmlToText', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['<p>a</p><p>b</p>', 'a\n\nb'],
    ['a<br>b<br/><br>c', 'a\nb\n\nc'],
    ['<div>a</div><div>b</div>', 'a\nb'],
    ['<ul><li>a</li><li>b</li></ul>c', '* a\n* b\n\nc'],
    ['<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a b\nc'],
    ['  lots \n of\t space ', 'lots of space'],
    ['<b>bo</b>ld <i>it</i>', 'bold it'],
    ['a<hr>b', 'a\n---\nb'],
    ['<pre>x\n  y\r\nz</pre>', 'x\n  y\nz'],
    [
      '&lt;tag&gt; &amp;amp; &#65;&#x42; &nbsp;&euro; &unknown; &#0; &#xD800; &#99999999;',
      '<tag> &amp; AB € &unknown; \ufffd \ufffd \ufffd',
    ],
    ['<a href="https://x.example/?a=1&amp;b=2">go</a>', 'go (https://x.example/?a=1&b=2)'],
    ['<a href="https://x.example/">https://x.example/</a>', 'https://x.example/'],
    ["<A HREF='mailto:a@x.example'>a@x.example</A>", 'a@x.example'],
    ['<a href=https://x.example/>x</a>', 'x (https://x.example/)'],
    ['<a href="javascript:alert(1)">x</a>', 'x'],
    ['<a href="java&#10;script:alert(1)">x</a> <a>y</a></a>', 'x y'],
    ['<a title="a > b" href="https://x.example/">x</a>', 'x (https://x.example/)'],
    ['a<script>if (a<b) "</scripty>"</script>b', 'ab'],
    ['a<SCRIPT src="x">x</script >b', 'ab'],
    ['a<style>p{}</style><title>t</title><!-- c --><!DOCTYPE html><?php x ?>b', 'ab'],
    ['a<!-->b<!---->c', 'abc'],
    ['a<script>never closed', 'a'],
    ['a<!-- never closed <p>x</p>', 'a'],
    ['1 < 2 and <3 but <p>x', '1 < 2 and <3 but\n\nx'],
    ['a<b', 'a<b'],
    ['<img src="x" alt="y">a</nothing>', 'a'],
    ['', ''],
  ];
  for (const [html, expected] of cases) {
    it(`${JSON.stringify(html)}`, () => assert.equal(text(html), expected));
  }

  it('never throws, never exceeds its limit, and leaves no script', () => {
    const parts = fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '=',
      '/',
      '!--',
      '-->',
      'a',
      'a href',
      'script',
      '</script>',
      'p',
      ' ',
      '&#',
      ';',
      'x',
      'pre',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 40 }), fc.nat(50), (list, max) => {
        const out = htmlToText(list.join(''), max);
        assert.ok(out.length <= max);
      }),
      { numRuns: 2000 },
    );
  });

  it('reads the worst input', () => {
    for (const html of WORST_HTML) assert.equal(typeof text(html), 'string');
  });
});

describe('snippetOf', () => {
  it('is one line of at most 120 characters and splits none', () => {
    assert.equal(snippetOf('  a \r\n\t b\u00a0 c '), 'a b c');
    assert.equal(snippetOf('x'.repeat(500)), 'x'.repeat(120));
    assert.equal(snippetOf('\u{1F600}'.repeat(500)), '\u{1F600}'.repeat(120));
    assert.equal(snippetOf(`${' \n'.repeat(500_000)}late`), 'late');
    assert.equal(snippetOf(''), '');
  });
});

describe('stripQuoted', () => {
  const reply = 'Yes, do it.\n\nThanks';
  const cases: Readonly<Record<string, string>> = {
    'a plain answer': reply,
    'quoted below': `${reply}\n\nOn Mon, 5 Jan 2026 at 10:00, Bob <bob@x.example> wrote:\n\n> Shall I?\n> Bob`,
    'quoted below, attribution folded': `${reply}\n\nOn Mon, 5 Jan 2026 at 10:00, Bob Someone\n<bob@x.example> wrote:\n> Shall I?`,
    'history without marks': `${reply}\n\nOn Jan 5, 2026, Bob wrote:\nShall I?\nBob`,
    German: `${reply}\n\nAm 05.01.26 um 10:00 schrieb Bob Jemand:\n> Soll ich?`,
    French: `${reply}\n\nLe lun. 5 janv. 2026 à 10:00, Bob <bob@x.example> a écrit :\n> Dois-je ?`,
    Outlook: `${reply}\n\n-----Original Message-----\nFrom: Bob\nSent: Monday\nTo: Eve\n\nShall I?`,
    'newer Outlook': `${reply}\n\nFrom: Bob <bob@x.example>\nSent: Monday, January 5, 2026\nTo: Eve\nSubject: Shall I?\n\nShall I?`,
    signature: `${reply}\n-- \nEve, Head of Everything\n+1 555`,
    CRLF: `${reply}\n\nOn 5 Jan 2026, Bob wrote:\n> x`.replaceAll('\n', '\r\n'),
  };
  for (const [name, mail] of Object.entries(cases)) {
    it(name, () => assert.equal(stripQuoted(mail), reply));
  }

  it('keeps a reply below or between quotes', () => {
    assert.equal(stripQuoted('On 5 Jan 2026, Bob wrote:\n> Shall I?\n\nYes.\n> And now?\nNo.'), 'Yes.\nNo.');
  });

  it('keeps text that resembles an attribution line', () => {
    for (const kept of [
      'On Friday we met. She wrote:\nhello',
      'From: here on it is easy\nand more',
      'a\n---\nb',
      'x > y',
      'On 5 May\n\nhe wrote:\nx',
    ]) {
      assert.equal(stripQuoted(kept), kept);
    }
  });

  it('returns the whole text if nothing would be left', () => {
    assert.equal(stripQuoted('> only\n> quotes\n'), '> only\n> quotes');
    assert.equal(stripQuoted('-- \nEve'), '-- \nEve');
    assert.equal(stripQuoted(''), '');
  });

  it('reads the worst text', () => {
    for (const mail of WORST_QUOTES) assert.ok(stripQuoted(mail).length <= mail.length);
  });
});

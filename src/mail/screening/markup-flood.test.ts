import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findLinks } from './mail-links.ts';
import { visibleText } from './visible-text.ts';

const isFlood = (html: string): boolean => visibleText(html).isFlood === true;
const attributes = (count: number): string => Array.from({ length: count }, (_, n) => ` a${n}`).join('');
const fonts = (count: number): string => Array.from({ length: count }, (_, n) => `<font size=${n}>`).join('');

/** Pages at the edge of what is read as a person sees it, and beyond. */
const EDGES: Readonly<Record<string, readonly [within: string, beyond: string]>> = {
  elements: ['<br>'.repeat(49_000), '<br>'.repeat(50_001)],
  'comments, which cost as much': ['<!---->'.repeat(49_000), '<!---->'.repeat(50_001)],
  depth: ['<div>'.repeat(500), '<div>'.repeat(513)],
  'open formatting elements': [fonts(60), fonts(65)],
  'characters in tags': [`<p title="${'x'.repeat(260_000)}">`, `<p title="${'x'.repeat(262_144)}">`],
  'attributes of one tag': [`<p${attributes(256)}>x`, `<p${attributes(257)}>x`],
  'matching of styles': [
    `<style>${'.a .b i{color:red}'.repeat(500)}</style>${'<i>x</i>'.repeat(50)}`,
    `<style>${'.a .b i{color:red}'.repeat(500)}</style>${'<i>x</i>'.repeat(10_000)}`,
  ],
};

/** Few tags of which the parser makes many elements, or keeps many open. */
const FLOODS: Readonly<Record<string, string>> = {
  'formatting that each paragraph opens again': '<p><b><i><u>x'.repeat(5000),
  'the same sixty for each of a thousand paragraphs': `<p>${fonts(60)}${'<p>x'.repeat(1000)}`,
  'the same sixty for each list item': `<ul><li>${fonts(60)}${'<li>x'.repeat(1000)}`,
  'end tags of paragraphs that were not open': `${fonts(60)}${'</p>'.repeat(51_000)}`,
  'links in links': '<a><p>'.repeat(30_000),
  'formatting in tables, put in front of them': '<table><b>'.repeat(20_000),
  'templates in templates': '<template>'.repeat(600),
  'foreign elements': `<svg>${'<g>'.repeat(600)}`,
  'HTML in foreign elements': '<svg><desc>'.repeat(400),
  'formatting in cells, never closed': `<table>${'<tr><td><font size=2><b>x'.repeat(20_000)}`,
  'attributes that each add to the body': Array.from({ length: 30_000 }, (_, n) => `<body a${n}>`).join(''),
};

/** Text that looks like markup, and large pages as people send them. */
const ORDINARY: Readonly<Record<string, string>> = {
  'tags in a comment': `<p>x</p><!-- ${'<b>'.repeat(60_000)} -->`,
  'tags in a script': `<p>x</p><script>${'"<b>"+'.repeat(60_000)}</script>`,
  'tags in a style sheet': `<style>${'/* <b> */'.repeat(60_000)}</style><p>x</p>`,
  'tags in a title and a text area': `<title>${'<b>'.repeat(60_000)}</title><p>x</p><textarea>${'<b>'.repeat(60_000)}</textarea>`,
  'tags in CDATA': `<p>x</p><svg><![CDATA[${'<b>'.repeat(60_000)}]]></svg>`,
  'signs in a quoted value': `<p title="${'<b>'.repeat(60_000)}">x</p>`,
  'escaped tags': '&lt;b&gt;'.repeat(60_000),
  'a table of three thousand rows': `<table>${'<tr><td style="color:#333"><font size="2">a</font></td><td>b</td></tr>'.repeat(3000)}</table>`,
  'tables in tables, as in newsletters': `${'<table><tr><td>'.repeat(40)}x${'</td></tr></table>'.repeat(40)}`,
  'a list whose items are never closed': `<ul>${'<li>a <b>b</b> c'.repeat(5000)}</ul>`,
  'fifty answers, each quoting the last': `${'<div>On Monday you wrote:<blockquote>'.repeat(50)}x`,
  'a megabyte of text': 'Nothing to see here. '.repeat(50_000),
  'newsletter styles': `<style>${Array.from({ length: 200 }, (_, n) => `.c${n} td p{color:#33${n}}`).join('')}</style>${Array.from(
    { length: 200 },
    (_, n) => `<table class="c${n}"><tr><td><p>a</p></td></tr></table>`,
  ).join('')}`,
};

describe('N5: markup that costs too much', () => {
  for (const [what, [within, beyond]] of Object.entries(EDGES))
    it(`N5: is a flood beyond the limit and not before: ${what}`, () => {
      assert.deepEqual([isFlood(within), isFlood(beyond)], [false, true]);
    });
  for (const [what, html] of Object.entries(FLOODS)) it(`N5: is a flood: ${what}`, () => assert.ok(isFlood(html)));
  for (const [what, html] of Object.entries(ORDINARY)) it(`N5: is none: ${what}`, () => assert.ok(!isFlood(html)));

  it('N5: is read in one pass: its text, its links, and words that no page shows', () => {
    const page = [
      '<p>Your code is <b>482913</b></p><a href="https://evil.example/in">https://bank.example/login</a>',
      ' <a href="https://two.example/">never closed <a href="https://three.example/">next</a>',
      '<!-- a comment --><img alt="a &amp; b"><svg><title>drawn</title></svg><script>run()</script><style>p{}</style>',
      '<p><b><i><u>'.repeat(20_000),
    ];
    const { text, links, unseen, hidden, isFlood: found } = visibleText(`${page.join('')}<p>The end.`);
    assert.equal(found, true);
    assert.match(text, /^Your code is 482913\n\n/);
    assert.match(text, /The end\.$/);
    assert.equal(hidden, '');
    assert.deepEqual(
      findLinks(links, text).map(({ host, mismatch }) => [host, mismatch]),
      [
        ['evil.example', true],
        ['two.example', false],
        ['three.example', false],
      ],
    );
    for (const words of ['a comment', 'a & b', 'drawn']) assert.ok(unseen.includes(words), unseen);
    assert.doesNotMatch(unseen, /run|p\{\}/);
  });
});

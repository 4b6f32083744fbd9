import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { htmlToText } from '../mime/html-text.ts';
import { screen } from './mail-screening.ts';
import { visibleText } from './visible-text.ts';

/** What hides all that is inside. */
const HIDING: readonly ((inside: string) => string)[] = [
  (inside) => `<div style="display:none">${inside}</div>`,
  (inside) => `<div style="max-height:0;overflow:hidden">${inside}</div>`,
  (inside) => `<span style="font-size:0">${inside}</span>`,
  (inside) => `<div style="opacity:0">${inside}</div>`,
  (inside) => `<div style="position:absolute;left:-9999px">${inside}</div>`,
  (inside) => `<div hidden>${inside}</div>`,
  (inside) => `<div class="gone">${inside}</div>`,
  (inside) => `<template>${inside}</template>`,
  (inside) => `<!-- ${inside.replaceAll('--', '')} -->`,
];
/** What changes nothing about that. Unlike `p` and `a`, no tag inside ends one of these (HTML 13.2.6). */
const PLAIN: readonly ((inside: string) => string)[] = [
  (inside) => `<div>${inside}</div>`,
  (inside) => `<b><i>${inside}</i></b>`,
  (inside) => `<table><tr><td>${inside}</td></tr></table>`,
  (inside) => `<ul><li>${inside}</ul>`,
  (inside) => `<section style="color:#333;margin:0">${inside}</section>`,
  (inside) => `<div class="a">${inside}</div>`,
];

type Tree = { wrap: number; hides: boolean; inside: Tree[] } | { word: number };

const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.record({ word: fc.nat(9999) }),
    fc.record({ wrap: fc.nat(100), hides: fc.boolean(), inside: fc.array(tie('tree'), { maxLength: 4 }) }),
  ),
}));

/** A tree as HTML. A word says whether a reader sees it. */
function htmlOf(node: Tree, isHidden: boolean): string {
  if ('word' in node) return ` ${isHidden ? 'HIDE' : 'SHOW'}${node.word} `;
  const wraps = node.hides ? HIDING : PLAIN;
  const wrap = wraps[node.wrap % wraps.length] as (inside: string) => string;
  return wrap(node.inside.map((child) => htmlOf(child, isHidden || node.hides)).join(''));
}

const page = (body: string): string => `<html><style>.gone { display: none }</style><body>${body}</body></html>`;

const PIECES = [
  ...['<div style="display:none">', '</div>', '<p>', '</p>', '<!--', '-->', '<style>', '</style>', '<b', '>', '"', "'"],
  ...[
    '<a href="',
    'javascript:x',
    '</a>',
    '<table>',
    '<td>',
    '</table>',
    '<svg>',
    '<math>',
    '<template>',
    '</template>',
  ],
  ...['&lt;', '&#x202e;', '&#0;', '&#xd800;', '&amp', '<![CDATA[', ']]>', '<plaintext>', '\u0000', '\u200b', '\u202e'],
  ...[
    '\u{e0041}',
    '\ud800',
    'text',
    ' ',
    '\n',
    '{',
    '}',
    '.x{display:none',
    ':',
    ';',
    '<script>',
    '</script',
    '<select>',
  ],
];
const garbage = fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 8 })), { maxLength: 60 });

// Default-ignorable and bidirectional controls without the joiners, which scripts need.
const INVISIBLE = /[\u00ad\u200b\u202a-\u202e\u2060-\u2064\u2066-\u2069\u{e0000}-\u{e007f}]/u;

describe('random HTML', () => {
  it('lets no word through that any element around it hides, and loses none that is shown', () => {
    fc.assert(
      fc.property(fc.array(tree, { maxLength: 5 }), (trees) => {
        const html = page(trees.map((node) => htmlOf(node, false)).join(''));
        const { text } = visibleText(html);
        assert.doesNotMatch(text, /HIDE/, html);
        const words = html.match(/SHOW\d+/g) ?? [];
        assert.deepEqual([...(text.match(/SHOW\d+/g) ?? [])].sort(), words.sort(), html);
      }),
      { numRuns: 300 },
    );
  });

  it('of any shape ends in a text that is no longer than it, without invisible characters', () => {
    fc.assert(
      fc.property(garbage, (pieces) => {
        const html = pieces.join('');
        const { visibleText: shown } = screen({ subject: 's', text: '', html, from: null, replyTo: [], to: [] });
        assert.doesNotMatch(shown ?? '', INVISIBLE);
        // An address is written after the text of its link.
        assert.ok((shown ?? '').length <= 2 * html.length + 16, html);
        assert.ok(htmlToText(html, 100).length <= 100, html);
      }),
      { numRuns: 100 },
    );
  });
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HIDING } from '../../../test/corpus/hidden-text.ts';
import { findLinks } from './mail-links.ts';
import { visibleText } from './visible-text.ts';

/** What no style hides, and no page shows. */
const TRICKS = { ...HIDING, comment: '<p>SHOW</p><!-- HIDE -->' };

/** Each shows SHOW, although a search for words would call it hidden. */
const HARMLESS: Readonly<Record<string, string>> = {
  'white on black': '<div style="background:#000"><p style="color:#fff">SHOW</p></div>',
  'white on an image': '<div style="background:url(x.png)"><p style="color:#fff">SHOW</p></div>',
  'a value in two pieces': '<p style="display:no/**/ne">SHOW</p>',
  'the words in a text': '<p title="display:none">SHOW</p>',
  'hidden on phones only': '<style>@media (max-width:600px){.m{display:none}}</style><p class="m">SHOW</p>',
  'a colour named as what every object has': '<p style="color:constructor;font-size:constructor">SHOW</p>',
  'a mark of no colour':
    '<div style="background:#000"><mark style="background:transparent;color:#ff0">SHOW</mark></div>',
  'light grey': '<p style="color:#999">SHOW</p>',
};

describe('visible text', () => {
  for (const [name, html] of Object.entries(TRICKS))
    test(`hides as a page does: ${name}`, () => {
      const { text, hidden, hiddenChars } = visibleText(html);
      assert.equal(text, 'SHOW');
      assert.equal(hidden, 'HIDE');
      assert.equal(hiddenChars, 4);
    });
  for (const [name, html] of Object.entries(HARMLESS))
    test(`shows what a reader sees: ${name}`, () => {
      assert.deepEqual(visibleText(html), { text: 'SHOW', hidden: '', hiddenChars: 0, unseen: '', links: [] });
    });

  test('variables cost what they become', () => {
    const css = `p{--x:${'a'.repeat(190)};background:${'var(--x)'.repeat(1000)}}`;
    assert.equal(visibleText(`<style>${css}</style>${'<p>x</p>'.repeat(1500)}`).isFlood, true);
  });

  test('hostile nesting and style sheets end in an answer', () => {
    for (const html of [
      '<div>'.repeat(50_000),
      '<b><i>'.repeat(20_000),
      `<style>${'.a .b{color:red}'.repeat(5000)}</style>${'<p class="a b">'.repeat(5000)}`,
      `<p style="${'a:b;'.repeat(50_000)}">`,
      '<!--'.repeat(50_000),
      '<p>x</p>'.repeat(130_000),
    ])
      assert.equal(typeof visibleText(`${html}x`).text, 'string');
  });
});

describe('links', () => {
  test('are listed with their kind, and with a warning where the text names another host', () => {
    const { links, text } = visibleText(`
      <a href="https://evil.example.net/x">https://bank.example.com</a>
      <a href="https://acme.example.com/u?t=1">Unsubscribe</a>
      <a href="https://acme.example.com/verify?token=abc">Confirm your address</a>
      <a href="https://acme.example.com/p/reset-password">Here</a>
      <a href="https://acme.example.com/s">Se connecter</a>
      <a href="javascript:alert(1)">no</a>
      See https://acme.example.com/blog. Bye`);
    assert.deepEqual(
      findLinks(links, text).map(({ host, kind, mismatch }) => [host, kind, mismatch]),
      [
        ['evil.example.net', 'other', true],
        ['acme.example.com', 'unsubscribe', false],
        ['acme.example.com', 'verify', false],
        ['acme.example.com', 'reset', false],
        ['acme.example.com', 'login', false],
        ['acme.example.com', 'other', false],
      ],
    );
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '../../api/errors.ts';
import {
  agentAddress,
  domainOf,
  isLocalPart,
  localPartOf,
  parseMailbox,
  requirePersonalEmail,
  slugify,
} from './mail-address.ts';

const DOMAIN = 'agents.localhost';

describe('an agent’s address', () => {
  it('accepts a bare name, any case and a whole address, and returns one form', () => {
    for (const text of ['ada', 'ADA', ` ada@${DOMAIN} `, `Ada@${DOMAIN.toUpperCase()}`])
      assert.equal(agentAddress(text, DOMAIN), `ada@${DOMAIN}`);
    for (const text of ['a', 'a1', '0', 'a.b-c_d', 'a'.repeat(64)])
      assert.equal(agentAddress(text, DOMAIN), `${text}@${DOMAIN}`);
  });

  it('is refused on another domain or in another form', () => {
    const bad = [
      '',
      ' ',
      '.a',
      'a.',
      '-a',
      'a-',
      '_a',
      'a..b',
      'a b',
      'a+b',
      'ł',
      'a'.repeat(65),
      'a@example.com',
      `a@x.${DOMAIN}`,
    ];
    for (const text of [...bad, `@${DOMAIN}`, `a@b@${DOMAIN}`, `a@${DOMAIN}.`, 'a\n', 'a\0'])
      assert.equal(agentAddress(text, DOMAIN), null, JSON.stringify(text));
  });

  it('in its canonical form stays unchanged', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 70 }), (text) => {
        const address = agentAddress(text, DOMAIN);
        if (address === null) return;
        assert.equal(agentAddress(address, DOMAIN), address);
        assert.equal(address, address.toLowerCase());
        assert.ok(isLocalPart(localPartOf(address)));
        assert.equal(domainOf(address), DOMAIN);
      }),
    );
  });

  it('derived from any name is a valid local part or null', () => {
    assert.equal(slugify('Ada Lovelace!'), 'ada-lovelace');
    assert.equal(slugify('Ünïcode Ágent'), slugify('U\u0308ni\u0308code A\u0301gent'));
    const readings = {
      'Zoë Müller': 'zoe-muller',
      'Zoe\u0308 Mu\u0308ller': 'zoe-muller',
      Łukasz: 'lukasz',
      Straße: 'strasse',
      İstanbul: 'istanbul',
      王小明: 'wangxiaoming',
      日本語: 'ribenyu',
      'Привет Мир': 'privet-mir',
      '🤖': 'robot',
    };
    for (const [name, slug] of Object.entries(readings)) assert.equal(slugify(name), slug, name);
    for (const name of ['..--__', '。。', '\u200d', '']) assert.equal(slugify(name), null, name);
    fc.assert(
      fc.property(fc.string({ maxLength: 100, unit: 'binary' }), (name) => {
        const slug = slugify(name);
        if (slug !== null) assert.ok(isLocalPart(slug) && slug.length <= 48, JSON.stringify(name));
      }),
    );
  });
});

describe('other people’s mailboxes', () => {
  it('are accepted as in RFC 5321; the domain becomes lower case and the local part does not', () => {
    assert.equal(parseMailbox('Ada.Lovelace@Example.COM'), 'Ada.Lovelace@example.com');
    assert.equal(parseMailbox("o'hara+tag@example.com"), "o'hara+tag@example.com");
    assert.equal(parseMailbox('ada@localhost'), 'ada@localhost');
    assert.equal(parseMailbox('łukasz@przykład.pl'), 'łukasz@przykład.pl');
  });

  it('are refused if they would end a header line, or are not a mailbox', () => {
    const bad = [
      '',
      'ada',
      '@example.com',
      'ada@',
      'a b@example.com',
      'a@b c',
      '.a@example.com',
      'a..b@example.com',
      'a.@b.com',
    ];
    const hostile = [
      'a@example.com\r\nBcc: b@example.com',
      'a\n@example.com',
      'a@exa\0mple.com',
      '<a@example.com>',
      'a@-b.com',
    ];
    const long = [
      `${'a'.repeat(65)}@example.com`,
      `${'ł'.repeat(33)}@example.com`,
      `a@${'b'.repeat(64)}.com`,
      `a@${'b.'.repeat(130)}com`,
    ];
    for (const text of [...bad, ...hostile, ...long]) assert.equal(parseMailbox(text), null, JSON.stringify(text));
  });

  it('of a person become lower case, and a refusal names the field', () => {
    assert.equal(requirePersonalEmail(' Ada@Example.COM ', '/body/email'), 'ada@example.com');
    const isRefusal = (err: unknown) => err instanceof ApiError && err.details?.[0]?.path === '/body/email';
    assert.throws(() => requirePersonalEmail('ada', '/body/email'), isRefusal);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decodeCursor, encodeCursor, pageOf } from '../api/page.ts';
import { clientNetworks, networkOf } from './client-network.ts';
import { base32, isId, newId, parseBase32 } from './ids.ts';
import {
  hashSecret,
  isSessionToken,
  keyedHash,
  keyKindOf,
  keyPrefix,
  mintKey,
  mintToken,
  randomBase62,
} from './secret.ts';

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';
const moment = fc.integer({ min: 0, max: 2 ** 48 - 1 });

describe('an id', () => {
  it('has its prefix and 26 characters of Crockford base32, and isId accepts it', () => {
    fc.assert(
      fc.property(moment, (now) => {
        const id = newId('acc', now);
        assert.match(id, /^acc_[0-9a-hjkmnp-tv-z]{26}$/);
        assert.ok(isId('acc', id) && !isId('pod', id));
      }),
    );
  });

  it('sorts by time as text', () => {
    fc.assert(
      fc.property(moment, moment, (a, b) => {
        if (a !== b) assert.equal(newId('msg', a) < newId('msg', b), a < b);
      }),
    );
  });

  it('is unique: 20,000 ids of one millisecond differ', () => {
    assert.equal(new Set(Array.from({ length: 20_000 }, () => newId('msg', 0))).size, 20_000);
  });

  it('is refused in any other form', () => {
    const good = newId('acc', 1);
    for (const text of [
      '',
      'acc_',
      good.slice(0, -1),
      `${good}0`,
      good.toUpperCase(),
      good.replace(/.$/, 'i'),
      `${good}\n`,
    ])
      assert.equal(isId('acc', text), false, JSON.stringify(text));
  });

  it('base32 and its inverse agree, and text order is number order', () => {
    const number = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
    fc.assert(
      fc.property(number, number, (a, b) => {
        assert.equal(parseBase32(base32(a, 11)), a);
        assert.equal(base32(a, 11) < base32(b, 11), a < b);
      }),
    );
    for (const char of 'iloUA-') assert.equal(parseBase32(char), null);
    assert.equal(parseBase32(CROCKFORD[31] as string), 31);
  });
});

describe('a secret', () => {
  const kinds = ['platform', 'pod', 'backup'] as const;

  it('of each kind is recognized by its prefix only', () => {
    for (const kind of kinds) {
      const key = mintKey(kind);
      assert.match(key, /^signet_(live|pod|bak)_[0-9A-Za-z]{38}$/);
      assert.equal(keyKindOf(key), kind);
      assert.equal(key.indexOf(keyPrefix(key, kind)), 0);
      assert.match(keyPrefix(key, kind), /^signet_(live|pod|bak)_.{4}$/);
    }
  });

  it('with one character changed, added or removed is not a key', () => {
    const key = mintKey('platform');
    const at = fc.integer({ min: 0, max: key.length - 1 });
    const char = fc.constantFrom(...'0123456789ABCXYZabcxyz_-');
    fc.assert(
      fc.property(at, char, (i, c) => {
        const changed = key.slice(0, i) + c + key.slice(i + 1);
        if (changed !== key) assert.equal(keyKindOf(changed), null);
        assert.equal(keyKindOf(key.slice(0, i) + key.slice(i + 1)), null);
        assert.equal(keyKindOf(key.slice(0, i) + c + key.slice(i)), null);
      }),
    );
  });

  it('ends with the checksum that leak scanners compute: CRC-32 of the text before it, as six base62 digits', () => {
    const body = `signet_live_${'0'.repeat(32)}`;
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    let crc = 0xffffffff;
    for (const byte of Buffer.from(body)) {
      crc ^= byte;
      for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    }
    let value = (crc ^ 0xffffffff) >>> 0;
    let check = '';
    for (let i = 0; i < 6; i++) {
      check = digits[value % 62] + check;
      value = Math.floor(value / 62);
    }
    assert.equal(keyKindOf(body + check), 'platform');
  });

  it('uses all characters of base62 equally often', () => {
    const text = randomBase62(62_000);
    const counts = new Map<string, number>();
    for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
    assert.equal(counts.size, 62);
    // 1000 of each are expected. With modulo bias some would occur 1.24 times as often. 7 standard deviations are 220.
    for (const [char, count] of counts) assert.ok(Math.abs(count - 1000) < 220, `${char}: ${count}`);
  });

  it('of a session has a form of its own', () => {
    assert.ok(isSessionToken(mintToken('session_')));
    for (const text of ['session_', mintKey('platform'), `session_${'a'.repeat(33)}`, `Session_${'a'.repeat(32)}`])
      assert.equal(isSessionToken(text), false);
  });

  it('is stored as SHA-256, and an IP address as a keyed hash', () => {
    assert.equal(hashSecret('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    assert.equal(keyedHash('key', 'value'), keyedHash('key', 'value'));
    assert.notEqual(keyedHash('key', 'value'), keyedHash('other', 'value'));
    assert.match(keyedHash('key', 'value'), /^[0-9a-f]{32}$/);
  });
});

describe('a list’s cursor', () => {
  const keys = fc.array(fc.oneof(fc.string(), fc.integer()), { minLength: 1, maxLength: 4 });
  const kindsOf = (list: (string | number)[]) => list.map((key) => typeof key as 'string' | 'number');

  it('decodes to the encoded keys, and only with the expected kinds', () => {
    fc.assert(
      fc.property(keys, (list) => {
        const cursor = encodeCursor(list);
        assert.deepEqual(decodeCursor(cursor, kindsOf(list)), list);
        assert.equal(decodeCursor(cursor, [...kindsOf(list), 'string']), null);
        const others = kindsOf(list).map((kind) => (kind === 'string' ? 'number' : 'string'));
        assert.equal(decodeCursor(cursor, others), null);
        assert.match(cursor, /^[A-Za-z0-9_-]+$/);
      }),
    );
  });

  it('that is invalid decodes to null and never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => void decodeCursor(text, ['string', 'number'])));
    for (const text of ['', 'x', 'bnVsbA', 'e30', '{}', 'W10']) assert.equal(decodeCursor(text, ['string']), null);
  });

  it('exists exactly if there are more rows', () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { maxLength: 20 }), fc.integer({ min: 1, max: 20 }), (all, limit) => {
        const { rows, hasMore, nextCursor } = pageOf(all.slice(0, limit + 1), limit, (row) => [row]);
        assert.deepEqual(rows, all.slice(0, limit));
        assert.equal(hasMore, all.length > limit);
        assert.deepEqual(nextCursor && decodeCursor(nextCursor, ['number']), hasMore ? [rows.at(-1)] : null);
      }),
    );
  });
});

describe('the network of a client', () => {
  const table: [string, ...string[]][] = [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:db8:1:2::ffff', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64', '2001:db8:1::/48'],
    ['::1', '0:0:0:0::/64', '0:0:0::/48'],
    ['not an address', 'unknown'],
    ['', 'unknown'],
  ];
  for (const [ip, ...names] of table)
    it(`${ip || '(nothing)'} counts as ${names.join(' and ')}`, () =>
      assert.deepEqual(
        clientNetworks(ip).map(({ name }) => name),
        names,
      ));

  for (const [ip, network] of [
    ['203.0.113.7', '203.0.113.0/24'],
    ['::ffff:203.0.113.7', '203.0.113.0/24'],
    ['::ffff:cb00:7107', '203.0.113.0/24'],
    ['2001:db8:1:2::3', '2001:db8:1::/48'],
    ['203.0.113.256', null],
    ['', null],
  ] as const)
    it(`${ip || '(nothing)'} is shown as ${network}`, () => assert.equal(networkOf(ip), network));
});

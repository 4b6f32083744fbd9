import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { SharedMemory } from '../smtp-in/shared-memory.ts';
import { fetchItems } from './commands/fetch-items.ts';
import { SearchKeys } from './commands/search-keys.ts';
import { BadCommand, type CommandText, Cursor } from './imap-cursor.ts';
import { ImapInput, InputEnd } from './imap-input.ts';
import { dayOf, imapString, internalDate, momentOf, setOf } from './imap-text.ts';
import { commonRanges, gapsIn, rangesOf } from './number-ranges.ts';
import { UidList } from './uid-list.ts';

// The library does not export what it writes commands with.
const { default: compiler } = (await import(
  new URL('handler/imap-compiler.js', import.meta.resolve('imapflow')).href
)) as {
  default: (command: object, options: object) => Promise<Buffer> | Buffer | Buffer[];
};

type Value = Buffer | Value[];

/** Reads one value, as a client may write it anywhere. */
function valueAt(cursor: Cursor): Value {
  return cursor.sees('(') ? cursor.list(() => valueAt(cursor)) : Buffer.from(cursor.astringBytes());
}

/** Cuts bytes into commands; they come in pieces of these lengths. */
async function commandsOf(bytes: Buffer, pieces: readonly number[] = [bytes.length]): Promise<CommandText[]> {
  let asked = 0;
  const input = new ImapInput(
    {
      commandBytes: () => 1_000_000,
      refusal: () => null,
      ask: () => {
        asked += 1;
      },
      pause: () => {},
      resume: () => {},
    },
    new SharedMemory(10_000_000).share('', () => {}),
  );
  const commands: CommandText[] = [];
  const reading = (async () => {
    for (;;) {
      const command = await input.command();
      if (command === null) return;
      assert.ok(!('refused' in command));
      commands.push({ text: command.text, literals: command.literals.map((literal) => Buffer.from(literal)) });
      input.release();
    }
  })();
  let at = 0;
  for (let n = 0; at < bytes.length; n += 1) {
    const length = Math.max(1, pieces[n % pieces.length] ?? 1);
    input.feed(bytes.subarray(at, at + length));
    at += length;
    await turn();
  }
  input.end();
  await reading;
  assert.ok(asked <= commands.reduce((sum, { literals }) => sum + literals.length, 0));
  return commands;
}

const values = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    // Between lists in a list the library writes no space, as responses have it; no command has such a thing.
    fc.array(tie('value'), { maxLength: 5 }).map((items) => (Array.isArray(items[0]) ? items.slice(0, 1) : items)),
  ),
})).value;

const written = (value: Value): unknown => (Array.isArray(value) ? value.map(written) : { type: 'LITERAL', value });

describe('imap parser', () => {
  it('reads back what imapflow writes, however the bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(values, { minLength: 1, maxLength: 5 }),
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 5 }),
        fc.boolean(),
        async (args, pieces, literalPlus) => {
          const attributes = args.map(written);
          const compiled = await compiler({ tag: 'A1', command: 'X', attributes }, { asArray: false, literalPlus });
          const bytes = Buffer.concat([compiled as Buffer, Buffer.from('\r\nb NOOP\r\n')]);
          const whole = await commandsOf(bytes);
          assert.deepEqual(await commandsOf(bytes, pieces), whole);
          assert.equal(whole.length, 2);
          const [first] = whole;
          assert.ok(first);
          const cursor = new Cursor(first);
          assert.equal(cursor.tag(), 'A1');
          assert.equal(cursor.word(), 'X');
          for (const value of args) {
            cursor.space();
            assert.deepEqual(valueAt(cursor), value);
          }
          cursor.end();
        },
      ),
      { numRuns: 200 },
    );
  });

  it('reads a string as it was written, quoted or as a literal', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.boolean(), async (text, utf8) => {
        fc.pre(!text.includes('\0'));
        const [command] = await commandsOf(Buffer.from(`a X ${imapString(text, utf8)}\r\n`, 'latin1'));
        assert.ok(command);
        const cursor = new Cursor(command);
        cursor.tag();
        cursor.word();
        cursor.space();
        assert.equal(cursor.astring(), text.toWellFormed());
      }),
    );
  });

  it('answers anything with a refusal or a reading, never with a fault', async () => {
    const letters = 'UID FETCH SEARCH(BODY.PEEK[HEADER.FIELDS 1.2*:,<0.5>){3}"\\ OR NOT $+~';
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...letters), { maxLength: 60 }), async (characters) => {
        const text = characters.join('');
        for (const read of [
          (cursor: Cursor) => fetchItems(cursor),
          (cursor: Cursor) => new SearchKeys(cursor, () => [], 0).read(),
          (cursor: Cursor) => cursor.sequenceSet(),
          (cursor: Cursor) => valueAt(cursor),
        ]) {
          try {
            read(new Cursor({ text, literals: [Buffer.from('x')] }));
          } catch (err) {
            assert.ok(err instanceof BadCommand, String(err));
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it('bounds depth, numbers and lists before they cost', () => {
    const refused = (text: string, read: (cursor: Cursor) => unknown): void => {
      assert.throws(() => read(new Cursor({ text, literals: [] })), BadCommand);
    };
    const search = (cursor: Cursor): unknown => new SearchKeys(cursor, () => [], 0).read();
    refused(`${'('.repeat(2000)}ALL${')'.repeat(2000)}`, search);
    refused(`${'NOT '.repeat(2000)}ALL`, search);
    refused(Array(2000).fill('ALL').join(' '), search);
    refused(Array(60_000).fill('1').join(','), (cursor) => cursor.sequenceSet());
    refused(`(${Array(2000).fill('FLAGS').join(' ')})`, fetchItems);
    refused('0', (cursor) => cursor.sequenceSet());
    refused('4294967296', (cursor) => cursor.sequenceSet());
    refused('99999999999999999999', (cursor) => cursor.number());
    refused('BODY[1.0]', fetchItems);
    refused('BODY[MIME]', fetchItems);
    refused('"abc', (cursor) => cursor.astring());
    assert.throws(() => new Cursor({ text: 'a \0', literals: [] }), BadCommand);
  });

  it('ends a session that sends a line without end, or a large literal without being asked', async () => {
    const share = new SharedMemory(1_000_000).share('', () => {});
    const rules = { commandBytes: () => 1000, refusal: () => null, ask: () => {}, pause: () => {}, resume: () => {} };
    const endless = new ImapInput(rules, share);
    const line = endless.command();
    for (let n = 0; n < 200; n += 1) endless.feed(Buffer.from('x'.repeat(10)));
    await assert.rejects(line, InputEnd);
    const unasked = new ImapInput(rules, share);
    const literal = unasked.command();
    unasked.feed(Buffer.from('a APPEND INBOX {4097+}\r\n'));
    await assert.rejects(literal, /^InputEnd|a BAD A literal/);
  });

  it('gives all memory back, and takes it from who holds more', async () => {
    const memory = new SharedMemory(300_000);
    let evicted = 0;
    const rules = {
      commandBytes: () => 1_000_000,
      refusal: () => null,
      ask: () => {},
      pause: () => {},
      resume: () => {},
    };
    const slow = new ImapInput(
      rules,
      memory.share('slow', () => {
        evicted += 1;
        slow.end();
      }),
    );
    const stalled = slow.command();
    slow.feed(Buffer.from('a APPEND INBOX {200000}\r\n'));
    await turn();
    slow.feed(Buffer.alloc(150_000));
    const other = new ImapInput(
      rules,
      memory.share('other', () => assert.fail('this one came later')),
    );
    for (let n = 0; n < 5; n += 1) {
      const command = other.command();
      other.feed(Buffer.from('a APPEND INBOX {200000}\r\n'));
      await turn();
      other.feed(Buffer.alloc(200_000));
      await turn();
      other.feed(Buffer.from('\r\n'));
      const got = await command;
      assert.ok(got !== null && !('refused' in got));
      assert.equal(got.literals[0]?.length, 200_000);
      other.release();
    }
    assert.equal(evicted, 1);
    assert.equal(await stalled, null);
  });
});

describe('numbers and times', () => {
  const uidSets = fc.uniqueArray(fc.integer({ min: 1, max: 60 })).map((uids) => uids.sort((a, b) => a - b));
  const listed = (ranges: readonly (readonly [number, number])[]): number[] =>
    ranges.flatMap(([from, to]) => Array.from({ length: to - from }, (_, n) => from + n));

  it('a set names the numbers it was made of, and gaps and common parts are what they say', () => {
    fc.assert(
      fc.property(uidSets, uidSets, (a, b) => {
        const list = new UidList(Uint32Array.from(a));
        if (a.length > 0) {
          const set = new Cursor({ text: setOf(a), literals: [] }).sequenceSet();
          assert.deepEqual([...list.pick(set, true, new Uint32Array(0))], a);
        }
        assert.deepEqual(
          listed(commonRanges(rangesOf(a), rangesOf(b))),
          a.filter((uid) => b.includes(uid)),
        );
        const absent = Array.from({ length: 60 }, (_, n) => n + 1).filter((uid) => !a.includes(uid));
        assert.deepEqual(listed(gapsIn(rangesOf(a), 61)), absent);
      }),
    );
  });

  it('a list of UIDs stays in step with a client that applies what it is told', () => {
    fc.assert(
      fc.property(uidSets, fc.array(fc.tuple(uidSets, fc.nat(3))), (first, steps) => {
        const list = new UidList(Uint32Array.from(first));
        let client = [...first];
        let next = 61;
        for (const [removed, added] of steps) {
          for (const { sequence, uid } of list.remove(removed)) {
            assert.equal(client[sequence - 1], uid);
            client.splice(sequence - 1, 1);
          }
          for (let n = 0; n < added; n += 1) {
            list.append(next);
            client = [...client, next];
            next += 1;
          }
          assert.deepEqual([...list.all()], client);
          for (const [at, uid] of client.entries()) assert.equal(list.sequenceOf(uid), at + 1);
        }
      }),
    );
  });

  it('a time is read as it was written, and a day that does not exist is none', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000_000_000 }), (seconds) => {
        assert.equal(momentOf(internalDate(seconds * 1000).slice(1, -1)), seconds * 1000);
      }),
    );
    assert.equal(momentOf('17-Jul-1996 02:44:25 -0700'), Date.UTC(1996, 6, 17, 9, 44, 25));
    assert.equal(dayOf('30-Feb-2026'), null);
    assert.equal(dayOf('1-foo-2026'), null);
  });
});

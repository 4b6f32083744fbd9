import { type ImapContext, SessionEnd } from '../imap-context.ts';
import { BadCommand, type Cursor } from '../imap-cursor.ts';
import { ImapRefusal } from '../imap-store.ts';
import { appendCommand, copyCommand, expungeCommand, moveCommand, storeCommand } from './change-commands.ts';
import { fetchCommand } from './fetch-command.ts';
import {
  closeCommand,
  listCommand,
  lsubCommand,
  namespaceCommand,
  refuseFolderChange,
  selectCommand,
  statusCommand,
  subscribeCommand,
  unselectCommand,
} from './folder-commands.ts';
import { searchCommand } from './search-command.ts';

type Handler = (ctx: ImapContext, cursor: Cursor, tag: string) => Promise<string>;

export interface Command {
  /** When it can be used. */
  in: 'login' | 'selected';
  run: Handler;
  /** Mails that are gone keep their numbers until another command (RFC 9051 7.5.1). */
  keepsNumbers?: true;
  /** It looks for news also without a hint that there are any. */
  looks?: true;
  /** What is new is not told after it. */
  quiet?: true;
}

/** The commands of a session that has logged in. */
export const COMMANDS: Record<string, Command> = {
  LIST: { in: 'login', run: listCommand },
  LSUB: { in: 'login', run: lsubCommand },
  SUBSCRIBE: { in: 'login', run: subscribeCommand },
  UNSUBSCRIBE: { in: 'login', run: subscribeCommand },
  CREATE: { in: 'login', run: refuseFolderChange },
  RENAME: { in: 'login', run: refuseFolderChange },
  DELETE: { in: 'login', run: refuseFolderChange },
  NAMESPACE: { in: 'login', run: namespaceCommand },
  STATUS: { in: 'login', run: statusCommand },
  SELECT: { in: 'login', run: (ctx, cursor) => selectCommand(ctx, cursor, false), quiet: true },
  EXAMINE: { in: 'login', run: (ctx, cursor) => selectCommand(ctx, cursor, true), quiet: true },
  APPEND: { in: 'login', run: appendCommand },
  ENABLE: { in: 'login', run: enableCommand },
  IDLE: { in: 'login', run: idleCommand },
  CHECK: { in: 'selected', run: plain('CHECK completed'), looks: true },
  CLOSE: { in: 'selected', run: closeCommand, quiet: true },
  UNSELECT: { in: 'selected', run: unselectCommand, quiet: true },
  EXPUNGE: { in: 'selected', run: (ctx, cursor) => expungeCommand(ctx, cursor, false) },
  'UID EXPUNGE': { in: 'selected', run: (ctx, cursor) => expungeCommand(ctx, cursor, true) },
  SEARCH: { in: 'selected', run: (ctx, cursor, tag) => searchCommand(ctx, cursor, false, tag), keepsNumbers: true },
  'UID SEARCH': { in: 'selected', run: (ctx, cursor, tag) => searchCommand(ctx, cursor, true, tag) },
  FETCH: { in: 'selected', run: (ctx, cursor) => fetchCommand(ctx, cursor, false), keepsNumbers: true },
  'UID FETCH': { in: 'selected', run: (ctx, cursor) => fetchCommand(ctx, cursor, true) },
  STORE: { in: 'selected', run: (ctx, cursor) => storeCommand(ctx, cursor, false), keepsNumbers: true },
  'UID STORE': { in: 'selected', run: (ctx, cursor) => storeCommand(ctx, cursor, true) },
  COPY: { in: 'selected', run: (ctx, cursor) => copyCommand(ctx, cursor, false) },
  'UID COPY': { in: 'selected', run: (ctx, cursor) => copyCommand(ctx, cursor, true) },
  MOVE: { in: 'selected', run: (ctx, cursor) => moveCommand(ctx, cursor, false) },
  'UID MOVE': { in: 'selected', run: (ctx, cursor) => moveCommand(ctx, cursor, true) },
};

function plain(text: string): Handler {
  return async (_ctx, cursor) => {
    cursor.end();
    return text;
  };
}

/** ENABLE (RFC 9051 6.3.1, RFC 7162 3.2.3). What is not known is passed over. */
async function enableCommand(ctx: ImapContext, cursor: Cursor): Promise<string> {
  const asked = [cursor.word()];
  while (cursor.skip(' ')) asked.push(cursor.word());
  cursor.end();
  const { enabled, selected } = ctx;
  const had = enabled.condstore;
  const said: string[] = [];
  for (const word of asked) {
    if (word === 'QRESYNC') enabled.qresync = true;
    if (word === 'CONDSTORE' || word === 'QRESYNC') enabled.condstore = true;
    if (word === 'IMAP4REV2') enabled.rev2 = true;
    if (word === 'CONDSTORE' || word === 'QRESYNC') said.push(word);
    if (word === 'IMAP4REV2') said.push('IMAP4rev2');
  }
  ctx.out.line(`* ENABLED${said.map((word) => ` ${word}`).join('')}`);
  // RFC 7162 3.1.1.
  if (enabled.condstore && !had && selected !== null) ctx.out.line(`* OK [HIGHESTMODSEQ ${selected.modSeq}] Highest`);
  return 'ENABLE completed';
}

/** IDLE (RFC 9051 6.3.13): tells what is new until the client says DONE. */
async function idleCommand(ctx: ImapContext, cursor: Cursor): Promise<string> {
  cursor.end();
  ctx.out.line('+ idling');
  let wake = (): void => {};
  let last: string | null | undefined;
  ctx.onNews(() => wake());
  ctx.idling = true;
  try {
    const ending = ctx.input.line(100).then(
      (line) => {
        last = line;
        wake();
      },
      () => {
        last = 'too long';
        wake();
      },
    );
    await tellNews(ctx, true);
    while (last === undefined) {
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (ctx.hasNews || last !== undefined) resolve();
      });
      await tellNews(ctx, false);
    }
    await ending;
  } finally {
    ctx.idling = false;
    ctx.onNews(null);
  }
  if (last === null) throw new SessionEnd('Gone');
  if (last?.toUpperCase() !== 'DONE') throw new BadCommand('Expected DONE');
  return 'IDLE completed';
}

/** @throws SessionEnd also at a fault: a client that waits would never hear of it */
async function tellNews(ctx: ImapContext, always: boolean): Promise<void> {
  try {
    await ctx.sync(true, always);
    await ctx.spend();
  } catch (err) {
    if (err instanceof SessionEnd) throw err;
    if (err instanceof ImapRefusal) throw new SessionEnd(`[${err.code}] ${err.message}`);
    ctx.log.error({ err }, 'imap idle failed');
    throw new SessionEnd('[SERVERBUG] Fault');
  }
  ctx.out.flush();
  await ctx.out.ready();
}

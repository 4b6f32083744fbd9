import { setTimeout as sleep } from 'node:timers/promises';
import { type ImapContext, SessionEnd } from '../imap-context.ts';
import { BadCommand, type Cursor, textOf } from '../imap-cursor.ts';
import { type ImapCredentials, type ImapMailbox, ImapRefusal } from '../imap-store.ts';

const LOGINS_MAX = 5;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const ANSWER_BYTES = 16_384;

/** Who opens the mailbox: the session, which must know when it ends. */
type Opener = (credentials: ImapCredentials) => Promise<ImapMailbox>;

/** LOGIN (RFC 9051 6.2.3). */
export async function loginCommand(ctx: ImapContext, cursor: Cursor, open: Opener): Promise<void> {
  const user = textOf(cursor.astringBytes());
  cursor.space();
  const secret = textOf(cursor.astringBytes());
  cursor.end();
  requireMayLogIn(ctx);
  await logIn(ctx, { kind: 'password', user, secret }, open);
}

function requireMayLogIn(ctx: ImapContext): void {
  if (!ctx.service.mayLogIn(ctx.client)) throw new ImapRefusal('PRIVACYREQUIRED', 'Encrypt the connection first');
}

/** @throws ImapRefusal after a second; the fifth ends the session */
async function logIn(ctx: ImapContext, credentials: ImapCredentials, open: Opener): Promise<void> {
  try {
    ctx.mailbox = await open(credentials);
  } catch (err) {
    if (!(err instanceof ImapRefusal)) throw err;
    ctx.failedLogins += 1;
    await sleep(ctx.limits.refusalMs, undefined, { ref: false });
    throw err;
  }
}

/** Whether a session that was refused goes on. */
export const mayTryAgain = (ctx: ImapContext): boolean => ctx.failedLogins < LOGINS_MAX;

/** AUTHENTICATE (RFC 9051 6.2.2, 4616, 7628). */
export async function authenticateCommand(ctx: ImapContext, cursor: Cursor, open: Opener): Promise<void> {
  const mechanism = cursor.word();
  const initial = cursor.skip(' ') ? cursor.rest() : null;
  requireMayLogIn(ctx);
  // RFC 4959 3: `=` stands for an empty response.
  const first = async (): Promise<string> =>
    decoded(initial === null ? await ask(ctx, '') : initial === '=' ? '' : initial);
  switch (mechanism) {
    case 'PLAIN':
      return logIn(ctx, plainCredentials(await first()), open);
    case 'LOGIN': {
      const user = initial === null ? decoded(await ask(ctx, 'Username:')) : decoded(initial);
      return logIn(ctx, { kind: 'password', user, secret: decoded(await ask(ctx, 'Password:')) }, open);
    }
    case 'OAUTHBEARER':
    case 'XOAUTH2':
      return logInByToken(ctx, await first(), mechanism === 'XOAUTH2', open);
    default:
      throw new ImapRefusal('CANNOT', 'Unknown mechanism');
  }
}

/** A failure is told as JSON first; the client answers that with nothing of meaning (RFC 7628 3.2.3). */
async function logInByToken(ctx: ImapContext, response: string, isX: boolean, open: Opener): Promise<void> {
  const credentials = tokenCredentials(response, isX);
  try {
    await logIn(ctx, credentials, open);
  } catch (err) {
    if (!(err instanceof ImapRefusal)) throw err;
    await ask(ctx, isX ? '{"status":"401","schemes":"bearer"}' : '{"status":"invalid_token"}').catch((cancelled) => {
      if (!(cancelled instanceof BadCommand)) throw cancelled;
    });
    throw err;
  }
}

/** Sends a challenge. @returns what the client answers, in base64 @throws BadCommand when it cancels */
async function ask(ctx: ImapContext, challenge: string): Promise<string> {
  ctx.out.line(`+ ${Buffer.from(challenge, 'utf8').toString('base64')}`);
  ctx.out.flush();
  const answer = await ctx.input.line(ANSWER_BYTES);
  if (answer === null) throw new SessionEnd('Gone');
  if (answer === '*') throw new BadCommand('Cancelled');
  return answer;
}

function decoded(base64: string): string {
  if (!BASE64.test(base64)) throw new BadCommand('Not base64');
  return Buffer.from(base64, 'base64').toString('utf8');
}

function plainCredentials(response: string): ImapCredentials {
  const [acting, user, secret, ...more] = response.split('\0');
  if (acting === undefined || user === undefined || secret === undefined || more.length > 0) {
    throw new BadCommand('Not as PLAIN has it');
  }
  if (acting !== '' && acting !== user) throw new ImapRefusal('AUTHORIZATIONFAILED', 'A login acts for itself alone');
  return { kind: 'password', user, secret };
}

function tokenCredentials(response: string, isX: boolean): ImapCredentials {
  const [head = '', ...fields] = response.split('\u0001');
  const bearer = fields
    .map((field) => /^auth=bearer +([!-~]+)$/i.exec(field)?.[1])
    .find((token) => token !== undefined);
  const user = isX ? /^user=(.*)$/s.exec(head)?.[1] : gs2User(head);
  if (bearer === undefined || user === undefined) throw new BadCommand('Not as the mechanism has it');
  return { kind: 'token', user, secret: bearer };
}

/** The user in a GS2 header, `n,a=user,` (RFC 5801 4); '' without one. */
function gs2User(head: string): string | undefined {
  const found = /^[ny],(?:a=([^,]*))?,$/.exec(head);
  if (found === null) return undefined;
  return (found[1] ?? '').replace(/=(2C|3D)/gi, (_all, code: string) => (code.toUpperCase() === '2C' ? ',' : '='));
}

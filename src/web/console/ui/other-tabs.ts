import { systemNow } from '../../../client/client-clock.ts';
import { isOpened } from './console-session.ts';

/**
 * One login in several tabs. A tab that has none asks the others for their session.
 *
 * `BroadcastChannel` reaches pages of this origin alone, where no script but ours runs. A tab says nothing unasked, and
 * gives a session, never a key: a session ends by itself, and for all tabs when one signs out. An answer counts only for
 * the question that it names, so that no tab is logged in unasked.
 */

const CHANNEL = 'signet.session';
/** Whether another tab may have a session. Without it there is no question, and no wait. */
const MARK = 'signet.opened';
/** As long as a busy tab may take. */
const ANSWER_MS = 1500;
/** Several tabs answer about at once. */
const SETTLE_MS = 60;

type Said =
  | { kind: 'ask'; id: string }
  | { kind: 'session'; id: string; session: string; usedAt: number }
  | { kind: 'signed-out' };

// One object for the whole page: it does not hear itself.
const channel = new BroadcastChannel(CHANNEL);
const say = (said: Said): void => channel.postMessage(said);

const isSessionText = (value: unknown): value is string => typeof value === 'string' && isOpened(value);

/** @returns the session of the tab that was used last; null if no other tab has one */
export async function askOtherTabs(): Promise<string | null> {
  if (localStorage.getItem(MARK) === null) return null;
  const id = crypto.getRandomValues(new Uint32Array(4)).join('-');
  const { promise, resolve } = Promise.withResolvers<void>();
  let found: { session: string; usedAt: number } | null = null;
  const hear = ({ data }: MessageEvent<Said>): void => {
    if (data.kind !== 'session' || data.id !== id || !isSessionText(data.session)) return;
    if (found === null) setTimeout(resolve, SETTLE_MS);
    if (found === null || data.usedAt > found.usedAt) found = data;
  };
  channel.addEventListener('message', hear);
  setTimeout(resolve, ANSWER_MS);
  say({ kind: 'ask', id });
  await promise;
  channel.removeEventListener('message', hear);
  // Set before the others answered, it would be theirs.
  if (found === null) localStorage.removeItem(MARK);
  return (found as { session: string } | null)?.session ?? null;
}

/**
 * Gives the session of this tab to tabs that ask.
 * @param held the credential of this tab; null when it has none
 * @param check called when another tab signed out, which may have ended this session too
 */
export function answerOtherTabs(held: () => string | null, check: () => Promise<void>): void {
  let usedAt = systemNow();
  channel.addEventListener('message', ({ data }: MessageEvent<Said>) => {
    if (data.kind === 'signed-out') return void check();
    const session = held();
    if (data.kind === 'ask' && isSessionText(session)) say({ kind: 'session', id: data.id, session, usedAt });
  });
  globalThis.addEventListener('focus', () => {
    usedAt = systemNow();
    markOpened(held());
  });
}

/** Notes that this browser has a tab with a session. @param credential of this tab */
export function markOpened(credential: string | null): void {
  if (isSessionText(credential)) localStorage.setItem(MARK, 'yes');
}

/** Tells the other tabs that this one signed out. */
export function tellSignedOut(): void {
  localStorage.removeItem(MARK);
  say({ kind: 'signed-out' });
}

import { systemNow } from '../../../client/client-clock.ts';

/**
 * What is typed into a mail, kept in this browser until it is sent or thrown away. So a closed tab, an ended session or a
 * service that is away loses nothing. Signing out forgets all of it.
 */

const PREFIX = 'signet.typed.';
/** The setting. Its name must not begin with the prefix of the texts. */
const SWITCH = 'signet.keep-typed';
/** As long as the service keeps a draft that the console saved by itself. */
const KEPT_MS = 7 * 86_400_000;

/** A mail as it was typed: the recipients are not taken apart. */
export interface Typed {
  from: string;
  to: string;
  cc: string;
  bcc: string;
  subject: string;
  text: string;
}

export interface KeptText extends Typed {
  account: string;
  /** What it is about: a new mail, a conversation, or a draft. */
  place: string;
  /** How it was begun: `new`, `reply`, `reply-all`, `forward` or `draft`, and for which message. */
  how: string;
  message: string | null;
  /** The draft that holds it, too. */
  draftId: string | null;
  /** When that draft was last changed from here, as the service said it. */
  draftAt: string | null;
  /** Whether the draft holds all of it. */
  isSaved: boolean;
  /** Milliseconds. */
  at: number;
}

const keyOf = (account: string, place: string): string => `${PREFIX}${account} ${place}`;

export const keepsText = (): boolean => localStorage.getItem(SWITCH) !== 'off';

/** Switches it on or off for this browser. Off forgets what is kept. */
export function switchKeeping(on: boolean): void {
  if (on) localStorage.removeItem(SWITCH);
  else {
    localStorage.setItem(SWITCH, 'off');
    forgetTexts();
  }
}

/** @returns whether it is kept: the setting may be off, and the browser may have no room */
export function keepText(kept: KeptText): boolean {
  if (!keepsText()) return false;
  try {
    localStorage.setItem(keyOf(kept.account, kept.place), JSON.stringify(kept));
    return true;
  } catch {
    return false;
  }
}

/** All that is kept, without what is too old. */
function all(): KeptText[] {
  const found: KeptText[] = [];
  for (const key of Object.keys(localStorage).filter((name) => name.startsWith(PREFIX))) {
    try {
      const kept = JSON.parse(localStorage.getItem(key) ?? '') as KeptText;
      if (systemNow() - kept.at < KEPT_MS) {
        found.push(kept);
        continue;
      }
    } catch {
      // An earlier version of the console, or a person, wrote something else.
    }
    localStorage.removeItem(key);
  }
  return found;
}

/** What is kept of one place. */
export const keptText = (account: string, place: string): KeptText | null =>
  all().find((one) => one.account === account && one.place === place) ?? null;

/** What is kept beside a draft. */
export const keptOfDraft = (account: string, draftId: string): KeptText | null =>
  all().find((one) => one.account === account && one.draftId === draftId) ?? null;

/** Frees the place of a text that is older than its draft. It becomes another draft. */
export function setApart(kept: KeptText): void {
  forgetText(kept.account, kept.place);
  keepText({ ...kept, place: `apart ${kept.draftId} ${kept.at}`, how: 'new', draftId: null, draftAt: null });
}

export const forgetText = (account: string, place: string): void => localStorage.removeItem(keyOf(account, place));

function forgetTexts(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
}

/** What no draft holds yet, of one account or of all. */
export const unsavedTexts = (account?: string): KeptText[] =>
  all().filter((one) => !one.isSaved && (account === undefined || one.account === account));

/** A mail that is being written on this page. */
interface Writer {
  /** Whether no draft holds all of it. */
  isNew: boolean;
  save(): Promise<void>;
  end(): void;
}

/** Those on this page. The code of Mail may not have come. */
export const writing = new Set<Writer>();

/** Saves what is being written, as far as that is possible. */
export const saveTyped = async (): Promise<void> =>
  void (await Promise.allSettled([...writing].filter(({ isNew }) => isNew).map((one) => one.save())));

/** For who signs out: nothing of it stays in this browser. */
export function forgetTyped(): void {
  for (const one of [...writing]) one.end();
  forgetTexts();
}

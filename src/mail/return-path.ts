import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseBase32 } from '../kernel/ids.ts';
import { DAY_MS } from '../kernel/period.ts';
import type { FormerKey } from '../kernel/sealing.ts';

/**
 * The envelope sender of mail that we send: `bounce+<id><mac>@<mail domain>` (VERP). Only a recipient of that mail can
 * know the address, so a forged report about it is refused at RCPT. No agent can claim one: names hold no `+`.
 */
export interface ReturnPaths {
  of(outboxId: string): string;
  /** The outbox entry whose return path has this local part; null for one that we did not create or that has expired. */
  read(local: string, now: number): string | null;
}

const PREFIX = 'bounce+';
/** The part of an id after its prefix: ten characters of milliseconds, then random ones. */
const TAIL = 26;
/** 96 bits in hex; with the rest 57 of the 64 characters that RFC 5321 4.5.3.1.1 allows. */
const MAC = 24;
/** Servers give up after some 5 days (RFC 5321 4.5.4.1), ours after a day and a half before that. */
const LIFE_MS = 14 * DAY_MS;

/** True for every local part that looks like a return path, signed or not. */
export const isReturnPath = (local: string): boolean => local.startsWith(PREFIX);

/** The keys are shared by all instances and outlive them: reports come days later. */
export function createReturnPaths(
  { key: current, former }: { key: string; former: FormerKey | null },
  mailDomain: string,
): ReturnPaths {
  const macOf = (key: string, tail: string): string =>
    createHmac('sha256', key).update(`return-path:${mailDomain}:${tail}`).digest('hex').slice(0, MAC);
  return {
    of: (outboxId) => {
      const tail = outboxId.slice(-TAIL);
      return `${PREFIX}${tail}${macOf(current, tail)}@${mailDomain}`;
    },
    read: (local, now) => {
      const text = local.slice(PREFIX.length);
      if (!isReturnPath(local) || text.length !== TAIL + MAC) return null;
      const tail = text.slice(0, TAIL);
      const sentAt = parseBase32(tail.slice(0, 10));
      if (sentAt === null) return null;
      const key = former !== null && sentAt < former.until ? former.key : current;
      const given = Buffer.from(text.slice(TAIL));
      if (given.length !== MAC || !timingSafeEqual(given, Buffer.from(macOf(key, tail)))) return null;
      return now - sentAt <= LIFE_MS ? `out_${tail}` : null;
    },
  };
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseBase32 } from '../../base/ids.ts';
import { DAY_MS } from '../../base/period.ts';
import type { FormerKey } from '../../base/sealing.ts';

/** A sent mail, and one of its recipients by its number. Null: mail of earlier versions had one path for all. */
export interface SentCopy {
  outboxId: string;
  recipient: number | null;
}

/**
 * The envelope sender of each copy that we send: `bounce+<id><recipient><mac>@<mail domain>` (VERP). Only the recipient
 * of that copy can know the address, so a forged report about it is refused at RCPT, and a report names who it is about.
 * No agent can claim one: names hold no `+`.
 */
export interface ReturnPaths {
  /** @param recipient its number among those of the mail */
  of(outboxId: string, recipient: number): string;
  /** The copy whose return path has this local part; null for one that we did not create or that has expired. */
  read(local: string, now: number): SentCopy | null;
}

/** The address of a link by which the recipient of a copy ends the mail of its sender (RFC 8058). It has no end. */
export interface UnsubscribeTokens {
  of(outboxId: string, recipient: number): string;
  read(token: string): SentCopy | null;
}

const PREFIX = 'bounce+';
/** The part of an id after its prefix: ten characters of milliseconds, then random ones. */
const TAIL = 26;
/** Two digits name the recipient. */
const RECIPIENT = 2;
/** 96 bits in hex; with the rest 59 of the 64 characters that RFC 5321 4.5.3.1.1 allows. */
const MAC = 24;
/** Servers give up after some 5 days (RFC 5321 4.5.4.1), ours after a day and a half before that. */
const LIFE_MS = 14 * DAY_MS;

/** True for every local part that looks like a return path, signed or not. */
export const isReturnPath = (local: string): boolean => local.startsWith(PREFIX);

/** A copy as it is signed: the end of the id, and the number of the recipient. */
const nameOf = (outboxId: string, recipient: number): string =>
  outboxId.slice(-TAIL) + recipient.toString(32).padStart(RECIPIENT, '0');

const copyOf = (name: string): SentCopy => ({
  outboxId: `out_${name.slice(0, TAIL)}`,
  recipient: name.length === TAIL ? null : Number.parseInt(name.slice(TAIL), 32),
});

const macOf = (key: string, purpose: string, name: string): string =>
  createHmac('sha256', key).update(`${purpose}:${name}`).digest('hex').slice(0, MAC);

const fits = (given: string, mac: string): boolean =>
  given.length === mac.length && timingSafeEqual(Buffer.from(given), Buffer.from(mac));

/** The keys are shared by all instances and outlive them: reports come days later. */
export function createReturnPaths(
  { key: current, former }: { key: string; former: FormerKey | null },
  mailDomain: string,
): ReturnPaths {
  const purpose = `return-path:${mailDomain}`;
  return {
    of: (outboxId, recipient) => {
      const name = nameOf(outboxId, recipient);
      return `${PREFIX}${name}${macOf(current, purpose, name)}@${mailDomain}`;
    },
    read: (local, now) => {
      if (!isReturnPath(local) || !/^[0-9a-z]+$/.test(local.slice(PREFIX.length))) return null;
      const name = local.slice(PREFIX.length, -MAC);
      if (name.length !== TAIL && name.length !== TAIL + RECIPIENT) return null;
      const sentAt = parseBase32(name.slice(0, 10));
      if (sentAt === null) return null;
      const key = former !== null && sentAt < former.until ? former.key : current;
      if (!fits(local.slice(-MAC), macOf(key, purpose, name))) return null;
      return now - sentAt <= LIFE_MS ? copyOf(name) : null;
    },
  };
}

/** @param key shared by all instances; it must outlive them, because people unsubscribe years later */
export function createUnsubscribeTokens(key: string): UnsubscribeTokens {
  return {
    of: (outboxId, recipient) => {
      const name = nameOf(outboxId, recipient);
      return name + macOf(key, 'unsubscribe', name);
    },
    read: (token) => {
      const name = token.slice(0, -MAC);
      const isOurs = /^[0-9a-z]{52}$/.test(token) && fits(token.slice(-MAC), macOf(key, 'unsubscribe', name));
      return isOurs ? copyOf(name) : null;
    },
  };
}

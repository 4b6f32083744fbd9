/** What clients were promised under load, and what they cannot know because the process was killed before its reply. */

export interface KnownKey {
  key: string;
  accountId: string;
}

export interface SentMail {
  address: string;
  /** Unique among all mails of a test. */
  subject: string;
}

/** The state of a message after the last acknowledged call. Null if a later call was cut off. */
export interface MessageRecord {
  id: string;
  state: { read: boolean; archived: boolean } | 'deleted' | null;
}

export interface Ledger {
  /** Keys shown to a client and not replaced by that client since. */
  keys: KnownKey[];
  /** Keys whose replacement was acknowledged. */
  revoked: string[];
  claims: { address: string; accountId: string }[];
  /** Mails that got 201 or 250. */
  mails: SentMail[];
  /** Subjects of all mails ever sent. Each arrives once, or at most once if the call was cut off. */
  attempted: Set<string>;
  messages: Map<string, MessageRecord>;
  /** Replies that the load does not explain. */
  surprises: string[];
}

export const newLedger = (): Ledger => ({
  keys: [],
  revoked: [],
  claims: [],
  mails: [],
  attempted: new Set(),
  messages: new Map(),
  surprises: [],
});

/** Adds the results of a round to those of all rounds. */
export function addToLedger(all: Ledger, round: Ledger): void {
  all.keys.push(...round.keys);
  all.revoked.push(...round.revoked);
  all.claims.push(...round.claims);
  all.mails.push(...round.mails);
  for (const subject of round.attempted) all.attempted.add(subject);
  for (const [id, message] of round.messages) all.messages.set(id, message);
  all.surprises.push(...round.surprises);
}

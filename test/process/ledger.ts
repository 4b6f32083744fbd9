/** What clients were promised under load, and what they cannot know because the process died before it answered. */

export interface KeyFact {
  key: string;
  accountId: string;
}

export interface MailFact {
  address: string;
  /** Unique among all mails of a test. */
  subject: string;
}

/** What the last acknowledged call left of a message; null where a later call was cut off. */
export interface MessageFact {
  id: string;
  state: { read: boolean; archived: boolean } | 'deleted' | null;
}

export interface Ledger {
  /** Keys shown to a client and not replaced by that client since. */
  keys: KeyFact[];
  /** Keys whose replacement was acknowledged. */
  revoked: string[];
  claims: { address: string; accountId: string }[];
  /** Mails that got 201 or 250. */
  mails: MailFact[];
  /** Subjects of all mails ever sent, also where the sending was cut off: each is there once or, if so, not at all. */
  attempted: Set<string>;
  messages: Map<string, MessageFact>;
  /** Answers that nothing in the load explains. */
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

/** Adds what a round found out to what is known. */
export function addToLedger(all: Ledger, round: Ledger): void {
  all.keys.push(...round.keys);
  all.revoked.push(...round.revoked);
  all.claims.push(...round.claims);
  all.mails.push(...round.mails);
  for (const subject of round.attempted) all.attempted.add(subject);
  for (const [id, fact] of round.messages) all.messages.set(id, fact);
  all.surprises.push(...round.surprises);
}

/** A one-time code of a mail, or what was too close to call. */
export interface FoundCode {
  /** Null when candidates of different values fit equally well. */
  code: string | null;
  /** From 0 to 1. */
  confidence: number;
  /** `header` and `origin_line`: the sender marked the code. `keyword`: found by the words beside it. */
  method: 'header' | 'origin_line' | 'keyword';
  /** The best distinct values, best first: at most three. */
  candidates: string[];
  /** Seconds that the mail says the code is valid. */
  expiresIn: number | null;
}

const LINK_KINDS = ['verify', 'reset', 'login', 'unsubscribe', 'other'] as const;
export type LinkKind = (typeof LINK_KINDS)[number];

/** A link of a mail. It is listed, never fetched: a visit uses up a link that works once. */
export interface FoundLink {
  url: string;
  text: string;
  host: string;
  kind: LinkKind;
  /** The text names another host than the one that the link opens. */
  mismatch: boolean;
}

/** `suspicious`: do nothing that the mail asks for without a check. `dangerous`: it is made to deceive. */
export const VERDICTS = ['clean', 'suspicious', 'dangerous'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Where in a mail a signal is. */
export const SIGNAL_PLACES = ['subject', 'from', 'reply_to', 'text', 'hidden', 'plain', 'link', 'attachment'] as const;

/** One thing about a mail that speaks against it. */
export interface Signal {
  name: string;
  /** How likely a mail with it is hostile, if nothing else were known: from 0 to 1. */
  weight: number;
  where: (typeof SIGNAL_PLACES)[number];
}

export interface Safety {
  verdict: Verdict;
  /** The heaviest first. */
  signals: Signal[];
}

/** What a mail offers an agent to act on. */
export interface Findings {
  /** The code when the From address is not proven. */
  code: FoundCode | null;
  /** The code when it is: a code that the sender bound to its own domain counts then. */
  provenCode: FoundCode | null;
  links: FoundLink[];
  /** What the mail itself shows against it. Its sender and the receiving account add to it at delivery. */
  signals: Signal[];
  /** Text that a person would not see. `chars` counts also what is beyond the part that is kept. */
  hidden: { text: string; chars: number };
}

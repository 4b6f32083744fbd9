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

/** What a mail offers an agent to act on. */
export interface Findings {
  /** The code when the From address is not proven. */
  code: FoundCode | null;
  /** The code when it is: a code that the sender bound to its own domain counts then. */
  provenCode: FoundCode | null;
  links: FoundLink[];
}

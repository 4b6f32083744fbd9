/** Results of sender authentication (RFC 8601). */

/** The results of RFC 8601 2.7 that Signet uses. */
export type AuthResult = 'pass' | 'fail' | 'softfail' | 'neutral' | 'none' | 'temperror' | 'permerror';

export interface SenderAuthResults {
  spf: AuthResult;
  dkim: AuthResult;
  dmarc: AuthResult;
  /**
   * The domain of the From header, in lower case, when it is proven: by DMARC, or where the domain publishes no policy
   * by an aligned signature or SPF. Null otherwise, and for a message with several authors.
   */
  provenDomain: string | null;
}

/** Who sent a message to us. */
export interface SenderSession {
  ip: string;
  helo: string;
  /** The reverse path, '' for a bounce. */
  sender: string;
}

/** A look-up that the checks need. `type` is a record type such as `TXT`. */
export interface DnsQuestion {
  name: string;
  type: string;
}

export type DnsRecords = string[][] | string[];

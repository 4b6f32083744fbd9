/** What the records of a domain are for. */
export const PURPOSES = ['ownership', 'mx', 'spf', 'dkim', 'dmarc'] as const;
export type Purpose = (typeof PURPOSES)[number];

/**
 * What the DNS was found to say. `different`: there is such a record, and it says something else; `unreachable`: nobody
 * answered.
 */
export const FINDINGS = ['unchecked', 'found', 'missing', 'different', 'unreachable'] as const;
export interface Finding {
  status: (typeof FINDINGS)[number];
  /** The records of that kind that are there. */
  found: string[];
}

export const STATUSES = ['provisioning', 'active', 'failed'] as const;
export type StackStatus = (typeof STATUSES)[number];

/** A domain of an account's own. */
export interface Stack {
  id: string;
  accountId: string;
  /** A-labels, lower case. */
  domain: string;
  status: StackStatus;
  /** What the ownership record has to say. */
  token: string;
  dkimSelector: string;
  /** PEM. */
  dkimPrivateKey: string;
  /** The `p=` of the record. */
  dkimPublicKey: string;
  /** Of the latest check; null before the first. */
  findings: Record<Purpose, Finding> | null;
  nameservers: string[];
  checkedAt: number | null;
  verifiedAt: number | null;
  createdAt: number;
}

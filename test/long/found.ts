import type { Api } from '../support/harness.ts';

/** What mail programs did. */
export interface ProgramFound {
  appended: number;
  flagged: number;
  copied: number;
  moved: number;
  expunged: number;
  handedIn: number;
  /** Changes whose answer was lost, and those of them that were done. */
  lost: number;
  lostAndDone: number;
}

export interface Found extends ProgramFound {
  calls: number;
  /** Calls that were made again, because the first got no definite reply. */
  repeated: number;
  /** Replies of 503. */
  unavailable: number;
  mails: number;
  charges: number;
  puts: number;
  approvals: number;
  webhooks: number;
  /** Mails from outside. */
  fromOutside: number;
  /** New accounts, each with another key, an address and a mail. */
  lives: number;
  rotations: number;
  /** Mails of agents that reached the relay more than once (ADR 0059 names the window). */
  mailedTwice: number;
}

/** Nothing yet. */
export const newFound = (): Found => ({
  calls: 0,
  repeated: 0,
  unavailable: 0,
  mails: 0,
  charges: 0,
  puts: 0,
  approvals: 0,
  webhooks: 0,
  fromOutside: 0,
  lives: 0,
  rotations: 0,
  mailedTwice: 0,
  appended: 0,
  flagged: 0,
  copied: 0,
  moved: 0,
  expunged: 0,
  handedIn: 0,
  lost: 0,
  lostAndDone: 0,
});

/** The subjects that calls list at an address. @param query as `&folder=trash` */
export async function subjectsListed(api: Api, address: string, query = ''): Promise<string[]> {
  const subjects: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const next: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await api.get(`/v1/email/inbox?address=${address}&limit=100${query}${next}`);
    subjects.push(...body.messages.map(({ subject }: { subject: string }) => subject));
    cursor = body.next_cursor;
  }
  return subjects;
}

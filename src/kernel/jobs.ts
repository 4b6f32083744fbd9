import type { Tx } from './transaction.ts';

/** Durable work that outlives the request: each kind and what its payload holds. Never a secret: payloads are stored. */
export interface JobPayloads {
  /** A mail with a link in it. The token is minted, and its hash stored, at each attempt. */
  'mail.login': { email: string };
  /** A link for the operator who is asked for a credential, as above. The user code is known by its hash alone. */
  'mail.credential': { codeHash: string };
  /** Asks the operator to decide; with a link whose token is minted, and its hash stored, at each attempt. */
  'mail.approval': { approvalId: string };
  /** Marks an approval that nobody decided in time. */
  'approval.expire': { approvalId: string };
  /** The same for a vault: one link to all that the address may have back. */
  'mail.recovery': { email: string };
  /** An outgoing mail for recipients elsewhere. */
  'mail.outbound': { outboxId: string };
  /** A payment that something was delivered for, to be settled by the facilitator. */
  'payment.settle': { paymentId: string };
  /** One delivery to a webhook. `run` rises when somebody asks for a retry, which makes jobs of earlier runs void. */
  'webhook.deliver': { deliveryId: string; run: number };
}

export type JobKind = keyof JobPayloads;

/** What shares slots, the part of a kind before its dot: a receiver of webhooks that hangs must not hold up mail. */
export type JobLane = JobKind extends `${infer Lane}.${string}` ? Lane : never;

export const laneOf = (kind: JobKind): JobLane => kind.split('.', 1)[0] as JobLane;

/** Puts work on the queue in the transaction that calls for it. */
export type EnqueueJob = <K extends JobKind>(
  tx: Tx,
  job: { kind: K; payload: JobPayloads[K]; runAt: number },
) => Promise<void>;

/** What came of an attempt. `settle` is written in the transaction that also takes the job off the queue. */
export type JobOutcome =
  | { status: 'done'; settle?: (tx: Tx) => Promise<void> }
  | { status: 'retry'; reason: string; runAt: number; settle?: (tx: Tx) => Promise<void> };

export interface JobAttempt<K extends JobKind> {
  id: string;
  payload: JobPayloads[K];
  /** 1 for the first. */
  attempt: number;
  now: number;
  /** Aborted when the worker stops: what can be cut short should end, and be asked for again. */
  signal: AbortSignal;
}

export type JobHandler<K extends JobKind> = (attempt: JobAttempt<K>) => Promise<JobOutcome>;

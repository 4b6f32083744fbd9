import { text } from '../../../api/fields.ts';

export const DECISION_STATUSES = ['pending', 'approved', 'rejected', 'expired'] as const;
export type DecisionStatus = (typeof DECISION_STATUSES)[number];

/** What each request has that an operator decides: an approval of a charge, a held mail. */
export interface Decidable {
  id: string;
  /** A {@link DecisionStatus}, or another that ends it. */
  status: string;
  expiresAt: number;
  resolvedAt: number | null;
  resolvedBy: string | null;
}

export const isOverdue = ({ status, expiresAt }: Decidable, now: number): boolean =>
  status === 'pending' && expiresAt <= now;

/** The status as it stands now: a request whose time is over is expired, also before its job has run. */
export const statusAt = <S extends string>(request: Decidable & { status: S }, now: number): S | 'expired' =>
  isOverdue(request, now) ? 'expired' : request.status;

export const linkTokenField = text(64, {
  minLength: 1,
  description: 'The `token` in the fragment of the emailed link.',
});

import { tables } from '../../db/statement.ts';
import type { Reader, Tx } from '../../kernel/transaction.ts';

interface Row {
  outbox_id: string;
  recipient: string;
  /** The relay's name for the mail it took, or null. */
  provider_id: string | null;
  /** Why the relay will never take it, or null. */
  refusal: string | null;
}

/** What became of one recipient, for good. */
export type Settled = { recipient: string; providerId: string | null; refusal: string | null };

const sql = tables<{ outbox_recipients: Row }>();

const byOutbox = sql((q, p: { outbox_id: string }) =>
  q.selectFrom('outbox_recipients').selectAll().where('outbox_id', '=', p.outbox_id).orderBy('recipient'),
);

const insertRow = sql((q, p: Row) =>
  q
    .insertInto('outbox_recipients')
    .values({ outbox_id: p.outbox_id, recipient: p.recipient, provider_id: p.provider_id, refusal: p.refusal })
    .onConflict((conflict) => conflict.doNothing()),
);

const deleteRows = sql((q, p: { outbox_id: string }) =>
  q.deleteFrom('outbox_recipients').where('outbox_id', '=', p.outbox_id),
);

/** Recipients that earlier attempts have settled. */
export const settledRecipients = async (reader: Reader, outboxId: string): Promise<Settled[]> =>
  (await reader.all(byOutbox, { outbox_id: outboxId })).map((row) => ({
    recipient: row.recipient,
    providerId: row.provider_id,
    refusal: row.refusal,
  }));

/** Keeps what an attempt has settled; the first word on a recipient stands. */
export async function keepSettled(tx: Tx, outboxId: string, settled: readonly Settled[]): Promise<void> {
  for (const { recipient, providerId, refusal } of settled)
    await tx.run(insertRow, { outbox_id: outboxId, recipient, provider_id: providerId, refusal });
}

export const forgetSettled = async (tx: Tx, outboxId: string): Promise<void> =>
  void (await tx.run(deleteRows, { outbox_id: outboxId }));

import { guidance, nextCursor, nullable, record, timestamp } from '../../../api/fields.ts';
import { money, moneyFields } from '../../../api/money-fields.ts';
import { iso } from '../../../base/clock.ts';
import { Type } from '../../../base/schema.ts';
import { currencyFields, metadataField } from '../budget-schema.ts';
import type { LedgerEntry } from './ledger-table.ts';

const Entry = record({
  id: Type.String({ description: 'The `charge_id`.' }),
  timestamp: timestamp(),
  ...moneyFields({ amount_usdc: Type.Integer() }),
  category: Type.String(),
  description: Type.String(),
  reference_id: nullable(Type.String()),
  metadata: nullable(metadataField),
  account_id: Type.String({ description: 'The account that spent it: the caller or one of its pods.' }),
  approval_id: nullable(Type.String({ description: 'The approval that allowed it; null when it needed none.' })),
});

export const entryBody = (entry: LedgerEntry) => ({
  id: entry.id,
  timestamp: iso(entry.createdAt),
  ...money({ amount_usdc: entry.amountUsdc }),
  category: entry.category,
  description: entry.description,
  reference_id: entry.referenceId,
  metadata: entry.metadata === null ? null : (JSON.parse(entry.metadata) as Record<string, unknown>),
  account_id: entry.spenderId,
  approval_id: entry.approvalId,
});

export const History = record({
  agent_id: Type.String(),
  ...currencyFields,
  entries: Type.Array(Entry),
  summary: record({
    count: Type.Integer({ description: 'Entries on all pages.' }),
    ...moneyFields({ total_usdc: Type.Integer() }),
    by_category: Type.Unsafe<Record<string, number>>({
      type: 'object',
      additionalProperties: { type: 'integer' },
    }),
  }),
  pagination: record({
    limit: Type.Integer(),
    has_more: Type.Boolean(),
    next_before: nullable(timestamp({ description: 'In microseconds, so that no entry is skipped or repeated.' })),
    next_cursor: nextCursor(),
  }),
  note: guidance(Type.String()),
});

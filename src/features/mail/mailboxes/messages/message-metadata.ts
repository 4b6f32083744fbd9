import { FIXED_LIMITS } from '../../../../api/metering/fixed-limits.ts';
import { limitReached } from '../../../../api/metering/limit-reached.ts';
import type { Metadata } from './message-metadata-schema.ts';

/** A change of metadata: null removes a name, or everything; undefined leaves it. */
export type MetadataPatch = Record<string, string | number | boolean | null> | null | undefined;

/**
 * The metadata after a change (RFC 7396).
 * @throws ApiError `metadata_too_large`
 */
export function changedMetadata(before: Metadata | null, change: MetadataPatch): Metadata | null {
  if (change === undefined) return before;
  const merged = Object.entries({ ...(change === null ? {} : before), ...change });
  const kept = merged.filter((entry): entry is [string, string | number | boolean] => entry[1] !== null);
  if (kept.length === 0) return null;
  const metadata = Object.fromEntries(kept);
  requireFits('mail_metadata_names', kept.length);
  requireFits('mail_metadata_bytes', Buffer.byteLength(JSON.stringify(metadata)));
  return metadata;
}

function requireFits(name: 'mail_metadata_names' | 'mail_metadata_bytes', used: number): void {
  const max = FIXED_LIMITS[name].value;
  if (used <= max) return;
  const unit = name === 'mail_metadata_bytes' ? 'bytes' : 'names';
  const fields = unit === 'bytes' ? { limit_bytes: max } : {};
  const message = `metadata can have at most ${max} ${unit}.`;
  throw limitReached(
    name,
    { used, max },
    { fields, message, details: [{ path: '/body/metadata', code: 'too_long', message }] },
  );
}

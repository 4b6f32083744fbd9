import { invalidField } from './errors.ts';

/** What a write expects of a versioned resource (RFC 9110 13.1). A resource that does not exist has version 0. */
export interface Precondition {
  /** One of these must be the latest version. `any`: the resource must exist. Null: no condition. */
  versions: readonly number[] | 'any' | null;
  /** The resource must not exist. */
  isNew: boolean;
}

/**
 * Entity tags are versions in quotes; a bare number is accepted too. Weak tags never match a write (RFC 9110 8.8.3.2).
 */
const TAG = /^(W\/)?(?:"([^"]*)"|(\d{1,15}))$/;

/**
 * Combines `If-Match`, `If-None-Match` and `if_version` into one condition. `if_version: 0` expects that the resource does
 * not exist.
 * @throws ApiError `invalid_request` for a header that is not a list of entity tags
 */
export function readPrecondition(
  header: (name: string) => string | undefined,
  ifVersion: number | undefined,
): Precondition {
  const ifMatch = header('if-match')?.trim();
  const ifNoneMatch = header('if-none-match')?.trim();
  if (ifNoneMatch !== undefined && ifNoneMatch !== '*')
    throw invalidField('/header/if-none-match', 'not_allowed', 'If-None-Match can only be * in a write.');
  const matching = ifMatch === undefined ? null : ifMatch === '*' ? 'any' : tagsOf(ifMatch);
  if (ifVersion === undefined) return { versions: matching, isNew: ifNoneMatch === '*' };
  const isExcluded = Array.isArray(matching) && !matching.includes(ifVersion);
  return { versions: isExcluded ? [] : [ifVersion], isNew: ifNoneMatch === '*' };
}

/** The versions in a list of entity tags. Tags that are not versions are skipped. */
function tagsOf(list: string): number[] {
  return list.split(',').flatMap((text) => {
    const tag = TAG.exec(text.trim());
    if (!tag)
      throw invalidField('/header/if-match', 'invalid_format', 'If-Match must be a version in quotes, such as "3".');
    const [, weak, quoted, bare] = tag;
    const version = quoted ?? bare ?? '';
    return weak === undefined && /^[1-9]\d{0,14}$/.test(version) ? [Number(version)] : [];
  });
}

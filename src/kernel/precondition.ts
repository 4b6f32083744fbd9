import { invalidField } from './errors.ts';

/** What a write expects of a versioned resource (RFC 9110 13.1). The version of one that is not there is 0. */
export interface Precondition {
  /** One of these must be the latest version; `any`: it must exist. Null: nothing is expected. */
  versions: readonly number[] | 'any' | null;
  /** It must not exist. */
  isNew: boolean;
}

/** Entity tags are versions in quotes; a bare number is taken too. Weak ones never match a write (RFC 9110 8.8.3.2). */
const TAG = /^(W\/)?(?:"([^"]*)"|(\d{1,15}))$/;

/**
 * What `If-Match`, `If-None-Match` and `if_version` together expect. `if_version: 0` expects that nothing is there.
 * @throws ApiError `invalid_request` for a header that is no list of entity tags
 */
export function readPrecondition(
  header: (name: string) => string | undefined,
  ifVersion: number | undefined,
): Precondition {
  const ifMatch = header('if-match')?.trim();
  const ifNoneMatch = header('if-none-match')?.trim();
  if (ifNoneMatch !== undefined && ifNoneMatch !== '*')
    throw invalidField('/header/if-none-match', 'not_allowed', 'If-None-Match of a write can only be *.');
  const matching = ifMatch === undefined ? null : ifMatch === '*' ? 'any' : tagsOf(ifMatch);
  if (ifVersion === undefined) return { versions: matching, isNew: ifNoneMatch === '*' };
  const isExcluded = Array.isArray(matching) && !matching.includes(ifVersion);
  return { versions: isExcluded ? [] : [ifVersion], isNew: ifNoneMatch === '*' };
}

/** The versions a list of entity tags names; a tag that is none of ours names none. */
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

/** Whether an `If-None-Match` of a read names this version; weak tags count here (RFC 9110 13.1.2). */
export const isTagged = (ifNoneMatch: string | undefined, version: number): boolean =>
  (ifNoneMatch?.split(',') ?? []).some((tag) => ['*', `"${version}"`, `W/"${version}"`].includes(tag.trim()));

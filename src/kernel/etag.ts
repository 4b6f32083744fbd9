/** Whether `If-None-Match` names this tag: a list of tags or `*`, compared weakly (RFC 9110 13.1.2). */
export const isCurrent = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch?.split(',') ?? []).some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);

/** Whether `If-None-Match` (a list of tags, or `*`) includes this tag. The comparison is weak (RFC 9110 13.1.2). */
export const isCurrent = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch?.split(',') ?? []).some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);

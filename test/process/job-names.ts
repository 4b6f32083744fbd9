/**
 * What agents want of the service: the jobs that the tests of each door (HTTP, MCP, command line, Python) do from end to
 * end. The page of a job, `/docs/jobs/NAME.md`, says how; `approval` is decided by a person and has none.
 */
export const JOB_NAMES = [
  'identity',
  'code',
  'reply',
  'secret',
  'budget',
  'token',
  'webhook',
  'calendar',
  'pod',
  'delegation',
  'thief',
  'policy',
  'export',
  'approval',
] as const;

export type JobName = (typeof JOB_NAMES)[number];

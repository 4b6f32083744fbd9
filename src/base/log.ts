/** Structured logging: fields, then a message. Fields never contain a key, token, password or mail body. */
export type Log = Record<
  'debug' | 'info' | 'warn' | 'error',
  (fields: Record<string, unknown>, message: string) => void
>;

/** The fields of a log line about an error: its text, and its cause if it has one. */
export const faultFields = (err: unknown): { err: string; cause?: string } => ({
  err: String(err),
  ...(err instanceof Error && err.cause !== undefined ? { cause: String(err.cause) } : {}),
});

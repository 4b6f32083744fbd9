/** Structured logging: fields, then a message. Fields never contain a key, token, password or mail body. */
export type Log = Record<
  'debug' | 'info' | 'warn' | 'error',
  (fields: Record<string, unknown>, message: string) => void
>;

/** Structured logging: fields, then a sentence. Never a key, token, password or mail body among the fields. */
export type Log = Record<
  'debug' | 'info' | 'warn' | 'error',
  (fields: Record<string, unknown>, message: string) => void
>;

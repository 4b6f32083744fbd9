/** A result of the doctor. */
export interface Check {
  name: string;
  status: 'ok' | 'warn' | 'fail';
  message: string;
  remedy?: string;
}

export const ok = (name: string, message: string): Check => ({ name, status: 'ok', message });
export const warn = (name: string, message: string, remedy: string): Check => ({
  name,
  status: 'warn',
  message,
  remedy,
});
export const fail = (name: string, message: string, remedy: string): Check => ({
  name,
  status: 'fail',
  message,
  remedy,
});

/** Names in one message. */
const SHOWN_MAX = 10;

/** The first of many names, and how many follow. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN_MAX).join(', ');
  return names.length > SHOWN_MAX ? `${shown} and ${names.length - SHOWN_MAX} more` : shown;
}

import { pino } from 'pino';
import type { Log } from '../../base/log.ts';

const LEVELS: Record<number, string> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' };

/** Formats a JSON line for people: time, level, message, then the other fields as key=value. */
function prettyLine(line: string): string {
  const { time, level, msg, ...rest } = JSON.parse(line) as { time: number; level: number; msg: string } & Record<
    string,
    unknown
  >;
  const fields = Object.entries(rest).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const clock = new Date(time).toISOString().slice(11, 23);
  return `${clock} ${(LEVELS[level] ?? '').padEnd(5)} ${msg}${fields.length > 0 ? `  ${fields.join(' ')}` : ''}\n`;
}

/**
 * Structured logs: JSON lines, or readable lines on a terminal. They never contain a key, token, password or mail body:
 * each call chooses its fields, and errors from lower layers carry codes, not values.
 */
export function createLog(level: string, out: { isTTY?: boolean; write(text: string): unknown }): Log {
  const options = { level, base: null };
  const log = out.isTTY
    ? pino(options, { write: (line: string) => void out.write(prettyLine(line)) })
    : pino(options, out as { write(text: string): void });
  return {
    debug: (fields, message) => log.debug(fields, message),
    info: (fields, message) => log.info(fields, message),
    warn: (fields, message) => log.warn(fields, message),
    error: (fields, message) => log.error(fields, message),
  };
}

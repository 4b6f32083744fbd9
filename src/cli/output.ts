import { ApiError } from '../kernel/errors.ts';
import { CommandError } from './ports.ts';

/** Where a command says what it did. */
export interface Output {
  /** `--json`: one JSON document on stdout, and nothing else. */
  json: boolean;
  isTerminal: boolean;
  write(text: string): void;
}

/** Says it as JSON or as text, whichever was asked for. */
export function say(output: Output, value: unknown, text: string): void {
  output.write(output.json ? `${JSON.stringify(value, null, 2)}\n` : `${text}\n`);
}

/**
 * Text that somebody else chose, fit for a terminal: control and format characters could move the cursor, colour or
 * reverse what the operator reads.
 */
export const printable = (text: string): string => text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '�');

/** Columns as wide as their widest cell. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>(
    (known, row) => row.map((cell, i) => Math.max(known[i] ?? 0, [...cell].length)),
    [],
  );
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export const bytesText = (bytes: number): string => {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  const step = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10));
  return `${step === 0 ? bytes : (bytes / 1024 ** step).toFixed(1)} ${units[step]}`;
};

const HINTS: Record<string, string> = {
  EADDRINUSE: '; stop the program that has the port, or choose another with PORT or SMTP_PORT',
  EACCES: '; run as the user that owns the file or the port',
  ECONNREFUSED: '; is the server there? DATABASE_URL says where',
  ENOSPC: '; make room on the disk',
};

/** What went wrong in one line, and the exit code. A failure nobody foresaw keeps its stack: it is to be reported. */
export function failureOf(err: unknown): { exitCode: number; line: string } {
  if (err instanceof CommandError) return { exitCode: err.exitCode, line: err.message };
  if (err instanceof ApiError && err.cause instanceof Error)
    return { exitCode: 1, line: `the database refused: ${failureOf(err.cause).line}` };
  if (err instanceof AggregateError && err.errors.length > 0) return failureOf(err.errors[0]);
  if (err instanceof Error && !(err instanceof TypeError)) {
    // What the system, SQLite and PostgreSQL report has a code, and a message that says enough.
    const code = (err as NodeJS.ErrnoException).code;
    if (typeof code === 'string') return { exitCode: 1, line: `${err.message}${HINTS[code] ?? ''}` };
  }
  return { exitCode: 1, line: err instanceof Error ? (err.stack ?? err.message) : String(err) };
}

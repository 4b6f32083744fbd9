import type { Command } from 'commander';
import { ApiError } from '../api/errors.ts';

/**
 * Ends a command with its message as one line on stderr. Exit code 1: failure or not found. Exit code 2: wrong usage or
 * configuration.
 */
export class CommandError extends Error {
  readonly exitCode: 1 | 2;

  constructor(exitCode: 1 | 2, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Where a command prints its result. */
export interface Output {
  /** `--json`: one JSON document on stdout, and nothing else. */
  json: boolean;
  isTerminal: boolean;
  write(text: string | Uint8Array): void;
}

/** Where a program prints. */
export interface Terminal {
  out: { isTTY?: boolean; write(text: string | Uint8Array): unknown };
  err: { write(text: string): unknown };
}

/** The output of a program that has the option `--json`. */
export const programOutput = (program: Command, { out }: Terminal): Output => ({
  json: program.opts<{ json?: boolean }>().json ?? false,
  isTerminal: out.isTTY ?? false,
  write: (text) => void out.write(text),
});

/** What Commander says of wrong usage, on one line. */
export const usageText = (text: string): string =>
  text
    .replace(/^error: /, '')
    .trim()
    .replaceAll('\n', ' ');

/** Prints a result as JSON or as text. */
export function say(output: Output, value: unknown, text: string): void {
  output.write(output.json ? `${JSON.stringify(value, null, 2)}\n` : `${text}\n`);
}

/**
 * Makes untrusted text safe for a terminal. Control and format characters could move the cursor, or colour or reverse
 * the output.
 */
export const printable = (text: string): string => text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '�');

/** Makes text of several lines safe for a terminal. */
export const printableLines = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => line.split('\t').map(printable).join('\t'))
    .join('\n');

/** Aligns rows in columns. */
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
  EADDRINUSE:
    '; stop the program that uses the port, or choose another with PORT, SMTP_PORT, IMAP_PORT or SUBMISSION_PORT',
  EACCES: '; run as the user that owns the file or the port',
  ECONNREFUSED: '; check that the server of DATABASE_URL is running',
  ENOSPC: '; free space on the disk',
};

/** Describes a failure in one line, with its exit code. An unexpected failure keeps its stack for a bug report. */
export function failureOf(err: unknown): { exitCode: number; line: string } {
  if (err instanceof CommandError) return { exitCode: err.exitCode, line: err.message };
  if (err instanceof ApiError && err.cause instanceof Error)
    return { exitCode: 1, line: `the database refused: ${failureOf(err.cause).line}` };
  if (err instanceof AggregateError && err.errors.length > 0) return failureOf(err.errors[0]);
  if (err instanceof Error && !(err instanceof TypeError)) {
    // Errors of the system, SQLite and PostgreSQL have a code and a clear message.
    const code = (err as NodeJS.ErrnoException).code;
    if (typeof code === 'string') return { exitCode: 1, line: `${err.message}${HINTS[code] ?? ''}` };
  }
  return { exitCode: 1, line: err instanceof Error ? (err.stack ?? err.message) : String(err) };
}

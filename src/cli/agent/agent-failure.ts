import { SignetConnectionError, SignetCryptoError, SignetError } from '../../client/signet-error.ts';
import { printable } from '../output.ts';

/**
 * The exit codes of the agents' commands. `fault` is also for what did not come in time, `person` for what waits until a
 * person decides, and `partly` for what was done for some and failed for others.
 */
export const EXIT = { ok: 0, fault: 1, usage: 2, auth: 3, unreachable: 4, refused: 5, person: 6, partly: 7 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends a command with its message as one line on stderr. */
export class AgentCommandError extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

export interface AgentFailure {
  exitCode: ExitCode;
  /** One line for people. */
  line: string;
  /** For `--json`. */
  body: Record<string, unknown>;
}

const HINTS: Record<string, string> = {
  unauthorized: '; run signet login, or set SIGNET_KEY',
  unreachable: '; check SIGNET_URL, or signet login --url',
  timeout: '; check SIGNET_URL, or signet login --url',
  unreadable: '; check SIGNET_URL, or signet login --url',
};

/** What is no refusal: it waits for a person. */
const EXIT_OF: Readonly<Record<string, ExitCode>> = { authorization_pending: EXIT.person, slow_down: EXIT.person };

/** The word of `--json` for what is not from the service. */
const CODES: Partial<Record<ExitCode, string>> = { [EXIT.usage]: 'usage', [EXIT.auth]: 'not_logged_in' };

function refusal(err: SignetError): AgentFailure {
  const { status, code, message, fields, details } = err;
  const isFault = status >= 500;
  const suggestion = typeof fields.suggestion === 'string' ? `; ${fields.suggestion}` : '';
  const where = details.map(({ path, message: fault }) => `; ${path}: ${fault ?? ''}`).join('');
  const exitCode = isFault ? EXIT.fault : (EXIT_OF[code] ?? (status === 401 ? EXIT.auth : EXIT.refused));
  const line = `${code}: ${message}${suggestion || where || (HINTS[code] ?? '')}`;
  return { exitCode, line, body: { ...fields, error: code, message, status, details, request_id: err.requestId } };
}

/** Describes a failure. The words of the service may hold what a stranger wrote, so they are made safe for a terminal. */
export function agentFailure(err: unknown): AgentFailure {
  const plain = (exitCode: ExitCode, code: string, text: string): AgentFailure => ({
    exitCode,
    line: text,
    body: { error: code, message: text },
  });
  const described = ((): AgentFailure => {
    if (err instanceof SignetError) return refusal(err);
    // What the connection was told to refuse.
    if (err instanceof SignetConnectionError && err.cause instanceof AgentCommandError) return agentFailure(err.cause);
    if (err instanceof SignetConnectionError)
      return plain(EXIT.unreachable, err.code, `${err.message.replace(/\.$/, '')}${HINTS[err.code] ?? ''}`);
    if (err instanceof AgentCommandError) return plain(err.exitCode, CODES[err.exitCode] ?? 'fault', err.message);
    if (err instanceof SignetCryptoError) return plain(EXIT.fault, err.code, `${err.code}: ${err.message}`);
    // The client's own word for an input that cannot be sent.
    if (err instanceof TypeError) return plain(EXIT.usage, 'usage', err.message);
    if (err instanceof Error) return plain(EXIT.fault, (err as NodeJS.ErrnoException).code ?? 'fault', err.message);
    return plain(EXIT.fault, 'fault', String(err));
  })();
  return { ...described, line: printable(described.line) };
}

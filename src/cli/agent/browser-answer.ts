import { spawn } from 'node:child_process';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AgentCommandError, EXIT } from './agent-failure.ts';

const PATH = '/callback';
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'",
  'referrer-policy': 'no-referrer',
};

function show(response: ServerResponse, status: number, text: string): void {
  // The command ends as soon as it has the answer.
  response.writeHead(status, { ...HEADERS, connection: 'close' });
  response.end(`<!doctype html><meta charset="utf-8"><title>Signet</title><p>${text}</p>`);
}

/** What a page of the service sends back by the browser (RFC 8252 7.3). */
export interface BrowserAnswer {
  redirectUri: string;
  /** The code. @throws AgentCommandError when the person denied, or none came in time */
  code(waitMs: number): Promise<string>;
  close(): void;
}

/**
 * Listens on this machine for the answer to an authorization request. Another's answer is refused by its `state`, and that of
 * another service by its `iss` (RFC 9207): neither ends the wait.
 */
export async function listenForAnswer(state: string, issuer: string): Promise<BrowserAnswer> {
  const answered = Promise.withResolvers<string>();
  const server = createServer(({ method, url = '' }, response) => {
    const { pathname, searchParams: answer } = new URL(url, 'http://127.0.0.1');
    if (method !== 'GET' || pathname !== PATH) return show(response, 404, 'There is nothing here.');
    if (answer.get('state') !== state || answer.get('iss') !== issuer)
      return show(response, 400, 'This is not the answer that the command line waits for.');
    const code = answer.get('code');
    show(response, 200, `${code === null ? 'You did not log in.' : 'You are logged in.'} Go back to your terminal.`);
    if (code !== null) answered.resolve(code);
    else answered.reject(new AgentCommandError(EXIT.refused, `the login was refused: ${answer.get('error')}`));
  });
  // A refusal may come before the command waits for it.
  answered.promise.catch(() => {});
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  let timer: NodeJS.Timeout | undefined;
  return {
    redirectUri: `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`,
    code(waitMs) {
      const late = new AgentCommandError(EXIT.fault, 'no answer came from the browser in time; run signet login again');
      timer = setTimeout(() => answered.reject(late), waitMs);
      return answered.promise;
    },
    close() {
      clearTimeout(timer);
      server.close();
      server.closeIdleConnections();
    },
  };
}

const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens a page in the person's browser, if there is one. @param program of the environment */
export function openBrowser(url: string, program: string | undefined): void {
  const [command = '', ...args] = program === undefined ? (OPENERS[process.platform] ?? ['xdg-open']) : [program];
  // No shell sees the URL.
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  // The address is on the terminal too.
  child.on('error', () => {});
  child.unref();
}

import { isLoopbackHost } from '../../../base/loopback-host.ts';
import type { Destination } from './grant-table.ts';

/**
 * Where codes may be sent. `https`, or `http` on the person's own machine (RFC 8252 7.3). A few editors take codes by a
 * private scheme (RFC 8252 7.1); the list is closed, because `javascript:` is a scheme too.
 */
const EDITOR_SCHEMES = ['cursor:', 'vscode:', 'vscode-insiders:'];

const isLocal = ({ protocol, hostname }: URL): boolean => protocol === 'http:' && isLoopbackHost(hostname);

/** Parses a redirect URI. Null: no code may be sent there. */
export function parseRedirect(text: string): URL | null {
  // A browser drops what is around and inside a URL, and reads a backslash as a slash.
  if (!/^[\x21-\x7e]+$/.test(text) || /[\\#"<>^`{|}]/.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return null;
  const isAllowed = url.protocol === 'https:' || isLocal(url) || EDITOR_SCHEMES.includes(url.protocol);
  return isAllowed ? url : null;
}

/**
 * Whether a redirect URI is one that the client registered: the same text, or the same but for the port on the person's
 * own machine, which a client learns only when it listens (RFC 8252 7.3).
 */
export function isRegisteredRedirect(registered: readonly string[], text: string): boolean {
  const asked = parseRedirect(text);
  if (!asked) return false;
  if (registered.includes(text)) return true;
  if (!isLocal(asked)) return false;
  return registered.some((each) => {
    const known = parseRedirect(each);
    if (!known || !isLocal(known) || known.hostname !== asked.hostname) return false;
    return known.pathname === asked.pathname && known.search === asked.search;
  });
}

/** What a person reads of a redirect URI: its host, or the program on the person's machine. */
export function describeRedirect(text: string): Destination {
  const url = new URL(text);
  const isEditor = EDITOR_SCHEMES.includes(url.protocol);
  return { host: isEditor ? url.protocol.slice(0, -1) : url.host, isOwnMachine: isEditor || isLocal(url) };
}

/** Adds the parameters of an answer to a redirect URI. */
export function answerUrl(redirectUri: string, answer: Record<string, string | null>): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) if (value !== null) url.searchParams.set(name, value);
  return url.href;
}

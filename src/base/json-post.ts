import { withTimeout } from './deadline.ts';

const REPLY_CHARS_MAX = 65_536;
const REASON_CHARS_MAX = 200;

/** A reason as one line. It is stored, and the payer sees it. */
export const reasonOf = (value: unknown): string => {
  const text = typeof value === 'string' ? value.replace(/[\p{C}\s]+/gu, ' ').trim() : '';
  return text === '' ? 'no reason given' : text.slice(0, REASON_CHARS_MAX).toWellFormed();
};

async function readJson(response: Response): Promise<Record<string, unknown>> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.length > REPLY_CHARS_MAX) throw new Error('the reply is too long');
  }
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Posts JSON, and follows no redirect. @throws Error when there is no answer in time, or an unusable one */
export async function postJson(url: string, body: string, timeoutMs: number, stopping?: AbortSignal) {
  const late = new Error(`no answer within ${timeoutMs} ms`);
  const limit = { ms: timeoutMs, late, signal: stopping, stopped: new Error('the service stops') };
  return withTimeout(limit, async (signal) => {
    const headers = { 'content-type': 'application/json', accept: 'application/json', 'user-agent': 'Signet-x402/1' };
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    if (response.status >= 500 || (response.status >= 300 && response.status < 400)) {
      await response.body?.cancel();
      throw new Error(`answered ${response.status}`);
    }
    return { status: response.status, reply: await readJson(response) };
  });
}

/** The cause of a failed call, as one line. */
export const causeOf = (err: unknown): string => {
  const { message, cause } = err as Error;
  const code = (cause as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : reasonOf(message);
};

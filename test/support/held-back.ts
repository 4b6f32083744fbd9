import { once } from 'node:events';
import { connect } from 'node:net';
import type { TestAccount, TestApp } from './harness.ts';

/** How many requests of the account are left today. Asking takes one. */
const requestsLeft = async ({ api }: TestAccount): Promise<number> =>
  Number((await api.get('/v1/budget')).headers.get('ratelimit-remaining'));

/**
 * Sends a POST without the last byte of its body, until it is authenticated and counted. The returned function sends that
 * byte and reads the status.
 */
export async function heldBack(
  t: TestApp,
  account: TestAccount,
  path: string,
  fields: object = {},
): Promise<() => Promise<number>> {
  const { port } = new URL(t.baseUrl);
  const socket = connect(Number(port), '127.0.0.1');
  const failed = new Promise<never>((_, reject) => socket.on('error', reject));
  failed.catch(() => {});
  await once(socket, 'connect');
  let left = await requestsLeft(account);
  const body = JSON.stringify(fields);
  const head = [`POST ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${account.key}`];
  const length = ['Content-Type: application/json', `Content-Length: ${body.length}`];
  socket.write(`${[...head, ...length].join('\r\n')}\r\n\r\n${body.slice(0, -1)}`);
  for (let next = await requestsLeft(account); next === left - 1; next = await requestsLeft(account)) left = next;
  return async () => {
    const replied = once(socket, 'data') as Promise<[Buffer]>;
    socket.write(body.slice(-1));
    const [reply] = await Promise.race([replied, failed]);
    socket.destroy();
    return Number(/^HTTP\/1\.1 (\d{3})/.exec(String(reply))?.[1]);
  };
}

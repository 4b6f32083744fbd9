import assert from 'node:assert/strict';
import type { Api, ApiReply } from '../support/harness.ts';

/** Makes one call until its reply is definite. `isRepeated`: an earlier try may have been done. */
export type Insist = (
  key: string | null,
  method: string,
  path: string,
  body?: unknown,
) => Promise<ApiReply & { isRepeated: boolean }>;

/** An account that one step makes and uses, as far as it knows. */
export interface Life {
  accountId: string;
  /** Null once the reply with a new key was lost: it is shown once. */
  key: string | null;
  /** The first key, once it was replaced. */
  revoked: string | null;
  /** Its address, and its only message with what was done to it last. */
  address: string | null;
  message: { id: string; change: 'archived' | 'deleted' } | null;
  /** Where its login mail goes, once that was asked for. */
  loginTo: string | null;
}

/** Signs up, replaces the key, claims an address, sends a mail to it, archives or deletes that mail, and asks for a login link. */
export async function live(insist: Insist, name: string, n: number): Promise<Life | null> {
  const email = `${name}@out.example`;
  const created = await insist(null, 'POST', '/v1/auth/keys', { email });
  if (isLost(created)) return null;
  assert.equal(created.status, 201, created.text);
  const { api_key: first, account_id: accountId } = created.body;
  const life: Life = { accountId, key: first, revoked: null, address: null, message: null, loginTo: null };
  const rotated = await insist(first, 'POST', '/v1/auth/keys/rotate');
  if (isLost(rotated)) return { ...life, key: null };
  assert.equal(rotated.status, 200, rotated.text);
  life.revoked = first;
  life.key = rotated.body.api_key as string;
  const call = async (status: number, method: string, path: string, body?: unknown): Promise<ApiReply> => {
    const reply = await insist(life.key, method, path, body);
    // What was deleted is missing when the call is repeated.
    const isDone = method === 'DELETE' && reply.isRepeated && reply.status === 404;
    if (!isDone) assert.equal(reply.status, status, `${method} ${path}: ${reply.text}`);
    return reply;
  };
  life.address = (await call(201, 'POST', '/v1/email/claim', { address: name })).body.address as string;
  const mail = { from: life.address, to: life.address, subject: 'to myself', text: 'to be tidied' };
  await call(201, 'POST', '/v1/email/send', mail);
  const listed = await call(200, 'GET', `/v1/email/inbox?address=${life.address}`);
  assert.equal(listed.body.messages.length, 1, listed.text);
  const id = listed.body.messages[0].message_id as string;
  const path = `/v1/email/messages/${id}?address=${life.address}`;
  const change = n % 2 === 0 ? 'archived' : 'deleted';
  if (change === 'archived') await call(200, 'PATCH', path, { archived: true });
  else await call(200, 'DELETE', path);
  life.message = { id, change };
  await call(200, 'POST', '/v1/auth/login', { email });
  life.loginTo = email;
  return life;
}

/** Whether the call was done, but the reply with the secret was lost: a repeat does not show it again. */
const isLost = ({ isRepeated, status, body }: ApiReply & { isRepeated: boolean }): boolean =>
  isRepeated && (status === 401 || (status === 409 && body.error === 'idempotency_secret_spent'));

/** Checks through the API what the step was promised. */
export async function assertLived(life: Life, api: (key: string) => Api): Promise<void> {
  const { key, revoked, accountId, address, message } = life;
  if (revoked !== null)
    assert.equal((await api(revoked).get('/v1/account/me')).status, 401, 'a replaced key is refused');
  if (key === null) return;
  const me = await api(key).get('/v1/account/me');
  assert.deepEqual([me.status, me.body.id], [200, accountId], 'an acknowledged key authenticates');
  if (address === null || message === null) return;
  const archived = await api(key).get(`/v1/email/inbox?address=${address}&archived=true`);
  const ids = (archived.body.messages as { message_id: string }[]).map((one) => one.message_id);
  assert.deepEqual(ids, message.change === 'archived' ? [message.id] : [], 'the archive');
  const inbox = await api(key).get(`/v1/email/inbox?address=${address}`);
  assert.deepEqual(inbox.body.messages, [], 'the inbox after its only mail was tidied');
}

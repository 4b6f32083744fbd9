import { SignetConnectionError, SignetError } from '../../../../client/signet-error.ts';

/** The administration API, which only this machine reaches. It is not part of the public client. */

export type Tier = 'free' | 'paid';
export type SignUpMode = 'open' | 'invite' | 'closed';

export interface AdminAccount {
  id: string;
  parent_account_id: string | null;
  name: string | null;
  tier: Tier;
  status: 'active' | 'suspended' | 'paused';
  created_at: string;
}

interface Used {
  used: number;
  limit: number;
}

export interface AdminAccountDetail {
  account: AdminAccount;
  keys: {
    prefix: string;
    kind: string;
    status: 'active' | 'backup' | 'revoked';
    label: string | null;
    created_at: string;
  }[];
  addresses: { address: string; total: number; unread: number; created_at: string }[];
  usage: { requests: Used; emails: Used };
  /** Null: it stays. */
  deletes_at: string | null;
}

export interface Queue {
  lane: string;
  waiting: number;
  due: number;
  failing: number;
  oldest_due_seconds: number;
}

export interface FailedJob {
  id: string;
  kind: string;
  attempts: number;
  error: string | null;
  run_at: string;
}

export interface LimitHit {
  limit: string;
  account_id: string | null;
  count: number;
  last_at: string;
}

export type AdminService = ReturnType<typeof adminService>;

async function send(token: string, method: string, path: string, body?: object): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  try {
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    return await fetch(`/admin/v1${path}`, { method, headers, cache: 'no-store', ...text });
  } catch (cause) {
    throw new SignetConnectionError('unreachable', 'The service did not reply.', { cause });
  }
}

/** @throws SignetError for a refusal */
async function call<Reply>(token: string, method: string, path: string, body?: object): Promise<Reply> {
  const response = await send(token, method, path, body);
  const reply = await response.json().catch(() => ({}));
  if (response.ok) return reply;
  const { error = 'internal', message = response.statusText, details = [], ...fields } = reply;
  throw new SignetError(message, {
    status: response.status,
    code: error,
    details,
    requestId: null,
    retryAfterSeconds: null,
    fields,
  });
}

/** @param token of the administrator */
export function adminService(token: string) {
  const get = <Reply>(path: string): Promise<Reply> => call(token, 'GET', path);
  const post = <Reply>(path: string): Promise<Reply> => call(token, 'POST', path);
  const at = (id: string): string => `/accounts/${encodeURIComponent(id)}`;
  return {
    accounts: (search: string, after: string) =>
      get<{ accounts: AdminAccount[]; next_after: string | null }>(
        `/accounts?${new URLSearchParams({ limit: '50', after, ...(search === '' ? {} : { search }) })}`,
      ),
    account: (id: string) => get<AdminAccountDetail>(at(id)),
    setTier: (id: string, tier: Tier) => call<object>(token, 'PUT', `${at(id)}/tier`, { tier }),
    suspend: (id: string) => post<object>(`${at(id)}/suspend`),
    resume: (id: string) => post<object>(`${at(id)}/resume`),
    remove: (id: string) => call<{ deletes_at: string }>(token, 'DELETE', at(id)),
    cancelRemoval: (id: string) => post<object>(`${at(id)}/delete/cancel`),
    queues: () => get<{ queues: Queue[] }>('/queues'),
    failedJobs: () => get<{ jobs: FailedJob[] }>('/jobs/failed'),
    runJob: (id: string) => post<{ changed: boolean }>(`/jobs/${encodeURIComponent(id)}/run`),
    storage: () => get<{ bytes: number }>('/storage'),
    limits: () => get<{ limits: LimitHit[] }>('/limits'),
    signUp: () => get<{ mode: SignUpMode }>('/sign-up'),
    setSignUp: (mode: SignUpMode) => call<{ mode: SignUpMode }>(token, 'PUT', '/sign-up', { mode }),
    invite: () => post<{ invite: string; expires_at: string }>('/invites'),
  };
}

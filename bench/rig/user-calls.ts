/** Calls as users make them: 64 accounts, each on a connection, with entries and mails of 4 KB. */
import type { Api, ApiReply } from '../../test/support/harness.ts';
import { httpRequest } from './load.ts';

/** As many as connections. */
export const ACCOUNTS = 64;
const KEYS = 16;
const LISTED = 20;
/** Different mails of an account. */
const MAILS = 8;
const TEXT_BYTES = 4096;
/** A token outlives the benchmark. */
const TOKEN_SECONDS = 86_400;

/** High enough for a load, with names that every version has. */
export const LIMITS = JSON.stringify({
  free: {
    requests_per_day: 1e9,
    emails_per_day: 1e9,
    emails_per_hour: 1e9,
    addresses: 1e6,
    recipients_per_send: 50,
    vault_keys: 1e6,
  },
  signups_per_ip_per_hour: 1e6,
});

interface Account {
  key: string;
  api: Api;
  address: string;
}

/** What the connection of an account sends, over and over. */
type Requests = readonly Buffer[];

/** Why a version cannot be asked for a call: it refused what the call needs. */
export class Refused extends Error {}

async function accepted(asked: Promise<ApiReply>): Promise<ApiReply['body']> {
  const { status, text, body } = await asked;
  if (status >= 300) throw new Refused(`${status} ${text}`);
  return body;
}

const WORDS =
  'the agent reads a report about new orders and sends its answer to the team before noon please check every price again because two suppliers changed their terms last week while we wait for the other offers'.split(
    ' ',
  );

/** Prose of 4 KB, another one for each number, the same in each run. */
function textOf(number: number): string {
  let state = number + 1;
  const word = (): string => {
    state = (state * 48_271) % 2_147_483_647;
    return WORDS[state % WORDS.length] as string;
  };
  const lines: string[] = [];
  for (let bytes = 0; bytes < TEXT_BYTES; bytes += (lines.at(-1) as string).length + 1)
    lines.push(`${Array.from({ length: 12 }, word).join(' ')}.`);
  return lines.join('\n').slice(0, TEXT_BYTES);
}

const mailOf = (from: Account, to: Account, number: number) => ({
  from: from.address,
  to: to.address,
  subject: `Report ${number}`,
  text: textOf(number),
});

/** Bytes that do not compress, as a sealed entry, the same on every side. */
const ciphertextOf = (number: number): string => {
  const bytes = Buffer.alloc((TEXT_BYTES * 3) / 4);
  for (let at = 0, state = number + 1; at < bytes.length; at++) {
    state = (state * 48_271) % 2_147_483_647;
    bytes[at] = state >> 8;
  }
  return bytes.toString('base64url');
};

const times = <T>(count: number, of: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => of(n));

const entryPath = (number: number): string => `/v1/vault/key-${number}`;

const WANTED = { audience: 'https://e.example', scopes: ['read'], ttl: TOKEN_SECONDS };

/** For each account: fills what the call reads, and makes its requests. */
type Prepare = (account: Account, others: readonly Account[], n: number) => Promise<Requests>;

async function prepareEntries({ api }: Account): Promise<void> {
  for (let n = 0; n < KEYS; n++) await accepted(api.put(entryPath(n), { ciphertext: ciphertextOf(n) }));
}

const prepareInbox: Prepare = async (reader, others, n) => {
  const { key, address, api } = reader;
  const sender = others[(n + 1) % others.length] as Account;
  for (let mail = 0; mail < LISTED; mail++)
    await accepted(sender.api.post('/v1/email/send', mailOf(sender, reader, mail)));
  await accepted(api.get(`/v1/inbox/${address}?wait=5`));
  const path = `/v1/email/inbox?address=${address}&limit=${LISTED}`;
  const { messages } = await accepted(api.get(path));
  if (messages.length !== LISTED) throw new Error(`${messages.length} mails of ${LISTED} are listed`);
  return [httpRequest('GET', path, key)];
};

const CAPS = { daily: 1_000_000_000, weekly: 1_000_000_000, monthly: 1_000_000_000 };
const CHARGE = { amount: 1, category: 'api', description: 'One call of a tool' };

const sends =
  (distance: number): Prepare =>
  async (account, others, n) =>
    times(MAILS, (mail) => {
      const to = others[(n + distance) % others.length] as Account;
      return httpRequest('POST', '/v1/email/send', account.key, mailOf(account, to, n * MAILS + mail));
    });

/** By the names that `CALLS` takes, in the order of the table. */
export const CALLS = {
  me: { title: 'GET /v1/account/me', prepare: async ({ key }) => [httpRequest('GET', '/v1/account/me', key)] },
  'vault-get': {
    title: `GET /v1/vault/{key}, 4 KB, ${KEYS} keys`,
    prepare: async (account) => {
      await prepareEntries(account);
      return times(KEYS, (n) => httpRequest('GET', entryPath(n), account.key));
    },
  },
  'vault-put': {
    title: `PUT /v1/vault/{key}, 4 KB, ${KEYS} keys`,
    prepare: async (account) => {
      await prepareEntries(account);
      return times(KEYS, (n) => httpRequest('PUT', entryPath(n), account.key, { ciphertext: ciphertextOf(n) }));
    },
  },
  charge: {
    title: 'POST /v1/charge, three caps',
    prepare: async ({ key, api }) => {
      await accepted(api.put('/v1/budget', { caps: CAPS }));
      return [httpRequest('POST', '/v1/charge', key, CHARGE)];
    },
  },
  introspect: {
    title: `POST /v1/tokens/introspect, ${ACCOUNTS} tokens`,
    prepare: async ({ api }) => {
      const { token } = await accepted(api.post('/v1/tokens/issue', WANTED));
      return [httpRequest('POST', '/v1/tokens/introspect', null, { token })];
    },
  },
  issue: {
    title: 'POST /v1/tokens/issue',
    prepare: async ({ key }) => [httpRequest('POST', '/v1/tokens/issue', key, WANTED)],
  },
  inbox: { title: `GET /v1/email/inbox, ${LISTED} mails of 4 KB`, prepare: prepareInbox },
  'send-other': { title: 'POST /v1/email/send, 4 KB, to another agent', prepare: sends(1) },
  'send-self': { title: 'POST /v1/email/send, 4 KB, to oneself', prepare: sends(0) },
} as const satisfies Record<string, { title: string; prepare: Prepare }>;

export type CallName = keyof typeof CALLS;

/** The bytes of the next request on a connection. */
export type Next = (connection: number) => Buffer;

/** Gives each connection its requests in turn. */
function cycle(requests: readonly Requests[]): Next {
  const counts = requests.map(() => 0);
  return (connection) => {
    const own = requests[connection] as Requests;
    const count = counts[connection] as number;
    counts[connection] = count + 1;
    return own[count % own.length] as Buffer;
  };
}

async function accountOf(api: (key?: string) => Api, n: number): Promise<Account> {
  const { api_key: key } = await accepted(api().post('/v1/auth/keys', {}));
  // A name of our choice, so that the addresses are the same on every side.
  const { address } = await accepted(api(key).post('/v1/email/claim', { address: `agent-${n}` }));
  return { key, api: api(key), address };
}

/**
 * Registers the accounts and fills what the calls read.
 * @returns the requests of each call, or in words why the version has no such call
 */
export async function fill(
  api: (key?: string) => Api,
  names: readonly CallName[],
): Promise<Map<CallName, Next | string>> {
  const accounts = await Promise.all(times(ACCOUNTS, (n) => accountOf(api, n)));
  const filled = new Map<CallName, Next | string>();
  for (const name of names) {
    try {
      const requests = await Promise.all(accounts.map((account, n) => CALLS[name].prepare(account, accounts, n)));
      filled.set(name, cycle(requests));
    } catch (err) {
      if (!(err instanceof Refused)) throw err;
      filled.set(name, err.message);
    }
  }
  return filled;
}

/** All calls in turn, each connection beginning with another one. */
export function mixed(all: readonly Next[]): Next {
  const counts = times(ACCOUNTS, (n) => n);
  return (connection) => {
    const count = counts[connection] as number;
    counts[connection] = count + 1;
    return (all[count % all.length] as Next)(connection);
  };
}

import type { ApiReply, TestAccount, TestApp } from './harness.ts';
import { PROCESS_NUMBER } from './process-number.ts';
import { newWallet, type Wallet } from './wallet.ts';

/** An account that has used up a free quota, and a wallet to pay for more. */
export interface Buyer extends TestAccount {
  wallet: Wallet;
  /** The request for one more, for the caller's own client. */
  request(): { url: string; method: string; headers: Record<string, string>; body: string };
  /** Asks for one more. Each `n` is a different request; the same `n` is the same request. */
  buy(headers?: Record<string, string>, n?: number): Promise<ApiReply>;
  /** How many the account has, free and paid. */
  owned(): Promise<number>;
}

/** Something that can be bought above a limit of 10. */
export interface Ware {
  name: string;
  /** The status of a free one, and of a paid one. */
  status: number;
  /** Makes an account that has used `free` of them; all of them by default. */
  prepare(t: TestApp, free?: number): Promise<Buyer>;
}

const FREE = 10;
let names = 0;

async function take(buyer: Buyer, free: number): Promise<Buyer> {
  for (let n = 0; n < free; n++) {
    const { status, text } = await buyer.buy({}, -1 - n);
    if (status >= 300) throw new Error(`free number ${n} got ${status}: ${text}`);
  }
  return buyer;
}

/** Pays for `POST /v1/email/send`, or for the same mail by the path /v1/inbox. */
const mail = (name: string, status: number, path: (from: string) => string): Ware => ({
  name,
  status,
  prepare: async (t, free = FREE) => {
    const account = await t.createAccount();
    const receiver = await t.createAccount();
    const claim = async ({ api }: TestAccount): Promise<string> =>
      (await api.post('/v1/email/claim', { address: `buyer-${PROCESS_NUMBER}-${names++}` })).body.address;
    const [from, to] = [await claim(account), await claim(receiver)];
    const isInbox = path(from).includes('/inbox/');
    const letter = (n: number) => ({ to, subject: `Number ${n}`, ...(isInbox ? { body: 'x' } : { from, text: 'x' }) });
    const buy = (headers = {}, n = 0) => account.api.post(path(from), letter(n), headers);
    const request = () => ({
      url: t.baseUrl + path(from),
      method: 'POST',
      headers: { authorization: `Bearer ${account.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(letter(0)),
    });
    const owned = async (): Promise<number> => (await receiver.api.get(`/v1/inbox/${to}`)).body.total;
    return take({ ...account, wallet: newWallet(), buy, request, owned }, free);
  },
});

/** Pays for one more key in a vault. */
const vaultKey: Ware = {
  name: 'PUT /v1/vault/{key}',
  status: 201,
  prepare: async (t, free = FREE) => {
    const account = await t.createAccount();
    const path = (n: number): string => `/v1/vault/key${n}`;
    const sealed = { ciphertext: 'c2VhbGVk' };
    const request = () => ({
      url: t.baseUrl + path(0),
      method: 'PUT',
      headers: { authorization: `Bearer ${account.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(sealed),
    });
    const buy = (headers = {}, n = 0) => account.api.put(path(n), sealed, headers);
    const owned = async (): Promise<number> => (await account.api.get('/v1/vault/')).body.count;
    return take({ ...account, wallet: newWallet(), buy, request, owned }, free);
  },
};

/** Everything that can be paid for. The 11th of each is not free. */
export const WARES: readonly Ware[] = [
  mail('POST /v1/email/send', 201, () => '/v1/email/send'),
  mail('POST /v1/inbox/{address}/send', 200, (from) => `/v1/inbox/${from}/send`),
  vaultKey,
];

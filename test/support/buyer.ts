import type { ApiReply, TestAccount, TestApp } from './harness.ts';
import { newWallet, type Wallet } from './wallet.ts';

/** An account that has used up what is free of something, and a wallet to pay for more. */
export interface Buyer extends TestAccount {
  wallet: Wallet;
  /** The request that asks for one more, for a client of the caller's own. */
  request(): { url: string; method: string; headers: Record<string, string>; body: string };
  /** Asks for one more. `n` makes a request of its own; the same `n` is the same request. */
  buy(headers?: Record<string, string>, n?: number): Promise<ApiReply>;
  /** How many the account has, free and paid. */
  owned(): Promise<number>;
}

/** Something that is sold over a limit of 10. */
export interface Ware {
  name: string;
  /** What a free one, and a paid one, is answered with. */
  status: number;
  /** An account that has taken `free` of them, all there are unless told. */
  prepare(t: TestApp, free?: number): Promise<Buyer>;
}

const FREE = 10;
let names = 0;

async function take(buyer: Buyer, free: number): Promise<Buyer> {
  for (let n = 0; n < free; n++) {
    const { status, text } = await buyer.buy({}, -1 - n);
    if (status >= 300) throw new Error(`free number ${n} was answered ${status}: ${text}`);
  }
  return buyer;
}

/** Sells `POST /v1/email/send`, or the same mail by the path /v1/inbox. */
const mail = (name: string, status: number, path: (from: string) => string): Ware => ({
  name,
  status,
  prepare: async (t, free = FREE) => {
    const account = await t.createAccount();
    const receiver = await t.createAccount();
    const claim = async ({ api }: TestAccount): Promise<string> =>
      (await api.post('/v1/email/claim', { address: `buyer-${process.pid}-${names++}` })).body.address;
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

/** Sells room for a key in a vault. */
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

/** Everything that can be paid for; the 11th of each costs. */
export const WARES: readonly Ware[] = [
  mail('POST /v1/email/send', 201, () => '/v1/email/send'),
  mail('POST /v1/inbox/{address}/send', 200, (from) => `/v1/inbox/${from}/send`),
  vaultKey,
];

import { causeOf, postJson } from '../../../base/json-post.ts';
import { ASSET, type Payment } from './payment-table.ts';

/** What became of the nonce of an authorization (EIP-3009). A nonce is used once, by one of these. */
export type NonceUse =
  /** The transfer that the payment authorizes, from any submitter. */
  | { kind: 'paid'; transaction: string }
  /** The payer ended it with `cancelAuthorization`. */
  | { kind: 'canceled' }
  /** Another transfer of the payer that has the same nonce. */
  | { kind: 'elsewhere' }
  /** The chain shows none yet. */
  | { kind: 'unused' }
  | { kind: 'unknown'; cause: string };

/** Asks a node of the chain. Its calls never throw. */
export interface Chain {
  nonceUse(payment: Payment, now: number, signal: AbortSignal): Promise<NonceUse>;
}

interface LogEntry {
  topics: string[];
  data: string;
  transactionHash: string;
  logIndex: string;
}

/** The events of the token, by the hash of their signature. */
const USED = '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5';
const CANCELED = '0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81';
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** The start of a call of `authorizationState(address,bytes32)`. */
const STATE = '0xe94a0102';

/** A block of Base comes every two seconds. */
const BLOCK_MS = 2000;
/** The clocks of the chain and of this service differ, and an authorization may be used before it is shown to us. */
const MARGIN_MS = 1_800_000;
/** Public nodes answer `eth_getLogs` for this many blocks at least. */
const BLOCKS_AT_A_TIME = 2000;
const TIMEOUT_MS = 20_000;

const hex = (number: number): string => `0x${number.toString(16)}`;
const padded = (word: string): string => `0x${word.slice(2).toLowerCase().padStart(64, '0')}`;

/** A JSON-RPC client of one node (EIP-1474). */
export class ChainClient implements Chain {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async nonceUse(payment: Payment, now: number, signal: AbortSignal): Promise<NonceUse> {
    try {
      const log = await this.#logOf(payment, now, signal);
      // It was used before it was shown to us: the transfer paid for nothing of ours.
      if (log === null) return { kind: (await this.#isUsed(payment, signal)) ? 'elsewhere' : 'unused' };
      if (log.topics[0] === CANCELED) return { kind: 'canceled' };
      return (await this.#paid(payment, log, signal))
        ? { kind: 'paid', transaction: log.transactionHash }
        : { kind: 'elsewhere' };
    } catch (err) {
      return { kind: 'unknown', cause: `chain: ${causeOf(err)}` };
    }
  }

  /** Whether the token takes the nonce for used. */
  async #isUsed({ payer, nonce }: Payment, signal: AbortSignal): Promise<boolean> {
    const data = `${STATE}${padded(payer).slice(2)}${nonce.slice(2).toLowerCase()}`;
    return BigInt(await this.#call<string>('eth_call', [{ to: ASSET, data }, 'latest'], signal)) === 1n;
  }

  /** The event that used the nonce. */
  async #logOf({ payer, nonce, createdAt }: Payment, now: number, signal: AbortSignal): Promise<LogEntry | null> {
    const latest = Number(await this.#call<string>('eth_blockNumber', [], signal));
    const since = Math.ceil((Math.max(0, now - createdAt) + MARGIN_MS) / BLOCK_MS);
    for (let from = Math.max(0, latest - since); from <= latest; from += BLOCKS_AT_A_TIME) {
      const range = { fromBlock: hex(from), toBlock: hex(Math.min(latest, from + BLOCKS_AT_A_TIME - 1)) };
      const topics = [[USED, CANCELED], padded(payer), nonce.toLowerCase()];
      const [log] = await this.#call<LogEntry[]>('eth_getLogs', [{ address: ASSET, topics, ...range }], signal);
      if (log) return log;
    }
    return null;
  }

  /**
   * Whether the transfer behind the event is the one of the payment: a payer can sign two authorizations with one nonce.
   * The token writes `Transfer` right after `AuthorizationUsed`.
   */
  async #paid({ payer, payTo, amountUsdc }: Payment, used: LogEntry, signal: AbortSignal): Promise<boolean> {
    const receipt = await this.#call<{ status: string; logs: (LogEntry & { address: string })[] }>(
      'eth_getTransactionReceipt',
      [used.transactionHash],
      signal,
    );
    const transfer = receipt.logs.find(
      ({ address, topics, logIndex }) =>
        address.toLowerCase() === ASSET.toLowerCase() &&
        topics[0] === TRANSFER &&
        Number(logIndex) > Number(used.logIndex),
    );
    if (receipt.status !== '0x1' || transfer === undefined) return false;
    const [, from, to] = transfer.topics;
    return from === padded(payer) && to === padded(payTo) && BigInt(transfer.data) === BigInt(amountUsdc);
  }

  async #call<T>(method: string, params: unknown[], signal: AbortSignal): Promise<T> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const { reply } = await postJson(this.#url, body, TIMEOUT_MS, signal);
    if (reply.result === undefined || reply.result === null) throw new Error(`${method} has no result`);
    return reply.result as T;
  }
}

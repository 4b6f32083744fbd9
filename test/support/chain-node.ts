/** Who is paid. */
export const PAYEE = `0x${'5'.repeat(40)}`;

const TOPICS = {
  used: '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5',
  canceled: '0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81',
  transfer: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
};
const word = (address: string): string => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;

let asked: string[] = [];

/** A node that knows one event about any nonce; `to`: whom the transfer behind it paid; `spent`: it was used earlier. */
export const nodeWith = (event: 'used' | 'canceled' | null, to = PAYEE, value = 10_000, spent = false) => {
  const asset = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
  return (method: string, params: unknown[]): unknown => {
    if (method === 'eth_blockNumber') return '0x1000';
    if (method === 'eth_call') return `0x${spent ? 1 : 0}`;
    const [filter] = params as [{ topics: string[]; fromBlock: string }];
    if (method === 'eth_getLogs') {
      if (event === null || filter.fromBlock === '0x0') return [];
      asked = filter.topics;
      const topics = [TOPICS[event], filter.topics[1], filter.topics[2]];
      return [{ topics, data: '0x', transactionHash: '0xfeed', logIndex: '0x3' }];
    }
    const log = { address: asset, topics: [TOPICS.transfer, asked[1], word(to)], data: `0x${value.toString(16)}` };
    const other = { ...log, topics: [TOPICS.transfer, asked[1], word(`0x${'9'.repeat(40)}`)], logIndex: '0x1' };
    return { status: '0x1', logs: [other, { ...log, logIndex: '0x4' }] };
  };
};

import { hash } from 'node:crypto';
import type { Reader } from '../../../api/transaction.ts';
import { listHeads } from './audit-store.ts';

/** One hash over the heads of all chains. It covers every entry that exists when it is computed. */
export interface Anchor {
  /** SHA-256 of `heads`, hex. */
  anchor: string;
  chains: number;
  entries: number;
  /** One line for each chain, `account seq hash`, sorted by the bytes of the account. */
  heads: string;
}

const PAGE = 500;

/** Computes the anchor. A chain that grows meanwhile is covered up to the head that was read. */
export async function computeAnchor(reader: Reader): Promise<Anchor> {
  const lines: string[] = [];
  let entries = 0;
  for (let last = ''; ; ) {
    const page = await listHeads(reader, {}, { accountId: last }, PAGE);
    for (const { accountId, seq, hash: head } of page) {
      lines.push(`${accountId} ${seq} ${head}\n`);
      entries += seq;
    }
    if (page.length < PAGE) break;
    last = page.at(-1)?.accountId ?? last;
  }
  // The databases may order ids by the rules of a language, but the anchor must not depend on them.
  const heads = lines.sort().join('');
  return { anchor: hash('sha256', heads, 'hex'), chains: lines.length, entries, heads };
}

import { BadCommand, type SequenceSet } from './imap-cursor.ts';
import { mergedRanges, type NumberRange, orderedPair } from './number-ranges.ts';

/** The UIDs of a folder as the client knows them: the place of a UID, from 1, is its sequence number. */
export class UidList {
  #uids: Uint32Array;
  #size: number;

  /** @param uids in ascending order; the list keeps and changes them */
  constructor(uids: Uint32Array) {
    this.#uids = uids;
    this.#size = uids.length;
  }

  get size(): number {
    return this.#size;
  }

  /** The largest UID, 0 without any. */
  get last(): number {
    return this.#uids[this.#size - 1] ?? 0;
  }

  at(sequence: number): number | undefined {
    return sequence > this.#size ? undefined : this.#uids[sequence - 1];
  }

  all(): Uint32Array {
    return this.#uids.subarray(0, this.#size);
  }

  /** How many UIDs are smaller. */
  #below(uid: number): number {
    let from = 0;
    let to = this.#size;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.#uids[middle] ?? 0) < uid) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  /** The sequence number of a UID, 0 if the client does not know it. */
  sequenceOf(uid: number): number {
    const below = this.#below(uid);
    return below < this.#size && this.#uids[below] === uid ? below + 1 : 0;
  }

  /** Adds a UID that is larger than all others. */
  append(uid: number): void {
    if (this.#size === this.#uids.length) {
      const grown = new Uint32Array(Math.ceil(this.#size * 1.25) + 16);
      grown.set(this.#uids);
      this.#uids = grown;
    }
    this.#uids[this.#size] = uid;
    this.#size += 1;
  }

  /** Removes those that are there. @returns them with their sequence numbers before it, the largest first */
  remove(uids: readonly number[]): { sequence: number; uid: number }[] {
    const gone = [...new Set(uids)]
      .map((uid) => ({ uid, sequence: this.sequenceOf(uid) }))
      .filter(({ sequence }) => sequence > 0)
      .sort((a, b) => b.sequence - a.sequence);
    let next = gone.length - 1;
    let kept = (gone[next]?.sequence ?? this.#size + 1) - 1;
    for (let at = kept; at < this.#size; at += 1) {
      if (gone[next]?.sequence === at + 1) next -= 1;
      else this.#uids[kept++] = this.#uids[at] ?? 0;
    }
    this.#size = kept;
    return gone;
  }

  /**
   * The UIDs of a set, in ascending order.
   * @param saved what `$` stands for
   * @throws BadCommand a sequence number that no mail has
   */
  pick(set: SequenceSet, byUid: boolean, saved: Uint32Array): Uint32Array {
    if (set === '$') return saved.filter((uid) => this.sequenceOf(uid) > 0);
    const spans = this.#spans(set, byUid);
    const picked = new Uint32Array(spans.reduce((sum, [from, to]) => sum + to - from, 0));
    let at = 0;
    for (const [from, to] of spans) {
      picked.set(this.#uids.subarray(from, to), at);
      at += to - from;
    }
    return picked;
  }

  /** Places [from, to), in order, without overlaps. */
  #spans(set: readonly number[], byUid: boolean): NumberRange[] {
    const spans: NumberRange[] = [];
    const largest = byUid ? this.last : this.#size;
    for (let n = 0; n < set.length; n += 2) {
      const [low, high] = orderedPair(set, n, largest);
      if (!byUid && low > this.#size) throw new BadCommand('No such message');
      const from = byUid ? this.#below(low) : Math.max(low, 1) - 1;
      const to = byUid ? this.#below(high + 1) : Math.min(high, this.#size);
      if (from < to) spans.push([from, to]);
    }
    return mergedRanges(spans);
  }
}

/** Counts what each account holds open on this instance: streams, waiting requests. */
export class AccountSlots {
  readonly #taken = new Map<string, number>();

  /** @returns the function that gives the slot back (calling it twice changes nothing), or null when `limit` are taken */
  take(accountId: string, limit: number): (() => void) | null {
    const count = this.#taken.get(accountId) ?? 0;
    if (count >= limit) return null;
    this.#taken.set(accountId, count + 1);
    let isHeld = true;
    return () => {
      if (isHeld) this.#give(accountId);
      isHeld = false;
    };
  }

  /** How many an account holds. */
  used(accountId: string): number {
    return this.#taken.get(accountId) ?? 0;
  }

  #give(accountId: string): void {
    const left = (this.#taken.get(accountId) ?? 1) - 1;
    if (left === 0) this.#taken.delete(accountId);
    else this.#taken.set(accountId, left);
  }
}

import type { Page } from '../../../api/page.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Reader } from '../../../api/transaction.ts';
import { askersOf } from '../../account/addresses/address-asker.ts';
import { operatedAccounts } from '../../account/people/person.ts';
import type { WaitingRules, Waits } from './waiting-list.ts';

type Agent = { account_id: string; name: string | null; address: string | null };

/** What waits at all agents of an operator. The number of statements does not grow with the agents. */
export class OperatorsWaiting {
  readonly #rules: WaitingRules;
  readonly #database: Reader;

  constructor(rules: WaitingRules, database: Reader) {
    this.#rules = rules;
    this.#database = database;
  }

  /** @throws ApiError `invalid_cursor` */
  async page(
    caller: Principal,
    page: { cursor: string | undefined; limit: number },
    now: number,
  ): Promise<Page<Waits & { agent: Agent }>> {
    const ids = await operatedAccounts(this.#database, caller);
    const found = await this.#rules.page(caller, ids, page, now);
    const askers = found.rows.map(({ item }) => item.askerId ?? item.accountId);
    const agents = await askersOf(this.#database, [...new Set(askers)]);
    const rows = found.rows.map((waits, i) => ({ ...waits, agent: agents.get(askers[i] as string) as Agent }));
    return { ...found, rows };
  }
}

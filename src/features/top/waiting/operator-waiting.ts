import type { Page } from '../../../api/page.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Reader } from '../../../api/transaction.ts';
import { lastId } from '../../../base/ids.ts';
import { askersOf } from '../../account/addresses/address-asker.ts';
import { operatedBy } from '../../account/people/person.ts';
import type { WaitingRules, Waits } from './waiting-list.ts';

/** The newest agents of an operator: the bound of one call. */
const AGENTS_MAX = 1000;

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
    // A link that was mailed for one account opens a session for that account alone, also where the address is an operator.
    const operated = caller.operator
      ? await operatedBy(this.#database, caller.person as string, lastId('per'), AGENTS_MAX)
      : [];
    const ids = operated.map(({ accountId }) => accountId);
    const found = await this.#rules.page(caller, ids, page, now);
    const askers = found.rows.map(({ item }) => item.askerId ?? item.accountId);
    const agents = await askersOf(this.#database, [...new Set(askers)]);
    const rows = found.rows.map((waits, i) => ({ ...waits, agent: agents.get(askers[i] as string) as Agent }));
    return { ...found, rows };
  }
}

import type { Principal } from '../../../api/principal.ts';
import type { Tx } from '../../../api/transaction.ts';
import { type FeatureContext, feature, type Gathered } from '../../../feature.ts';
import { lockAccounts } from '../../account/accounts/account-lifecycle.ts';
import type { AddressRules } from '../../account/addresses/address.ts';
import type { PeopleRules } from '../../account/people/people-changes.ts';
import { countOpenApprovals } from '../../money/approvals/approval.ts';
import type { RequestMeter } from '../../service/limits/request-meter.ts';
import { type CountOpen, listAgents, listWaiting, requireOperated } from './operated-agents.ts';
import { operatorAgentRoutes } from './operator-agent-routes.ts';
import { endSuspensionBy, resumeAccount, suspendAccount } from './suspension.ts';

type Needs = FeatureContext &
  Gathered & {
    addresses: Pick<AddressRules, 'list'>;
    credentials: { accountChanged(tx: Tx, accountId: string): void };
    people: Pick<PeopleRules, 'watchPeople'>;
    countOpenReviews: CountOpen;
    meter: RequestMeter;
  };

/** What the operators of agents see and do: the list of their agents, and suspending one. */
export const operatorsFeature = feature(
  'operators',
  ({ database, events, addresses, credentials, people, countOpenReviews, openItems, meter, now }: Needs) => {
    const deps = {
      database,
      openApprovals: countOpenApprovals,
      openReviews: countOpenReviews,
      openItems,
      meter,
      addressesOf: async (reader: typeof database, accountId: string) =>
        (await addresses.list(reader, accountId)).map(({ address }) => address),
    };
    const appendEvent = events.append;
    people.watchPeople(async (tx, accountId, operator) => {
      await endSuspensionBy(tx, { appendEvent }, { accountId, operator, now: now() });
      credentials.accountChanged(tx, accountId);
    });
    const changing =
      (change: typeof suspendAccount) => async (tx: Tx, principal: Principal, accountId: string, now: number) => {
        // Before the check: the suspension of an operator who is being removed would have nobody to lift it.
        await lockAccounts(tx, [accountId]);
        const operator = await requireOperated(tx, principal, accountId);
        const { account, isChanged } = await change(tx, { appendEvent: events.append }, { accountId, operator, now });
        // Ends the agent's streams and cached credentials on every instance.
        if (isChanged) credentials.accountChanged(tx, accountId);
        return account;
      };
    return {
      endpoints: operatorAgentRoutes({
        agents: (principal, page, now) => listAgents(deps, principal, page, now),
        waiting: (principal) => listWaiting(database, principal),
        suspend: changing(suspendAccount),
        resume: changing(resumeAccount),
      }),
    };
  },
);

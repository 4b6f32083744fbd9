import type { NoticeHandler, NoticeHandlers } from '../../../api/account/removal-notices.ts';
import type { Authority } from '../../../api/authority.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import { ConfirmationRules } from './confirmation.ts';
import { confirmationRoutes } from './confirmation-routes.ts';
import { PERSON_REFUSALS } from './confirmation-table.ts';
import { OperatorReplacement } from './operator-replacement.ts';
import { NOTICE_OF_ROLE, type PeopleDeps, PeopleRules } from './people-changes.ts';
import { createConfirmMailer } from './person-mailer.ts';
import { noticeHandlerOf, securePartOf } from './person-removal.ts';
import { personRoutes } from './person-routes.ts';
import { PEOPLE, PERSON_ROLES } from './person-table.ts';
import { waitingConfirmations } from './waiting-confirmations.ts';

declare module '../../../api/job-types.ts' {
  interface JobPayloads {
    /** Asks the owner of an address to confirm it. */
    'mail.confirm': { personId: string; authority: Authority | null };
  }
}

type Needs = FeatureContext &
  Pick<
    PeopleDeps,
    'authority' | 'credentials' | 'gate' | 'endLogins' | 'mailer' | 'notices' | 'requireAddressAuthority'
  >;

/** The addresses of people: named, confirmed by their owners, and removed by the rule that the older factor wins. */
export const peopleFeature = feature('people', (needs: Needs) => {
  const deps: PeopleDeps = { ...needs, appendEvent: needs.events.append, enqueueJob: needs.jobs.enqueue };
  const people = new PeopleRules(deps);
  const replacement = new OperatorReplacement(people, deps);
  const handlers = PERSON_ROLES.map((role): [string, NoticeHandler] => [
    NOTICE_OF_ROLE[role],
    noticeHandlerOf(people, role),
  ]);
  return {
    tables: [PERSON_REFUSALS, PEOPLE],
    endpoints: [...personRoutes(people), ...confirmationRoutes(new ConfirmationRules(people, deps), deps)],
    jobs: { 'mail.confirm': createConfirmMailer(deps) },
    notices: { ...(Object.fromEntries(handlers) as NoticeHandlers), operator_replacement: replacement.handler },
    waiting: { confirmation: { list: waitingConfirmations } },
    secure: securePartOf(people),
    provides: { people, replacement },
  };
});

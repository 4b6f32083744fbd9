import type { NoticeHandler, NoticeHandlers, Notices } from '../../../api/account/removal-notices.ts';
import type { Authority } from '../../../api/authority.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import type { LinkMailer } from '../../service/mailer/link-mailer.ts';
import { askerOf } from '../addresses/address-asker.ts';
import { ConfirmationRules } from './confirmation.ts';
import { type ConfirmationRouteDeps, confirmationRoutes } from './confirmation-routes.ts';
import { PERSON_REFUSALS } from './confirmation-table.ts';
import { OperatorReplacement } from './operator-replacement.ts';
import { NOTICE_OF_ROLE, type PeopleDeps, PeopleRules } from './people-changes.ts';
import { createConfirmMailer } from './person-mailer.ts';
import { noticeHandlerOf, securePartOf } from './person-removal.ts';
import { personRoutes } from './person-routes.ts';
import { PEOPLE, PERSON_ROLES } from './person-table.ts';

declare module '../../../api/job-types.ts' {
  interface JobPayloads {
    /** Asks the owner of an address to confirm it. */
    'mail.confirm': { personId: string; authority: Authority | null };
  }
}

type Needs = FeatureContext &
  Pick<PeopleDeps, 'endLogins'> & {
    notices: Notices;
    mailer: LinkMailer;
    credentials: Pick<ConfirmationRouteDeps, 'authenticate' | 'confirm'>;
    requireAddressAuthority: PeopleDeps['requireAuthority'];
    authority: { of: PeopleDeps['authorityOf']; set: PeopleDeps['setAuthority'] };
  };

/** The addresses of people: named, confirmed by their owners, and removed by the rule that the older factor wins. */
export const peopleFeature = feature('people', (needs: Needs) => {
  const { database, limits, events, jobs, mailer, baseUrl, notices, credentials, authority, endLogins } = needs;
  const ports = { authorityOf: authority.of, setAuthority: authority.set, notices };
  const people = new PeopleRules({
    ...ports,
    appendEvent: events.append,
    enqueueJob: jobs.enqueue,
    requireAuthority: needs.requireAddressAuthority,
    endLogins,
  });
  const replacement = new OperatorReplacement({ ...ports, people, enqueueJob: jobs.enqueue });
  const rules = new ConfirmationRules({ ...ports, people });
  const { authenticate, confirm } = credentials;
  const handlers = PERSON_ROLES.map((role): [string, NoticeHandler] => [
    NOTICE_OF_ROLE[role],
    noticeHandlerOf(people, role),
  ]);
  return {
    tables: [PERSON_REFUSALS, PEOPLE],
    endpoints: [
      ...personRoutes(people),
      ...confirmationRoutes({ rules, database, authenticate, confirm, agentOf: askerOf }),
    ],
    jobs: { 'mail.confirm': createConfirmMailer({ database, mailer, limits, baseUrl }) },
    notices: { ...(Object.fromEntries(handlers) as NoticeHandlers), operator_replacement: replacement.handler },
    secure: securePartOf(people),
    provides: { people, replacement },
  };
});

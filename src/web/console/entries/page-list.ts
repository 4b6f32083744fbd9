import { activityPage } from '../pages/activity-page.ts';
import { auditPage } from '../pages/audit-page.ts';
import { calendarPage } from '../pages/calendar-page.ts';
import { domainsPage } from '../pages/domains-page.ts';
import { homePage } from '../pages/home-page.ts';
import { identityPage } from '../pages/identity-page.ts';
import { keysPage } from '../pages/keys-page.ts';
import { mailPage } from '../pages/mail-page.ts';
import { moneyPage } from '../pages/money-page.ts';
import { overviewPage } from '../pages/overview-page.ts';
import { podsPage } from '../pages/pods-page.ts';
import { requestsPage } from '../pages/requests-page.ts';
import { settingsPage } from '../pages/settings-page.ts';
import { vaultPage } from '../pages/vault-page.ts';
import { webhooksPage } from '../pages/webhooks-page.ts';
import type { PageGroup } from '../ui/frame.ts';
import type { Page } from '../ui/workspace.ts';

/** The pages of the console, in the order of the navigation: first those over all agents, then those of one. */
export const groups: readonly PageGroup[] = [
  { title: '', pages: [homePage] },
  { title: '', pages: [overviewPage, mailPage, moneyPage, vaultPage, calendarPage] },
  { title: 'Developers', pages: [keysPage, webhooksPage, requestsPage, domainsPage, podsPage] },
  { title: 'Trust', pages: [identityPage, activityPage, auditPage] },
  { title: '', pages: [settingsPage] },
];

export const pages: readonly Page[] = groups.flatMap((group) => group.pages);

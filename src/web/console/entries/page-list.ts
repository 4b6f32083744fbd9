import { activityPage } from '../pages/activity-page.ts';
import { auditPage } from '../pages/audit-page.ts';
import { calendarPage } from '../pages/calendar-page.ts';
import { domainsPage } from '../pages/domains-page.ts';
import { homePage } from '../pages/home-page.ts';
import { identityPage } from '../pages/identity-page.ts';
import { keysPage } from '../pages/keys-page.ts';
import { mailPage } from '../pages/mail-page.ts';
import { moneyPage } from '../pages/money-page.ts';
import { outboxPage } from '../pages/outbox-page.ts';
import { overviewPage } from '../pages/overview-page.ts';
import { podsPage } from '../pages/pods-page.ts';
import { requestsPage } from '../pages/requests-page.ts';
import { settingsPage } from '../pages/settings-page.ts';
import { vaultPage } from '../pages/vault-page.ts';
import { webhooksPage } from '../pages/webhooks-page.ts';
import type { Page } from '../ui/workspace.ts';

/** The pages of the console, in the order of the navigation. */
export const pages: readonly Page[] = [
  ...[homePage, overviewPage, mailPage, moneyPage, vaultPage, calendarPage, identityPage, activityPage, keysPage],
  ...[webhooksPage, requestsPage, domainsPage, podsPage, auditPage, settingsPage, outboxPage],
];

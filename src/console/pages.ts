import { activityPage } from './activity-page.ts';
import { auditPage } from './audit-page.ts';
import { calendarPage } from './calendar-page.ts';
import type { Page } from './desk.ts';
import { domainsPage } from './domains-page.ts';
import { homePage } from './home-page.ts';
import { identityPage } from './identity-page.ts';
import { keysPage } from './keys-page.ts';
import { mailPage } from './mail-page.ts';
import { moneyPage } from './money-page.ts';
import { overviewPage } from './overview-page.ts';
import { podsPage } from './pods-page.ts';
import { requestsPage } from './requests-page.ts';
import { settingsPage } from './settings-page.ts';
import { vaultPage } from './vault-page.ts';
import { webhooksPage } from './webhooks-page.ts';

/** The pages of the console, in the order of the navigation. */
export const pages: readonly Page[] = [
  ...[homePage, overviewPage, mailPage, moneyPage, vaultPage, calendarPage, identityPage, activityPage, keysPage],
  ...[webhooksPage, requestsPage, domainsPage, podsPage, auditPage, settingsPage],
];

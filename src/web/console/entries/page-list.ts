import { homePage } from '../pages/home-page.ts';
import { overviewPage } from '../pages/overview-page.ts';
import type { Page, Workspace } from '../ui/workspace.ts';

/** What is known of a page before its code has come. Its module says the same. */
type About = Pick<Page, 'name' | 'title' | 'scope' | 'place'>;

/** Says why the code of a page did not come. @throws always */
async function blame(cause: unknown, { service }: Workspace): Promise<never> {
  // Where the service is out of reach, its own error says so.
  await service.getHealth();
  // It answers, with the files of another version.
  throw new Error('The console was upgraded. Reload it to open this page.', { cause });
}

/** A page whose code is loaded when it is first opened. */
function later(about: About, load: () => Promise<Page>): Page {
  let loaded: Page | undefined;
  return {
    ...about,
    load,
    async open(workspace, parts, read) {
      loaded = await load().catch((err) => blame(err, workspace));
      return loaded.open(workspace, parts, read);
    },
    forget: () => loaded?.forget?.(),
  };
}

const mail = async () => (await import('../pages/mail-page.ts')).mailPage;
const money = async () => (await import('../pages/money-page.ts')).moneyPage;
const vault = async () => (await import('../pages/vault-page.ts')).vaultPage;
const calendar = async () => (await import('../pages/calendar-page.ts')).calendarPage;
const identity = async () => (await import('../pages/identity-page.ts')).identityPage;
const activity = async () => (await import('../pages/activity-page.ts')).activityPage;
const keys = async () => (await import('../pages/keys-page.ts')).keysPage;
const webhooks = async () => (await import('../pages/webhooks-page.ts')).webhooksPage;
const requests = async () => (await import('../pages/requests-page.ts')).requestsPage;
const domains = async () => (await import('../pages/domains-page.ts')).domainsPage;
const pods = async () => (await import('../pages/pods-page.ts')).podsPage;
const audit = async () => (await import('../pages/audit-page.ts')).auditPage;
const outbox = async () => (await import('../pages/outbox-page.ts')).outboxPage;
const settings = async () => (await import('../pages/settings-page.ts')).settingsPage;
const tries = async () => (await import('../pages/try-page.ts')).tryPage;

/**
 * The pages of the console, in the order of the navigation. The code of the first two comes with the console: one of them
 * opens where the address names none.
 */
export const pages: readonly Page[] = [
  homePage,
  overviewPage,
  later({ name: 'mail', title: 'Mail', scope: 'mail:read' }, mail),
  later({ name: 'money', title: 'Money', scope: 'money:read' }, money),
  later({ name: 'vault', title: 'Vault', scope: 'vault:read' }, vault),
  later({ name: 'calendar', title: 'Calendar', scope: 'calendar:read' }, calendar),
  later({ name: 'identity', title: 'Identity', scope: 'identity:read' }, identity),
  later({ name: 'activity', title: 'Activity', scope: 'events:read' }, activity),
  later({ name: 'keys', title: 'Keys', scope: 'account:manage' }, keys),
  later({ name: 'webhooks', title: 'Webhooks', scope: 'events:read' }, webhooks),
  later({ name: 'requests', title: 'Requests', scope: 'audit:read' }, requests),
  later({ name: 'domains', title: 'Domains', scope: 'mail:manage' }, domains),
  later({ name: 'pods', title: 'Pods', scope: 'pods:manage' }, pods),
  later({ name: 'audit', title: 'Audit log', scope: 'audit:read' }, audit),
  later({ name: 'settings', title: 'Settings', scope: 'account:manage' }, settings),
  later({ name: 'outbox', title: 'Outbox', scope: 'mail:read', place: 'linked' }, outbox),
  later({ name: 'try', title: 'Try a call', scope: 'account:read', place: 'linked' }, tries),
];

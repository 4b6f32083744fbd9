import type { Endpoint } from '../src/api/endpoint.ts';

/** Where a client has an operation: `email` and `send` make `signet.email.send`. */
export interface MethodName {
  group: string;
  method: string;
}

/** Names that read better than what follows from the operation, by operation or by request. */
const CHOSEN: Readonly<Record<string, string>> = {
  register: 'accounts.register',
  login: 'accounts.login',
  logout: 'accounts.logout',
  getUsage: 'accounts.usage',
  rotateKey: 'accounts.rotate',
  listWaiting: 'accounts.waiting',
  listOperatorWaiting: 'operators.waiting',
  callMcp: 'mcp.call',
  callMcpGroup: 'mcp.callGroup',
  createEventWebhook: 'webhooks.create',
  listEventWebhooks: 'webhooks.list',
  getEventWebhook: 'webhooks.get',
  updateEventWebhook: 'webhooks.update',
  deleteEventWebhook: 'webhooks.delete',
  testEventWebhook: 'webhooks.test',
  listEventWebhookDeliveries: 'webhooks.deliveries',
  retryEventWebhookDelivery: 'webhooks.retry',
  rotateWebhookSecret: 'webhooks.rotateSecret',
  getBilling: 'accounts.billing',
  listPayments: 'accounts.payments',
  'POST /v1/email/send': 'email.send',
  'GET /v1/email/inbox': 'email.inbox',
  'GET /v1/email/outbox': 'email.outbox',
  'GET /v1/email/wait': 'email.wait',
  'GET /v1/email/messages/{id}': 'email.read',
  'PATCH /v1/email/messages/{id}': 'email.update',
  'DELETE /v1/email/messages/{id}': 'email.delete',
  'GET /v1/email/messages/{id}/raw': 'email.raw',
  'GET /v1/email/messages/{id}/attachments/{n}': 'email.attachment',
  'POST /v1/email/messages/{id}/reply': 'email.reply',
  'POST /v1/email/messages/{id}/reply_all': 'email.replyAll',
  'POST /v1/email/messages/{id}/forward': 'email.forward',
  'GET /v1/email/threads': 'email.threads',
  'GET /v1/email/threads/{id}': 'email.thread',
  'GET /v1/email/addresses': 'email.addresses',
  'POST /v1/email/claim': 'email.claim',
  'DELETE /v1/email/addresses/{address}': 'email.release',
  'GET /v1/email/policy': 'email.policy',
  'PUT /v1/email/policy': 'email.setPolicy',
  'POST /v1/email/drafts': 'drafts.create',
  'GET /v1/email/drafts': 'drafts.list',
  'GET /v1/email/drafts/{id}': 'drafts.get',
  'PATCH /v1/email/drafts/{id}': 'drafts.update',
  'DELETE /v1/email/drafts/{id}': 'drafts.delete',
  'POST /v1/email/drafts/{id}/send': 'drafts.send',
  'GET /v1/email/reviews': 'reviews.list',
  'GET /v1/email/reviews/{id}': 'reviews.get',
  'POST /v1/email/reviews/{id}/approve': 'reviews.approve',
  'POST /v1/email/reviews/{id}/reject': 'reviews.reject',
  'GET /v1/email/quarantine': 'quarantine.list',
  'POST /v1/email/quarantine/{id}/release': 'quarantine.release',
  'DELETE /v1/email/quarantine/{id}': 'quarantine.delete',
  'GET /v1/email/suppressions': 'suppressions.list',
  'DELETE /v1/email/suppressions/{address}': 'suppressions.delete',
  'POST /v1/charge': 'budget.charge',
  'GET /v1/budget/history': 'budget.history',
  'GET /v1/approvals': 'approvals.list',
  'GET /v1/approvals/{id}': 'approvals.get',
  'POST /v1/approvals/{id}/approve': 'approvals.approve',
  'POST /v1/approvals/{id}/reject': 'approvals.reject',
  'POST /v1/approvals/{id}/view': 'approvals.view',
  'POST /v1/approvals/{id}/decide': 'approvals.decide',
  'POST /v1/inbox/{address}/send': 'inbox.send',
  logInWithPasskey: 'passkeys.logIn',
  'PUT /v1/vault/{key}': 'vaultEntries.put',
  'GET /v1/vault/{key}': 'vaultEntries.get',
  'DELETE /v1/vault/{key}': 'vaultEntries.delete',
  'GET /v1/vault/': 'vaultEntries.list',
  'POST /v1/credentials/request': 'credentials.request',
  'POST /v1/credentials/poll': 'credentials.poll',
  'POST /v1/calendar/events/{id}/respond': 'calendar.respond',
};

/** Earlier names of methods, in the group where they are now. Programs use them, so they stay. */
export const FORMER_NAMES: Readonly<Record<string, readonly string[]>> = {
  rotateKey: ['rotateKey'],
  callMcp: ['callMcp'],
  callMcpGroup: ['callMcpGroup'],
  createEventWebhook: ['createEvent'],
  listEventWebhooks: ['listEvent'],
  getEventWebhook: ['getEvent'],
  updateEventWebhook: ['updateEvent'],
  deleteEventWebhook: ['deleteEvent'],
  testEventWebhook: ['testEvent'],
  listEventWebhookDeliveries: ['listEventWebhookDeliveries'],
  retryEventWebhookDelivery: ['retryEventWebhookDelivery'],
  rotateWebhookSecret: ['rotateWebhookSecret'],
};

/** Earlier names of groups. */
export const FORMER_GROUPS: Readonly<Record<string, string>> = { mcp: 'mCP', oauth: 'oAuth' };

/** Groups whose name is not that of the tag. `vault` seals, so the bare entries have another name. */
const GROUPS: Readonly<Record<string, string>> = {
  Accounts: 'accounts',
  Delegation: 'delegations',
  MCP: 'mcp',
  OAuth: 'oauth',
  Vault: 'vaultEntries',
  Trust: 'trust',
};

/** The nouns that a group's name already says. Others follow from the tag. */
const NOUNS: Readonly<Record<string, readonly string[]>> = {
  Accounts: ['Account'],
  Calendar: ['CalendarEvents', 'CalendarEvent', 'Calendar'],
  Audit: ['AuditEntries', 'Audit'],
  Credentials: ['Credential'],
  Delegation: ['Delegations', 'Delegation'],
  Trust: ['Trust'],
  'Vault recovery': ['VaultRecovery'],
};

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
const camel = (tag: string): string =>
  lowerFirst(tag.replace(/[^A-Za-z0-9]+(\w)/g, (_, letter: string) => letter.toUpperCase()));

/** `createPod` of Pods is `create`; what says more keeps its name. */
function shortened({ operation, tag }: Endpoint): string {
  const nouns = NOUNS[tag] ?? [tag, tag.replace(/s$/, '')];
  const noun = nouns.find((word) => operation.endsWith(word) && operation.length > word.length);
  return noun === undefined ? operation : operation.slice(0, -noun.length);
}

/** The name of every operation. One that would be taken twice keeps the name of its operation. */
export function methodNames(endpoints: readonly Endpoint[]): Map<string, MethodName> {
  const names = new Map<string, MethodName>();
  const taken = new Set<string>();
  const chosenFor = ({ operation, method, path }: Endpoint): string | undefined =>
    CHOSEN[operation] ?? CHOSEN[`${method} ${path}`];
  // Chosen names first, so that none is taken by another operation.
  const order = [...endpoints].sort((a, b) => Number(chosenFor(b) !== undefined) - Number(chosenFor(a) !== undefined));
  for (const endpoint of order) {
    const group = GROUPS[endpoint.tag] ?? camel(endpoint.tag);
    const wanted = chosenFor(endpoint) ?? `${group}.${shortened(endpoint)}`;
    const name = taken.has(wanted) ? `${group}.${endpoint.operation}` : wanted;
    taken.add(name);
    const [chosenGroup = '', method = ''] = name.split('.');
    names.set(endpoint.operation, { group: chosenGroup, method });
  }
  return names;
}

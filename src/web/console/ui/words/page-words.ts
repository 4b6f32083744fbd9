/** Other words for pages and actions, by which the palette finds them too. */

const OF_PAGES: Readonly<Record<string, string>> = {
  home: 'overview agents waiting decisions approvals needs',
  overview: 'agent dashboard usage checklist set up requests emails',
  mail: 'inbox email messages sent drafts spam trash quarantine held compose',
  money: 'budget caps limits spending spend usdc wallet charges ledger approvals payments billing x402',
  vault: 'secrets passwords passphrase seed credentials recovery',
  calendar: 'events meetings invitations agenda schedule feed ics',
  identity: 'profile name tokens jwt signing keys delegations trust reputation',
  activity: 'events log history feed',
  keys: 'api key token credentials sessions passkeys rotate backup applications oauth grants',
  webhooks: 'hooks callbacks deliveries endpoints replay signing secret',
  requests: 'api calls http log errors usage rate limits',
  domains: 'dns custom domain stack mx spf dkim dmarc',
  pods: 'tenants customers sub-accounts limits',
  audit: 'log trail history record who what',
  settings:
    'addresses people operators recovery policy limits usage tier export delete account theme mail program thunderbird outlook apple imap smtp',
};

const OF_ACTIONS: Readonly<Record<string, string>> = {
  'New named key': 'api key create token scopes',
  'New event': 'calendar meeting appointment create',
  'Sign out': 'log out logout leave',
};

/** Of a page. */
export const wordsOfPage = (name: string): string => OF_PAGES[name] ?? '';

/** Of an action, by its title. Whatever sends a mail is found by what that is called elsewhere. */
export const wordsOfAction = (title: string): string =>
  OF_ACTIONS[title] ?? (/mail/i.test(title) ? 'compose email new message send write' : '');

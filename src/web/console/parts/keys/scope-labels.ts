/** Each scope in words. */
export const SCOPE_LABELS = {
  'account:read': 'Read the account and its usage',
  'mail:read': 'Read mail',
  'mail:codes': 'See codes and links of mail, which open other accounts',
  'mail:send': 'Send mail',
  'mail:manage': 'Claim addresses; label and delete mail',
  'vault:read': 'Read vault entries',
  'vault:write': 'Write and delete vault entries',
  'money:read': 'Read budgets and payments',
  'money:spend': 'Charge the budget',
  'money:manage': 'Change spending caps',
  'money:approve': 'Approve and reject charges',
  'calendar:read': 'Read the calendar',
  'calendar:write': 'Change the calendar',
  'identity:read': 'Read tokens and delegations',
  'identity:issue': 'Issue tokens and delegate',
  'identity:manage': 'Change the profile, delete signing keys',
  'trust:read': 'Read trust and findings',
  'trust:write': 'Submit observations',
  'events:read': 'Follow events',
  'webhooks:manage': 'Manage webhooks',
  'pods:manage': 'Manage pods',
  'stacks:manage': 'Manage domains',
  'credentials:request': 'Ask for credentials',
  'findings:write': 'Submit findings',
  'audit:read': 'Read the audit log',
} as const;

export type Scope = keyof typeof SCOPE_LABELS;

/** A newer service may know more scopes. */
export const scopeLabel = (scope: string): string => (SCOPE_LABELS as Readonly<Record<string, string>>)[scope] ?? scope;

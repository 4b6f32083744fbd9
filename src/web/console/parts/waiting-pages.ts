/** The page of an agent on which a person ends what waits. */
export const PAGE_OF: Readonly<Record<string, string>> = {
  approval: 'money',
  held_mail: 'mail',
  unread_code: 'mail',
  failed_mail: 'outbox',
  confirmation: 'settings',
  removal: 'settings',
  deletion: 'settings',
  low_budget: 'money',
  paused_webhook: 'webhooks',
  expiring_key: 'keys',
};

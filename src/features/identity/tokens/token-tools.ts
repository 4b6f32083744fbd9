import type { Tool } from '../../../api/tool.ts';

export const ISSUE_TOOLS: readonly Tool[] = [
  {
    name: 'issue_token',
    group: 'identity',
    description: 'Get a short-lived token that proves to another service who you are.',
    takes: ['audience', 'scopes', 'ttl'],
  },
];

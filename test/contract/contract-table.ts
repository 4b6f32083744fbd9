import { accessAndMail } from './spec-table/access-and-mail.ts';
import { budgets } from './spec-table/budgets.ts';
import { calendar } from './spec-table/calendar.ts';
import { credentials } from './spec-table/credentials.ts';
import { encryptionAndWebhooks } from './spec-table/encryption-and-webhooks.ts';
import { podsAndStacks } from './spec-table/pods.ts';
import type { SpecEndpoint } from './spec-table/spec-endpoint.ts';
import { tokens } from './spec-table/tokens.ts';
import { trust } from './spec-table/trust.ts';
import { vault } from './spec-table/vault.ts';

export type { SpecEndpoint };

/** Every endpoint table of the specification; each area has its file in `test/contract/spec-table/`. */
export const SPECIFICATION: readonly SpecEndpoint[] = [
  ...accessAndMail,
  ...encryptionAndWebhooks,
  ...trust,
  ...calendar,
  ...tokens,
  ...credentials,
  ...budgets,
  ...podsAndStacks,
  ...vault,
];

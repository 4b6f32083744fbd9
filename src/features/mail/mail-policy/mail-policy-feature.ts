import type { Authority } from '../../../api/authority.ts';
import type { Principal } from '../../../api/principal.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import { exportOf } from '../../../db/account-export.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import type { AddressRules } from '../../account/addresses/address.ts';
import type { SettingHistory } from '../../service/settings/setting-history.ts';
import { MailPolicyRules, policyFor } from './effective-policy.ts';
import { securePolicies } from './mail-policy-lockdown.ts';
import { mailPolicyRoutes } from './mail-policy-routes.ts';
import { MAIL_CONTACTS, MAIL_POLICIES, SUSPICIOUS_READS } from './mail-policy-table.ts';
import { SendPolicy } from './send-policy.ts';

type Needs = FeatureContext & {
  addresses: Pick<AddressRules, 'requireOwned'>;
  settingHistory: SettingHistory;
  requireAddressAuthority(tx: Tx, principal: Principal): Promise<void>;
  authority: { of(reader: Reader, accountId: string): Promise<Authority> };
};

/** Whom an account writes to and hears from. Its authority decides, and the server enforces it. */
export const mailPolicyFeature = feature('mail-policy', (needs: Needs) => {
  const { database, addresses, requireAddressAuthority: requireAuthority, authority, settingHistory: history } = needs;
  const mailPolicy = new MailPolicyRules({ requireAuthority, authorityOf: authority.of, history });
  return {
    tables: [MAIL_POLICIES, MAIL_CONTACTS, SUSPICIOUS_READS],
    exports: [
      exportOf({ table: 'mail_policies', columns: MAIL_POLICIES, key: ['account_id', 'address'] }),
      exportOf({ table: 'mail_contacts', columns: MAIL_CONTACTS, key: ['account_id', 'recipient'] }),
    ],
    endpoints: mailPolicyRoutes({
      database,
      ownAddress: async (reader, principal, text) => (await addresses.requireOwned(reader, principal, text)).address,
      policyFor,
      change: (tx, principal, address, change, now) => mailPolicy.change(tx, principal, address, change, now),
    }),
    secure: securePolicies(history),
    provides: { mailPolicy, sendPolicy: new SendPolicy() },
  };
});

import { type FeatureContext, feature } from '../../../feature.ts';
import { type MailPolicyDeps, MailPolicyRules } from './effective-policy.ts';
import { securePolicies } from './mail-policy-lockdown.ts';
import { mailPolicyRoutes } from './mail-policy-routes.ts';
import { MAIL_CONTACTS, MAIL_POLICIES, SUSPICIOUS_READS } from './mail-policy-table.ts';
import { SendPolicy } from './send-policy.ts';

/** Whom an account writes to and hears from. Its authority decides, and the server enforces it. */
export const mailPolicyFeature = feature('mail-policy', (needs: FeatureContext & MailPolicyDeps) => {
  const mailPolicy = new MailPolicyRules(needs);
  return {
    tables: [MAIL_POLICIES, MAIL_CONTACTS, SUSPICIOUS_READS],
    endpoints: mailPolicyRoutes(mailPolicy, needs),
    secure: securePolicies(needs.settingHistory),
    provides: { mailPolicy, sendPolicy: new SendPolicy() },
  };
});

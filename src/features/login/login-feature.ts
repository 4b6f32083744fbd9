import { type FeatureContext, feature } from '../../feature.ts';
import type { LinkMailer } from '../mailer/link-mailer.ts';
import { createCredentials } from './credential-rules.ts';
import { createLoginMailer } from './login-mailer.ts';
import { loginRoutes } from './login-routes.ts';
import { createLoginRules, purgeLogins } from './login-rules.ts';

declare module '../../kernel/jobs.ts' {
  interface JobPayloads {
    /** Mails login links to an address. */
    'mail.login': { email: string };
  }
}

type Needs = FeatureContext & { mailer: LinkMailer };

/** The authenticator of every credential, and sessions that begin with a mailed link. */
export const loginFeature = feature('login', ({ database, limits, jobs, mailer, baseUrl, hashIp }: Needs) => {
  const credentials = createCredentials(database, limits);
  const login = createLoginRules(limits, jobs.enqueue);
  return {
    endpoints: loginRoutes({ rules: login, hashIp, endSession: credentials.endSession }),
    jobs: { 'mail.login': createLoginMailer({ database, login, limits, mailer, baseUrl }) },
    expire: purgeLogins,
    stop: credentials.close,
    provides: { credentials },
  };
});

import type { Notices } from '../../../api/account/removal-notices.ts';
import type { Tx } from '../../../api/transaction.ts';
import { deriveServiceKey } from '../../../base/sealing.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import type { LinkMailer } from '../../service/mailer/link-mailer.ts';
import { Credentials } from './authenticator.ts';
import { secureLogins } from './login-lockdown.ts';
import { createLoginMailer } from './login-mailer.ts';
import { LoginNetworks } from './login-network.ts';
import { loginRoutes } from './login-routes.ts';
import { SESSION_ACCOUNTS, SESSIONS } from './login-table.ts';
import { endLoginsOf, LoginRules, purgeLogins } from './mailed-login.ts';

declare module '../../../api/job-types.ts' {
  interface JobPayloads {
    /** Mails login links to an address. */
    'mail.login': { email: string };
  }
}

const MINUTE_MS = 60_000;

type Needs = FeatureContext & { mailer: LinkMailer; notices: Pick<Notices, 'isOutside'> };

/** Authenticates every credential, and opens sessions with mailed links. */
export const loginFeature = feature('login', (needs: Needs) => {
  const { database, limits, events, jobs, mailer, notices, metrics, baseUrl, networksOf, onFault } = needs;
  const credentials = new Credentials({
    database,
    limits,
    isOutside: (reader, address) => notices.isOutside(reader, address),
    watchCache: metrics.cache,
  });
  const loginNetworks = new LoginNetworks(deriveServiceKey(needs.secrets.serviceKey, 'login-network'));
  const login = new LoginRules(limits, jobs.enqueue, events.append, loginNetworks);
  return {
    tables: [SESSION_ACCOUNTS, SESSIONS],
    endpoints: loginRoutes({ rules: login, networksOf, endSession: credentials.endSession }),
    jobs: { 'mail.login': createLoginMailer({ database, login, limits, mailer, baseUrl }) },
    expire: purgeLogins,
    secure: secureLogins,
    timers: [{ everyMs: MINUTE_MS, run: credentials.saveKeyUse }],
    open: credentials.open,
    stop: async () => {
      credentials.close();
      await credentials.saveKeyUse().catch((err) => onFault(err, 'the last use of keys could not be saved'));
    },
    provides: {
      credentials,
      login,
      loginNetworks,
      /** Ends what an address opened for an account, on every instance. */
      endLogins: async (tx: Tx, accountId: string, address: string): Promise<void> => {
        await endLoginsOf(tx, accountId, address);
        credentials.credentialEnded(tx, accountId);
      },
    },
  };
});

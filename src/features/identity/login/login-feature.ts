import type { Tx } from '../../../api/transaction.ts';
import { deriveServiceKey } from '../../../base/sealing.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import { Credentials } from './authenticator.ts';
import { createLoginMailer } from './login-mailer.ts';
import { LoginNetworks } from './login-network.ts';
import { loginRoutes } from './login-routes.ts';
import { SESSION_ACCOUNTS, SESSIONS } from './login-table.ts';
import { endLoginsOf, type LoginDeps, LoginRules, purgeLogins, secureLogins } from './mailed-login.ts';

declare module '../../../api/job-types.ts' {
  interface JobPayloads {
    /** Mails login links to an address. */
    'mail.login': { email: string };
  }
}

const MINUTE_MS = 60_000;

type Needs = FeatureContext & Pick<LoginDeps, 'gate' | 'mailer' | 'notices'>;

/** Authenticates every credential, and opens sessions with mailed links. */
export const loginFeature = feature('login', (needs: Needs) => {
  const { events, jobs, metrics, secrets, onFault } = needs;
  const loginNetworks = new LoginNetworks(deriveServiceKey(secrets.serviceKey, 'login-network'));
  const deps: LoginDeps = {
    ...needs,
    appendEvent: events.append,
    enqueueJob: jobs.enqueue,
    loginNetworks,
    watchCache: metrics.cache,
  };
  const credentials = new Credentials(deps);
  const login = new LoginRules(deps);
  return {
    tables: [SESSION_ACCOUNTS, SESSIONS],
    endpoints: loginRoutes(login, credentials, deps),
    jobs: { 'mail.login': createLoginMailer(login, deps) },
    expire: purgeLogins,
    secure: secureLogins,
    timers: [{ everyMs: MINUTE_MS, run: credentials.keyUses.save }],
    open: credentials.open,
    stop: async () => {
      credentials.close();
      await credentials.keyUses.save().catch((err) => onFault(err, 'the last use of keys could not be saved'));
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

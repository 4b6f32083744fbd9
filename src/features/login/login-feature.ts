import { type FeatureContext, feature } from '../../feature.ts';
import { domainOf } from '../../kernel/mail-address.ts';
import type { Reader } from '../../kernel/transaction.ts';
import type { LinkMailer } from '../mailer/link-mailer.ts';
import { ownerOfDomain } from '../stacks/stack-rules.ts';
import { Credentials } from './credential-rules.ts';
import { createLoginMailer } from './login-mailer.ts';
import { loginRoutes } from './login-routes.ts';
import { LoginRules, purgeLogins } from './login-rules.ts';

declare module '../../kernel/jobs.ts' {
  interface JobPayloads {
    /** Mails login links to an address. */
    'mail.login': { email: string };
  }
}

const MINUTE_MS = 60_000;

type Needs = FeatureContext & { mailer: LinkMailer };

/** Authenticates every credential, and opens sessions with mailed links. */
export const loginFeature = feature('login', (needs: Needs) => {
  const { database, config, limits, events, jobs, mailer, baseUrl, hashIp, onFault } = needs;
  const isReceivedHere = async (reader: Reader, address: string): Promise<boolean> =>
    domainOf(address) === config.mailDomain || (await ownerOfDomain(reader, domainOf(address))) !== null;
  const credentials = new Credentials({ database, limits, isReceivedHere }, events.append);
  const login = new LoginRules(limits, jobs.enqueue);
  return {
    endpoints: loginRoutes({ rules: login, hashIp, endSession: credentials.endSession }),
    jobs: { 'mail.login': createLoginMailer({ database, login, limits, mailer, baseUrl }) },
    expire: purgeLogins,
    timers: [{ everyMs: MINUTE_MS, run: credentials.saveKeyUse }],
    open: credentials.open,
    stop: async () => {
      credentials.close();
      await credentials.saveKeyUse().catch((err) => onFault(err, 'the last use of keys could not be saved'));
    },
    provides: { credentials, login },
  };
});

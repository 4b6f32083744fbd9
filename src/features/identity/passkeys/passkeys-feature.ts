import { deriveServiceKey } from '../../../base/sealing.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import type { LinkMailer } from '../../service/mailer/link-mailer.ts';
import type { Credentials } from '../login/authenticator.ts';
import type { LoginNetworks } from '../login/login-network.ts';
import type { LoginRules } from '../login/mailed-login.ts';
import { purgeChallenges } from './challenge.ts';
import { operatorSettingsRoutes } from './operator-settings-routes.ts';
import { PasskeyRules } from './passkey.ts';
import { passkeyErasure } from './passkey-erasure.ts';
import { PasskeyLogin } from './passkey-login.ts';
import { passkeyLoginRoutes } from './passkey-login-routes.ts';
import { createPasskeyMailer } from './passkey-mailer.ts';
import { passkeyRoutes } from './passkey-routes.ts';
import type { PasskeyNews } from './passkey-table.ts';
import { relyingPartyOf } from './relying-party.ts';

declare module '../../../api/job-types.ts' {
  interface JobPayloads {
    /** Tells a person what changed about his passkeys. */
    'mail.passkey': { address: string; news: PasskeyNews; activeAt: number | null; passkeyId?: string };
  }
}

type Needs = FeatureContext & {
  credentials: Pick<Credentials, 'endPasskeySessions'>;
  login: LoginRules;
  loginNetworks: LoginNetworks;
  mailer: LinkMailer;
};

/** Passkeys of operators (WebAuthn), their recovery codes, and whether an operator requires them. */
export const passkeysFeature = feature('passkeys', (needs: Needs) => {
  const { database, limits, jobs, credentials, login, mailer, baseUrl, networksOf, secrets } = needs;
  const relyingParty = () => relyingPartyOf(baseUrl());
  const handleKey = deriveServiceKey(secrets.serviceKey, 'passkey-user');
  const endSessions = credentials.endPasskeySessions;
  const rules = new PasskeyRules({ database, enqueueJob: jobs.enqueue, relyingParty, endSessions, handleKey });
  const logins = new PasskeyLogin({ database, limits, enqueueJob: jobs.enqueue, login, relyingParty });
  return {
    endpoints: [
      ...passkeyRoutes({ rules, database }),
      ...passkeyLoginRoutes({ login: logins, networksOf }),
      ...operatorSettingsRoutes({ rules, database }),
    ],
    jobs: { 'mail.passkey': createPasskeyMailer({ mailer, database, jobEffects: needs.jobEffects, baseUrl }) },
    expire: purgeChallenges,
    erases: [passkeyErasure(needs.loginNetworks)],
  };
});

import { type FeatureContext, feature } from '../../feature.ts';
import { deriveServiceKey } from '../../kernel/sealing.ts';
import type { Credentials } from '../login/credential-rules.ts';
import type { LoginNetworks } from '../login/login-network-rules.ts';
import type { LoginRules } from '../login/login-rules.ts';
import type { LinkMailer } from '../mailer/link-mailer.ts';
import { purgeChallenges } from './challenge-rules.ts';
import { operatorSettingsRoutes } from './operator-settings-routes.ts';
import type { PasskeyNews } from './passkey-data.ts';
import { passkeyErasure } from './passkey-erasure-rules.ts';
import { passkeyLoginRoutes } from './passkey-login-routes.ts';
import { PasskeyLogin } from './passkey-login-rules.ts';
import { createPasskeyMailer } from './passkey-mailer.ts';
import { passkeyRoutes } from './passkey-routes.ts';
import { PasskeyRules } from './passkey-rules.ts';
import { relyingPartyOf } from './relying-party-rules.ts';

declare module '../../kernel/jobs.ts' {
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

import { deriveServiceKey } from '../../../base/sealing.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import type { LoginNetworks } from '../login/login-network.ts';
import { purgeChallenges } from './challenge.ts';
import { operatorSettingsRoutes } from './operator-settings-routes.ts';
import { type PasskeyDeps, PasskeyRules } from './passkey.ts';
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

type Needs = FeatureContext &
  Pick<PasskeyDeps, 'credentials' | 'login' | 'mailer' | 'news'> & { loginNetworks: LoginNetworks };

/** Passkeys of operators (WebAuthn), their recovery codes, and whether an operator requires them. */
export const passkeysFeature = feature('passkeys', (needs: Needs) => {
  const { database, jobs, baseUrl, secrets } = needs;
  const deps: PasskeyDeps = {
    ...needs,
    enqueueJob: jobs.enqueue,
    relyingParty: () => relyingPartyOf(baseUrl()),
    handleKey: deriveServiceKey(secrets.serviceKey, 'passkey-user'),
  };
  const rules = new PasskeyRules(deps);
  return {
    endpoints: [
      ...passkeyRoutes(rules, database),
      ...passkeyLoginRoutes(new PasskeyLogin(deps), deps),
      ...operatorSettingsRoutes(rules, database),
    ],
    jobs: { 'mail.passkey': createPasskeyMailer(deps) },
    expire: purgeChallenges,
    erases: [passkeyErasure(needs.loginNetworks)],
  };
});

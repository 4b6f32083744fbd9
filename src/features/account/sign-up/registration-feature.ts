import { type FeatureContext, feature } from '../../../feature.ts';
import { type RegistrationDeps, RegistrationRules } from './registration.ts';
import { registrationRoutes } from './registration-routes.ts';

type Needs = FeatureContext & Pick<RegistrationDeps, 'keys' | 'addresses' | 'admit'>;

/** Creates an account, its key and its first address in one call. */
export const registrationFeature = feature('registration', (needs: Needs) => {
  const deps: RegistrationDeps = { ...needs, enqueueJob: needs.jobs.enqueue };
  return { endpoints: registrationRoutes(new RegistrationRules(deps), deps) };
});

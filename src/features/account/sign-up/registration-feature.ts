import { type FeatureContext, feature } from '../../../feature.ts';
import type { AddressRules } from '../addresses/address.ts';
import type { AdmitSignUp, KeyRules } from '../keys/key.ts';
import { RegistrationRules } from './registration.ts';
import { registrationRoutes } from './registration-routes.ts';

type Needs = FeatureContext & { keys: KeyRules; addresses: AddressRules; admit: AdmitSignUp };

/** Creates an account, its key and its first address in one call. */
export const registrationFeature = feature(
  'registration',
  ({ limits, jobs, keys, addresses, admit, networksOf }: Needs) => {
    const rules = new RegistrationRules({ limits, keys, addresses, admit, enqueueJob: jobs.enqueue });
    return { endpoints: registrationRoutes({ rules, networksOf }) };
  },
);

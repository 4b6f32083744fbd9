import { type FeatureContext, feature } from '../../feature.ts';
import { rotationRoutes } from './rotation-routes.ts';
import { type AddressPort, createRotationRules } from './rotation-rules.ts';

type Needs = FeatureContext & { unsealedAddresses: AddressPort<unknown> };

/** The key that an account's mail is sealed to. */
export const e2eFeature = feature('e2e', ({ unsealedAddresses }: Needs) => ({
  endpoints: rotationRoutes(createRotationRules(unsealedAddresses)),
}));

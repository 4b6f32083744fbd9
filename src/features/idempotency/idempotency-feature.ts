import { feature } from '../../feature.ts';
import {
  beginIdempotent,
  findReplay,
  finishIdempotent,
  purgeIdempotency,
  releaseIdempotent,
} from './idempotency-rules.ts';

/** Replies that answer a repeated request. */
export const idempotencyFeature = feature('idempotency', () => ({
  expire: purgeIdempotency,
  provides: {
    idempotency: {
      find: findReplay,
      begin: beginIdempotent,
      release: releaseIdempotent,
      finish: finishIdempotent,
    },
  },
}));

import { feature } from '../../../feature.ts';
import { IDEMPOTENCY_KEYS } from './idempotency-table.ts';
import { beginIdempotent, findReplay, finishIdempotent, purgeIdempotency, releaseIdempotent } from './replay.ts';

/** Stores replies, so that a repeated request gets the first reply and has no second effect. */
export const idempotencyFeature = feature('idempotency', () => ({
  tables: [IDEMPOTENCY_KEYS],
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

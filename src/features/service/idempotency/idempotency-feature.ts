import { rowsOf } from '../../../db/account-rows.ts';
import { feature } from '../../../feature.ts';
import { beginIdempotent, findReplay, finishIdempotent, purgeIdempotency, releaseIdempotent } from './replay.ts';

/** Stores replies, so that a repeated request gets the first reply and has no second effect. */
export const idempotencyFeature = feature('idempotency', () => ({
  erases: [rowsOf('idempotency_keys', ['scope', 'idempotency_key'], { by: 'scope' })],
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

import { account } from './words-account-data.ts';
import { calendar } from './words-calendar-data.ts';
import { consent } from './words-consent-data.ts';
import { core } from './words-core-data.ts';
import { decide } from './words-decide-data.ts';
import { front } from './words-front-data.ts';
import { home } from './words-home-data.ts';
import { namedKeys } from './words-keys-data.ts';
import { mail } from './words-mail-data.ts';
import { money } from './words-money-data.ts';
import { pods } from './words-pods-data.ts';
import { rooms } from './words-rooms-data.ts';

/**
 * Every text that the console shows, in one table, so that a language can be added. `{name}` stands for a value; `fill` in
 * `format.ts` puts it in.
 */
export const words = {
  ...core,
  ...consent,
  ...decide,
  ...front,
  ...home,
  ...account,
  ...calendar,
  ...mail,
  ...money,
  ...namedKeys,
  ...pods,
  ...rooms,
};

import { account } from './words-account.ts';
import { calendar } from './words-calendar.ts';
import { consent } from './words-consent.ts';
import { core } from './words-core.ts';
import { decide } from './words-decide.ts';
import { front } from './words-front.ts';
import { home } from './words-home.ts';
import { namedKeys } from './words-keys.ts';
import { mail } from './words-mail.ts';
import { money } from './words-money.ts';
import { pods } from './words-pods.ts';
import { rooms } from './words-rooms.ts';

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

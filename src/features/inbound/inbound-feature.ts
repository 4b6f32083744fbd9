import { type FeatureContext, feature } from '../../feature.ts';
import { MimeParser } from '../../mail/mime.ts';
import type { ReturnPaths } from '../../mail/return-path.ts';
import { createSenderAuth } from '../../mail/sender-auth.ts';
import type { SmtpListener } from '../../mail/smtp-in.ts';
import type { AddressRules } from '../addresses/address-rules.ts';
import type { Arrivals } from '../mailboxes/arrival-rules.ts';
import type { DeliveryRules } from '../mailboxes/delivery-rules.ts';
import { createBounceRules } from './bounce-rules.ts';
import { createIntake } from './intake-rules.ts';
import { openMailDoor } from './smtp-server.ts';

type Needs = FeatureContext & {
  addresses: AddressRules;
  arrivals: Arrivals;
  delivery: DeliveryRules;
  returnPaths: ReturnPaths;
};

/** Milliseconds that SMTP sessions under way may take to end when the service stops. */
const SMTP_STOP_MS = 7000;

/** Mail from outside: the SMTP server, and what parses, screens and delivers what it accepted. */
export const inboundFeature = feature('inbound', (needs: Needs) => {
  const { config, database, events, addresses, arrivals, delivery, returnPaths, log, now, onFault } = needs;
  const parser = new MimeParser();
  const parse = (raw: Uint8Array) => parser.parse(raw);
  const bounces = createBounceRules({ database, returnPaths, parse, appendEvent: events.append });
  const intake = createIntake({
    database,
    delivery,
    arrivals,
    now,
    parse,
    authenticate: createSenderAuth(),
    onFault: (err, contentId) => onFault(err, 'mail not taken in yet; it will be tried again', { contentId }),
  });
  let smtp: SmtpListener | null = null;
  return {
    timers: [{ everyMs: 30_000, run: () => intake.recover(false) }],
    listen: async () => {
      const { smtpPort } = config;
      if (smtpPort === null) return;
      smtp = await openMailDoor({ database, addresses, intake, bounces, log, now }, { ...config, smtpPort });
    },
    recover: async () => {
      // SQLite has one server process, so what is half parsed was left by one that died. A stop does not wait for it.
      void intake.recover(database.engine === 'sqlite').catch((err: unknown) => onFault(err, 'mail not parsed yet'));
    },
    close: () => smtp?.close(SMTP_STOP_MS),
    stop: async () => {
      await intake.stop();
      await parser.close();
    },
    provides: { intake, smtpPort: () => smtp?.port ?? null },
  };
});

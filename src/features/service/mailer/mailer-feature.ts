import { join } from 'node:path';
import type { Tx } from '../../../api/transaction.ts';
import type { Config } from '../../../config/service-config.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import { createDkimKeyFile } from '../../../mail/smtp-out/dkim-key.ts';
import { createMailTransport } from '../../../mail/smtp-out/mail-transport.ts';
import { LinkMailer, type LinkMailerDeps } from './link-mailer.ts';
import { purgeLinks } from './mailed-link.ts';
import { MAILED_LINKS } from './mailed-link-table.ts';
import { createPolicyMemory, forgetPolicies } from './sts-policy-memory.ts';

/** The configured DKIM key, or one that is generated before the first mail is sent. */
function dkimOf({ dkimKey, dkimSelector: keySelector, dataDir, mailDomain: domainName }: Config) {
  if (dkimKey !== null) return { domainName, keySelector, privateKey: dkimKey };
  const keyOf = createDkimKeyFile(join(dataDir, 'dkim.pem'));
  return async () => ({ domainName, keySelector, privateKey: await keyOf() });
}

/** Outgoing mail: the relay, the recipients' servers or the development outbox, the mailer of the service's own mails, and their links. */
export const mailerFeature = feature(
  'mailer',
  ({ config, database, log, instance, resolveDns, overrides }: FeatureContext) => {
    const transport = createMailTransport({
      mayHandOver: () => instance.holdsLeases(),
      relayUrl: config.delivery === 'relay' ? config.smtpRelayUrl : null,
      direct:
        config.delivery === 'direct'
          ? {
              hostname: config.mailHost,
              resolve: resolveDns,
              blockPrivate: !config.development,
              port: overrides.mailPort,
              policies: createPolicyMemory(database),
            }
          : null,
      outboxDir: join(config.dataDir, 'outbox'),
      dkim: dkimOf(config),
      // Applies to each step of the dialogue, so that no attempt takes longer than the lease of a job (jobs/worker.ts).
      idleMs: 45_000,
    });
    const onSent: LinkMailerDeps['onSent'] = (sent) => log.info(sent, 'mail sent');
    return {
      tables: [MAILED_LINKS],
      open: async () => {
        if (config.delivery !== 'file' || config.development) return;
        log.warn({ delivery: 'file' }, 'mail to other domains does not leave this machine; set DELIVERY');
      },
      expire: async (tx: Tx, now: number) => {
        await forgetPolicies(tx, now);
        await purgeLinks(tx, now);
      },
      stop: () => transport.close(),
      provides: { transport, onSent, mailer: new LinkMailer({ transport, mailDomain: config.mailDomain, onSent }) },
    };
  },
);

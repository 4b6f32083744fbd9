import { CertificateFiles } from '../../../base/certificate-files.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import { ImapRefusal } from '../../../mail/imap/imap-store.ts';
import type { AddressRules } from '../../account/addresses/address.ts';
import type { MailProgramDeps } from './mail-program-deps.ts';
import { purgeProgramNetworks } from './program-network.ts';
import { PROGRAM_NETWORKS } from './program-network-table.ts';
import { ProgramService } from './program-service.ts';
import { type DoorPorts, doorsOf } from './program-settings.ts';
import { programSettingsRoutes } from './program-settings-routes.ts';

type Needs = FeatureContext &
  Pick<MailProgramDeps, 'credentials' | 'meter' | 'meterRules'> & { addresses: AddressRules };

/** The doors for mail programs: IMAP, and submission of mail. */
export const mailProgramsFeature = feature('mail-programs', (needs: Needs) => {
  const { config, metrics, onFault, now } = needs;
  const ports: DoorPorts = { imap: null, imaps: null, submission: null, submissions: null };
  const certificate =
    config.smtpTls &&
    new CertificateFiles(config.smtpTls, {
      now,
      onFault: (err) => onFault(err, 'SMTP_TLS_CERT and SMTP_TLS_KEY cannot be used; the former certificate stays'),
    });
  const deps: MailProgramDeps = {
    ...needs,
    development: config.development,
    countLogin: metrics.counter('outcome', 'signet_mail_program_logins_total', 'Logins of mail programs.'),
  };
  // The mailbox comes with the rest of IMAP.
  const logins = new ProgramService(deps, () => {
    throw new ImapRefusal('UNAVAILABLE', 'Mailboxes cannot be opened yet');
  });
  metrics.gauge('signet_mail_program_logins', 'Open logins of mail programs.', logins.size);
  const facts = { ...config, hasCertificate: certificate !== null };
  return {
    tables: [PROGRAM_NETWORKS],
    pages: programSettingsRoutes(config.mailDomain, () => doorsOf(facts, ports)),
    expire: purgeProgramNetworks,
    provides: { mailPrograms: logins, programPorts: (): Readonly<DoorPorts> => ports },
  };
});

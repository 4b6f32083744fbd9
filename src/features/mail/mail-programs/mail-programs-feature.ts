import { CertificateFiles } from '../../../base/certificate-files.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import { type ImapListener, startImapListener } from '../../../mail/imap/imap-listener.ts';
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

/** How long commands at work may take to end when the service stops. */
const STOP_MS = 7000;

/** The doors for mail programs: IMAP, and submission of mail. */
export const mailProgramsFeature = feature('mail-programs', (needs: Needs) => {
  const { config, log, metrics, onFault, now } = needs;
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
  const listeners: Pick<ImapListener, 'close'>[] = [];
  const openImap = async (port: number, implicitTls: boolean): Promise<number> => {
    const door = { host: config.imapHost, port, tls: certificate, implicitTls, hostname: config.mailHost };
    const listener = await startImapListener({ ...door, service: logins, log, now });
    listeners.push(listener);
    return listener.port;
  };
  const facts = { ...config, hasCertificate: certificate !== null };
  return {
    tables: [PROGRAM_NETWORKS],
    pages: programSettingsRoutes(config.mailDomain, () => doorsOf(facts, ports)),
    expire: purgeProgramNetworks,
    listen: async () => {
      const { imapPort, imapsPort } = config;
      if (imapPort !== null) ports.imap = await openImap(imapPort, false);
      if (imapsPort !== null) ports.imaps = await openImap(imapsPort, true);
    },
    close: () => Promise.all(listeners.map((listener) => listener.close(STOP_MS))),
    provides: { mailPrograms: logins, programPorts: (): Readonly<DoorPorts> => ports },
  };
});

import type { Server } from 'node:http';
import type { Endpoint } from '../../../api/endpoint.ts';
import { CertificateFiles } from '../../../base/certificate-files.ts';
import { isLoopbackHost } from '../../../base/loopback-host.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import type { PipelinePorts } from '../../../http/pipeline/request-pipeline.ts';
import { ProgramCall } from '../../../http/program-call.ts';
import { ImapRefusal } from '../../../mail/imap/imap-store.ts';
import type { SmtpListener } from '../../../mail/smtp-in/smtp-listener.ts';
import type { AddressRules } from '../../account/addresses/address.ts';
import type { MailProgramDeps } from './mail-program-deps.ts';
import { purgeProgramNetworks } from './program-network.ts';
import { PROGRAM_NETWORKS } from './program-network-table.ts';
import { ProgramService } from './program-service.ts';
import { type DoorPorts, doorsOf } from './program-settings.ts';
import { programSettingsRoutes } from './program-settings-routes.ts';
import type { SendCall } from './send-call.ts';
import { startSubmission } from './submission.ts';

type Needs = FeatureContext &
  Pick<MailProgramDeps, 'credentials' | 'meter' | 'meterRules' | 'mailboxes' | 'suppressions' | 'sendPolicy'> &
  Pick<MailProgramDeps, 'outbox' | 'parser'> & { addresses: AddressRules };

/** How long open sessions may take to end when the service stops. */
const STOP_MS = 7000;

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
  const deps = {
    ...needs,
    mailDomain: config.mailDomain,
    development: config.development,
    countLogin: metrics.counter('outcome', 'signet_mail_program_logins_total', 'Logins of mail programs.'),
  };
  // The mailbox comes with the rest of IMAP.
  const logins = new ProgramService(deps, () => {
    throw new ImapRefusal('UNAVAILABLE', 'Mailboxes cannot be opened yet');
  });
  metrics.gauge('signet_mail_program_logins', 'Open logins of mail programs.', logins.size);
  const facts = { ...config, hasCertificate: certificate !== null };
  const listeners: SmtpListener[] = [];
  let sendCall: SendCall | null = null;

  async function listenForMail(port: number | null, implicitTls: boolean): Promise<number | null> {
    if (port === null || sendCall === null) return null;
    const listener = await startSubmission(
      { ...deps, sendCall, logins },
      {
        host: config.submissionHost,
        port,
        hostname: config.mailHost,
        tls: certificate,
        implicitTls,
        mayLoginInClear: (remoteAddress) => config.development && isLoopbackHost(remoteAddress),
      },
    );
    listeners.push(listener);
    return listener.port;
  }

  return {
    attach: (_server: Server, pipeline: PipelinePorts, { endpoints }: { endpoints: readonly Endpoint[] }) => {
      sendCall = new ProgramCall('sendEmail', endpoints, pipeline);
    },
    listen: async () => {
      ports.submission = await listenForMail(config.submissionPort, false);
      ports.submissions = await listenForMail(config.submissionsPort, true);
    },
    close: () => Promise.all(listeners.map((listener) => listener.close(STOP_MS))),
    tables: [PROGRAM_NETWORKS],
    pages: programSettingsRoutes(config.mailDomain, () => doorsOf(facts, ports)),
    expire: purgeProgramNetworks,
    provides: { mailPrograms: logins, programPorts: (): Readonly<DoorPorts> => ports },
  };
});

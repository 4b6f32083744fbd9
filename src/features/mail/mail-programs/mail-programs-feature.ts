import type { Server } from 'node:http';
import type { Endpoint } from '../../../api/endpoint.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import type { PipelinePorts } from '../../../http/pipeline/request-pipeline.ts';
import { ProgramCall } from '../../../http/program-call.ts';
import { startImapListener } from '../../../mail/imap/imap-listener.ts';
import type { SmtpListener } from '../../../mail/smtp-in/smtp-listener.ts';
import type { AddressRules } from '../../account/addresses/address.ts';
import { CertificateFiles } from './doors/certificate-files.ts';
import { purgeProgramNetworks } from './doors/program-network.ts';
import { PROGRAM_NETWORKS } from './doors/program-network-table.ts';
import { ProgramService } from './doors/program-service.ts';
import { doorsOf, type OpenDoors } from './doors/program-settings.ts';
import { programSettingsRoutes } from './doors/program-settings-routes.ts';
import { FolderNews } from './folder-news.ts';
import type { MailProgramDeps } from './mail-program-deps.ts';
import { ProgramMailbox } from './program-mailbox.ts';
import type { SendCall } from './sending/send-call.ts';
import { startSubmission } from './sending/submission.ts';

type Needs = FeatureContext &
  Pick<MailProgramDeps, 'credentials' | 'meter' | 'meterRules' | 'mailboxes' | 'suppressions' | 'sendPolicy'> &
  Pick<MailProgramDeps, 'outbox' | 'parser' | 'drafts' | 'storage'> & { addresses: AddressRules };

/** How long open sessions may take to end when the service stops. */
const STOP_MS = 7000;

/** The doors for mail programs: IMAP, and submission of mail. */
export const mailProgramsFeature = feature('mail-programs', (needs: Needs) => {
  const { config, database, disk, jobs, log, metrics, onFault, now } = needs;
  const ports: OpenDoors = { imap: null, imaps: null, submission: null, submissions: null };
  const certificate =
    config.smtpTls &&
    new CertificateFiles(config.smtpTls, {
      now,
      onFault: (err) => onFault(err, 'SMTP_TLS_CERT and SMTP_TLS_KEY cannot be used; the former certificate stays'),
    });
  /** Known before the service listens. */
  let audits: PipelinePorts | null = null;
  const deps: MailProgramDeps = {
    ...needs,
    mailDomain: config.mailDomain,
    development: config.development,
    enqueueJob: jobs.enqueue,
    folderNews: new FolderNews(database),
    mayStore: () => !disk.isLow,
    appendAudits: (tx, records) => (audits as PipelinePorts).appendAudits(tx, records),
    countLogin: metrics.counter('outcome', 'signet_mail_program_logins_total', 'Logins of mail programs.'),
  };
  const logins = new ProgramService(deps, (login) => new ProgramMailbox(deps, login));
  metrics.gauge('signet_mail_program_logins', 'Open logins of mail programs.', logins.size);
  // Of all doors, the line of the start tells where they are.
  const quiet = { ...log, info: log.debug };
  const facts = { ...config, hasCertificate: certificate !== null };
  const listeners: Pick<SmtpListener, 'close'>[] = [];
  let sendCall: SendCall | null = null;

  async function listenForReaders(port: number | null, implicitTls: boolean): Promise<number | null> {
    if (port === null) return null;
    const door = { host: config.imapHost, port, tls: certificate, implicitTls, hostname: config.mailHost };
    const listener = await startImapListener({ ...door, service: logins, log: quiet, now });
    listeners.push(listener);
    return listener.port;
  }

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
        mayLoginInClear: (remoteAddress) => logins.mayLogIn({ remoteAddress, tls: false }),
      },
    );
    listeners.push(listener);
    return listener.port;
  }

  return {
    attach: (_server: Server, pipeline: PipelinePorts, { endpoints }: { endpoints: readonly Endpoint[] }) => {
      audits = pipeline;
      sendCall = new ProgramCall('sendEmail', endpoints, pipeline);
    },
    listen: async () => {
      ports.imap = await listenForReaders(config.imapPort, false);
      ports.imaps = await listenForReaders(config.imapsPort, true);
      ports.submission = await listenForMail(config.submissionPort, false);
      ports.submissions = await listenForMail(config.submissionsPort, true);
    },
    close: () => Promise.all(listeners.map((listener) => listener.close(STOP_MS))),
    tables: [PROGRAM_NETWORKS],
    pages: programSettingsRoutes(config.mailDomain, () => doorsOf(facts, ports)),
    expire: purgeProgramNetworks,
    provides: { mailPrograms: logins, programPorts: (): Readonly<OpenDoors> => ports },
  };
});

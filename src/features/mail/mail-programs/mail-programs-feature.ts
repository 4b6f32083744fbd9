import type { Server } from 'node:http';
import type { AuditRecord } from '../../../api/audit-record.ts';
import type { Endpoint } from '../../../api/endpoint.ts';
import type { Tx } from '../../../api/transaction.ts';
import { CertificateFiles } from '../../../base/certificate-files.ts';
import { isLoopbackHost } from '../../../base/loopback-host.ts';
import { type FeatureContext, feature } from '../../../feature.ts';
import type { PipelinePorts } from '../../../http/pipeline/request-pipeline.ts';
import { ProgramCall } from '../../../http/program-call.ts';
import { startImapListener } from '../../../mail/imap/imap-listener.ts';
import type { AddressRules } from '../../account/addresses/address.ts';
import { FolderNews } from './folder-news.ts';
import type { MailProgramDeps } from './mail-program-deps.ts';
import { ProgramMailbox } from './program-mailbox.ts';
import { purgeProgramNetworks } from './program-network.ts';
import { PROGRAM_NETWORKS } from './program-network-table.ts';
import { ProgramService } from './program-service.ts';
import { type DoorPorts, doorsOf } from './program-settings.ts';
import { programSettingsRoutes } from './program-settings-routes.ts';
import type { SendCall } from './send-call.ts';
import { startSubmission } from './submission.ts';

type Needs = FeatureContext &
  Pick<MailProgramDeps, 'credentials' | 'meter' | 'meterRules' | 'mailboxes' | 'suppressions' | 'sendPolicy'> &
  Pick<MailProgramDeps, 'outbox' | 'parser' | 'drafts' | 'storage'> & { addresses: AddressRules };

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
  /** What every call of the API leaves behind. Known before the doors open. */
  let pipeline: PipelinePorts;
  const deps: MailProgramDeps = {
    ...needs,
    enqueueJob: needs.jobs.enqueue,
    folderNews: new FolderNews(needs.database),
    mayStore: () => !needs.disk.isLow,
    appendAudits: (tx: Tx, records: readonly AuditRecord[]) => pipeline.appendAudits(tx, records),
    mailDomain: config.mailDomain,
    development: config.development,
    countLogin: metrics.counter('outcome', 'signet_mail_program_logins_total', 'Logins of mail programs.'),
  };
  const logins = new ProgramService(deps, (login) => new ProgramMailbox(deps, login));
  metrics.gauge('signet_mail_program_logins', 'Open logins of mail programs.', logins.size);
  const facts = { ...config, hasCertificate: certificate !== null };
  const listeners: { port: number; close(deadlineMs: number): Promise<void> }[] = [];
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

  async function listenForReaders(port: number | null, implicitTls: boolean): Promise<number | null> {
    if (port === null) return null;
    const listener = await startImapListener({
      host: config.imapHost,
      port,
      hostname: config.mailHost,
      tls: certificate,
      implicitTls,
      service: logins,
      log: needs.log,
      now,
    });
    listeners.push(listener);
    return listener.port;
  }

  return {
    attach: (_server: Server, attached: PipelinePorts, { endpoints }: { endpoints: readonly Endpoint[] }) => {
      pipeline = attached;
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
    provides: { mailPrograms: logins, programPorts: (): Readonly<DoorPorts> => ports },
  };
});

import { type FeatureContext, feature } from '../../../feature.ts';
import type { MimeParser } from '../../../mail/reading/mime-parser.ts';
import { createSenderAuth } from '../../../mail/sender-auth/sender-auth-check.ts';
import type { SmtpListener } from '../../../mail/smtp-in/smtp-listener.ts';
import type { DnsType } from '../../../mail/smtp-out/dns-lookup.ts';
import type { MailTransport } from '../../../mail/smtp-out/mail-transport.ts';
import type { ReturnPaths } from '../../../mail/smtp-out/return-path.ts';
import type { Origin } from '../../../workers/fair-queue.ts';
import type { AddressRules } from '../../account/addresses/address.ts';
import type { Suppressions } from '../../service/suppressions/suppression.ts';
import { freeUnparsed } from '../mailboxes/content/mail-content.ts';
import type { Arrivals } from '../mailboxes/pending-parses.ts';
import type { PostmasterRoom } from '../outbox/postmaster-quota.ts';
import type { StorageRules } from '../storage/storage-quota.ts';
import { BounceRules } from './bounce.ts';
import { Intake } from './intake.ts';
import { ParsingMemory } from './parsing-memory.ts';
import { PostmasterRules } from './postmaster.ts';
import { createForward, type ForwardDeps } from './postmaster-job.ts';
import { startInboundSmtp } from './smtp-server.ts';

type Needs = FeatureContext & {
  addresses: AddressRules;
  arrivals: Arrivals;
  returnPaths: ReturnPaths;
  transport: MailTransport;
  onSent: ForwardDeps['onSent'];
  suppressions: Suppressions;
  storage: StorageRules;
  postmasterRoom: PostmasterRoom;
  parser: MimeParser;
};

/** How long open SMTP sessions may take to end when the service stops. */
const SMTP_STOP_MS = 7000;

/** Receives mail from other servers: the SMTP server, and the parsing and delivery of the mail it accepts. */
export const inboundFeature = feature('inbound', (needs: Needs) => {
  const { config, database, events, jobs, addresses, arrivals, returnPaths, parser, log, now, onFault } = needs;
  const { instance, suppressions, storage, disk, resolveDns, overrides, postmasterRoom: room } = needs;
  const { mailDomain, postmasterMail } = config;
  const parse = (raw: Uint8Array, origin?: Origin) => parser.parse(raw, origin);
  const bounces = new BounceRules({ database, returnPaths, appendEvents: events.appendAll, suppressions });
  const postmaster = new PostmasterRules({
    database,
    log,
    mailDomain,
    postmasterMail,
    room,
    now,
    enqueueJob: (tx, job) => jobs.enqueue(tx, job),
  });
  const intake = new Intake({
    database,
    instanceId: instance.id,
    storage,
    appendEvents: events.appendAll,
    arrivals,
    now,
    parse,
    memory: new ParsingMemory(overrides.parsingBytesMax),
    authenticate: createSenderAuth({
      deadlineMs: overrides.readingMs,
      resolve: (name, type) => resolveDns(name, type as DnsType) as Promise<string[]>,
    }),
    onFault: (err, contentId) => onFault(err, 'mail could not be parsed; it will be tried again', { contentId }),
  });
  const count = needs.metrics.counter('code', 'signet_smtp_answers_total', 'Recipients and mails answered over SMTP.');
  let smtp: SmtpListener | null = null;
  /** A stop does not wait for this. */
  const recover = (): void =>
    void intake.recover().catch((err: unknown) => onFault(err, 'mail of another process could not be parsed'));
  return {
    timers: [{ everyMs: 30_000, run: () => intake.recover() }],
    frees: freeUnparsed,
    onFreed: () => recover(),
    jobs: {
      'mail.postmaster': createForward({
        database,
        postmaster,
        room,
        postmasterMail,
        mailDomain,
        transport: needs.transport,
        onSent: needs.onSent,
      }),
    },
    listen: async () => {
      const { smtpPort } = config;
      if (smtpPort === null) return;
      smtp = await startInboundSmtp(
        { database, addresses, intake, parse, bounces, postmaster, storage, disk, log, count, now },
        { ...config, smtpPort },
      );
    },
    recover: async () => recover(),
    // Recovery ends here too: a stop waits for the timers, and the backlog of another process may be long.
    close: async () => {
      await smtp?.close(SMTP_STOP_MS);
      await intake.stop();
    },
    provides: { intake, smtpPort: () => smtp?.port ?? null },
  };
});

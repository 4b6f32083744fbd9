import { type FeatureContext, feature } from '../../../feature.ts';
import { createSenderAuth } from '../../../mail/sender-auth/sender-auth-check.ts';
import type { SmtpListener } from '../../../mail/smtp-in/smtp-listener.ts';
import type { DnsType } from '../../../mail/smtp-out/dns-lookup.ts';
import { freeUnparsed } from '../mailboxes/content/mail-content.ts';
import { BounceRules } from './bounce.ts';
import { type InboundDeps, Intake } from './intake.ts';
import { ParsingMemory } from './parsing-memory.ts';
import { PostmasterRules } from './postmaster.ts';
import { createForward } from './postmaster-job.ts';
import { startInboundSmtp } from './smtp-server.ts';

type Needs = FeatureContext &
  Pick<InboundDeps, 'addresses' | 'arrivals' | 'returnPaths' | 'transport' | 'onSent' | 'suppressions'> &
  Pick<InboundDeps, 'storage' | 'postmasterRoom' | 'parser'>;

/** How long open SMTP sessions may take to end when the service stops. */
const SMTP_STOP_MS = 7000;

/** Receives mail from other servers: the SMTP server, and the parsing and delivery of the mail it accepts. */
export const inboundFeature = feature('inbound', (needs: Needs) => {
  const { config, events, jobs, overrides, onFault } = needs;
  const deps: InboundDeps = {
    ...needs,
    mailDomain: config.mailDomain,
    postmasterMail: config.postmasterMail,
    appendEvents: events.appendAll,
    enqueueJob: jobs.enqueue,
    memory: new ParsingMemory(overrides.parsingBytesMax),
    authenticate: createSenderAuth({
      deadlineMs: overrides.readingMs,
      resolve: (name, type) => needs.resolveDns(name, type as DnsType) as Promise<string[]>,
    }),
  };
  const bounces = new BounceRules(deps);
  const postmaster = new PostmasterRules(deps);
  const intake = new Intake(deps);
  const count = needs.metrics.counter('code', 'signet_smtp_answers_total', 'Recipients and mails answered over SMTP.');
  let smtp: SmtpListener | null = null;
  /** A stop does not wait for this. */
  const recover = (): void =>
    void intake.recover().catch((err: unknown) => onFault(err, 'mail of another process could not be parsed'));
  return {
    timers: [{ everyMs: 30_000, run: () => intake.recover() }],
    releaseLeases: freeUnparsed,
    onLeasesReleased: () => recover(),
    jobs: { 'mail.postmaster': createForward(postmaster, deps) },
    listen: async () => {
      const { smtpPort } = config;
      if (smtpPort === null) return;
      smtp = await startInboundSmtp({ ...deps, intake, bounces, postmaster, count }, { ...config, smtpPort });
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

import { join } from 'node:path';
import type { Audit } from './app-audit.ts';
import { budgetEndpoints, budgetJobs } from './app-budgets.ts';
import { calendarEndpoints } from './app-calendar.ts';
import { credentialEndpoints, credentialJobs, findingEndpoints } from './app-credentials.ts';
import { isDevelopment, type Payments } from './app-payments.ts';
import { podAndStackEndpoints } from './app-pods.ts';
import { type Tokens, tokenEndpoints } from './app-tokens.ts';
import { trustEndpoints } from './app-trust.ts';
import type { Vault } from './app-vault.ts';
import type { Config } from './config.ts';
import { pageRoutes } from './dashboard/page-routes.ts';
import { accountRoutes } from './features/accounts/account-routes.ts';
import { addressRoutes } from './features/addresses/address-routes.ts';
import { createAddressRules } from './features/addresses/address-rules.ts';
import { requireAddressAuthority } from './features/budgets/budget-rules.ts';
import { rotationRoutes } from './features/e2e/rotation-routes.ts';
import { createRotationRules, withAccountKey } from './features/e2e/rotation-rules.ts';
import { attachmentRoutes } from './features/email/attachment-routes.ts';
import { createBounceRules } from './features/email/bounce-rules.ts';
import { createDeliveryRules } from './features/email/delivery-rules.ts';
import { createDispatch } from './features/email/dispatch-rules.ts';
import { createDraftRules } from './features/email/draft-rules.ts';
import { inboxRoutes } from './features/email/inbox-routes.ts';
import { createIntake } from './features/email/intake-rules.ts';
import { createMailboxRules } from './features/email/mailbox-rules.ts';
import { messageRoutes } from './features/email/message-routes.ts';
import { outboxRoutes } from './features/email/outbox-routes.ts';
import { createOutboxRules } from './features/email/outbox-rules.ts';
import { threadRoutes } from './features/email/thread-routes.ts';
import { eventRoutes } from './features/events/event-routes.ts';
import { streamRoutes } from './features/events/stream-routes.ts';
import type { StreamRules } from './features/events/stream-rules.ts';
import {
  beginIdempotent,
  findReplay,
  finishIdempotent,
  releaseIdempotent,
} from './features/idempotency/idempotency-rules.ts';
import { keyRoutes } from './features/keys/key-routes.ts';
import { activePrefixOf, createKeyRules } from './features/keys/key-rules.ts';
import { createRequestMeter, meterRulesOf } from './features/limits/meter-rules.ts';
import { createCredentials } from './features/login/credential-rules.ts';
import { createLoginMailer } from './features/login/login-mail-rules.ts';
import { loginRoutes } from './features/login/login-routes.ts';
import { createLoginRules } from './features/login/login-rules.ts';
import { paymentRoutes } from './features/payments/payment-routes.ts';
import type { PaymentRules } from './features/payments/payment-rules.ts';
import { createSettlement } from './features/payments/settlement-rules.ts';
import { registrationRoutes } from './features/registration/registration-routes.ts';
import { createRegistrationRules } from './features/registration/registration-rules.ts';
import { usageRoutes } from './features/usage/usage-routes.ts';
import { createUsageRules } from './features/usage/usage-rules.ts';
import { createAttempts } from './features/webhooks/attempt-rules.ts';
import { createWebhookDeliveries, notifyWebhooks } from './features/webhooks/delivery-rules.ts';
import { webhookRoutes } from './features/webhooks/webhook-routes.ts';
import { createWebhookRules } from './features/webhooks/webhook-rules.ts';
import type { PipelinePorts } from './http/pipeline.ts';
import { enqueueJob } from './jobs/queue.ts';
import { JobWorker } from './jobs/worker.ts';
import type { Endpoint } from './kernel/endpoint.ts';
import type { Log } from './kernel/log.ts';
import type { Database } from './kernel/transaction.ts';
import { createDkimKeyFile } from './mail/dkim-key.ts';
import type { DnsResolve } from './mail/dns-lookup.ts';
import { MimeParser } from './mail/mime.ts';
import { createReturnPaths } from './mail/return-path.ts';
import { createSenderAuth } from './mail/sender-auth.ts';
import { createMailTransport } from './mail/smtp-out.ts';
import { appendEvent as appendToLog } from './push/event-log.ts';
import type { Waits } from './push/wait.ts';
import { openGuard, publicGuard, type WebhookGuard } from './push/webhook-guard.ts';
import { createWebhookPost } from './push/webhook-post.ts';

/** What everything is built from. */
export interface Base {
  config: Config;
  log: Log;
  database: Database;
  now(): number;
  /** Known once the listener is. */
  baseUrl(): string;
  hashIp(ip: string): string;
  /** The service's own secret, the same on every instance. */
  hashKey: string;
  resolveDns: DnsResolve | undefined;
}

export const causeOf = (err: unknown): string | undefined =>
  err instanceof Error && err.cause !== undefined ? String(err.cause) : undefined;

/** Every fact of the service goes through here: into the log, and to the webhooks that watch it. */
export const appendEvent = notifyWebhooks(appendToLog, enqueueJob);

/** A hung receiver holds a slot for 15 s; these are only sockets, and no other work waits behind them. */
const WEBHOOKS_AT_A_TIME = 256;

/** A development server's webhooks may go to its own machine too. */
const webhookGuard = (config: Config): WebhookGuard => (isDevelopment(config) ? openGuard() : publicGuard());

/** The key as it was given, or one that is made before the first mail leaves. */
function dkimOf({ dkimKey, dkimSelector: keySelector, dataDir, mailDomain: domainName }: Config) {
  if (dkimKey !== null) return { domainName, keySelector, privateKey: dkimKey };
  const keyOf = createDkimKeyFile(join(dataDir, 'dkim.pem'));
  return async () => ({ domainName, keySelector, privateKey: await keyOf() });
}

/** Mail in both directions. */
export function buildMail({ config, log, database, now, hashKey }: Base, payments: PaymentRules) {
  const { limits, mailDomain } = config;
  const parser = new MimeParser();
  const transport = createMailTransport({
    relayUrl: config.smtpRelayUrl,
    outboxDir: join(config.dataDir, 'outbox'),
    dkim: dkimOf(config),
    // At each step of the dialogue, so that the longest attempt stays below the lease of a job (jobs/worker.ts).
    idleMs: 45_000,
  });
  const returnPaths = createReturnPaths(hashKey, mailDomain);
  const bounces = createBounceRules({ database, returnPaths, parse: (raw) => parser.parse(raw), appendEvent });
  const plainAddresses = createAddressRules(limits, mailDomain);
  const rotation = createRotationRules(plainAddresses);
  const addresses = withAccountKey(plainAddresses);
  const delivery = createDeliveryRules(appendEvent);
  const intake = createIntake({
    database,
    delivery,
    now,
    parse: (raw) => parser.parse(raw),
    authenticate: createSenderAuth(),
    onFault: (err, contentId) =>
      log.error({ err: String(err), cause: causeOf(err), contentId }, 'mail not taken in yet; it will be tried again'),
  });
  const { provider } = transport;
  const outbox = createOutboxRules({
    limits,
    mailDomain,
    payments,
    provider,
    addresses,
    delivery,
    appendEvent,
    enqueueJob,
  });
  const drafts = createDraftRules({ limits, mailDomain });
  const mailboxes = createMailboxRules(database, addresses, intake);
  const guard = webhookGuard(config);
  return { parser, transport, returnPaths, bounces, addresses, rotation, intake, drafts, outbox, mailboxes, guard };
}

/** Who may call, and how often. */
export function buildAccess({ config, database }: Base) {
  const { limits } = config;
  const credentials = createCredentials(database);
  return {
    credentials,
    meter: createRequestMeter(database),
    keys: createKeyRules(limits, appendEvent, credentials.endOthers),
    login: createLoginRules(limits, enqueueJob),
  };
}

export type Mail = ReturnType<typeof buildMail>;
export type Access = ReturnType<typeof buildAccess>;

/** The endpoint table: what is not in here does not exist. */
export function listEndpoints(
  base: Base,
  mail: Mail,
  access: Access,
  payments: PaymentRules,
  { streams, waits }: { streams: StreamRules; waits: Waits },
  tokens: Tokens,
): Endpoint[] {
  const { config, database, hashIp, baseUrl } = base;
  const { limits } = config;
  const { mailboxes, drafts, outbox } = mail;
  const registration = createRegistrationRules(limits, access.keys, mail.addresses);
  const waitFor = waits.until;
  return [
    ...keyRoutes({ rules: access.keys, database, limits, hashIp }),
    ...registrationRoutes({ rules: registration, hashIp }),
    ...loginRoutes({ rules: access.login, hashIp, endSession: access.credentials.endSession }),
    ...accountRoutes({
      database,
      mayChangeEmail: requireAddressAuthority,
      emailChanged: access.credentials.endOthers,
      activePrefix: (accountId) => activePrefixOf(database, accountId),
    }),
    ...usageRoutes(createUsageRules(limits, access.meter, database), payments),
    ...paymentRoutes(payments),
    ...addressRoutes(mail.addresses, database),
    ...rotationRoutes(mail.rotation),
    ...messageRoutes({ mailboxes, database, waitFor }),
    ...threadRoutes({ mailboxes, database }),
    ...attachmentRoutes({ mailboxes, database }),
    ...outboxRoutes({ mailboxes, drafts, outbox, database, baseUrl }),
    ...inboxRoutes({ mailboxes, drafts, outbox, database, waitFor, baseUrl }),
    ...webhookRoutes({
      webhooks: createWebhookRules(mail.addresses, mail.guard),
      deliveries: createWebhookDeliveries(enqueueJob),
      database,
    }),
    ...budgetEndpoints(base),
    ...podAndStackEndpoints(base, access),
    ...eventRoutes({ database, streams }),
    ...streamRoutes(streams),
    ...trustEndpoints(base),
    ...tokenEndpoints(base, tokens, mail.addresses, appendEvent),
    ...calendarEndpoints(base, appendEvent),
    ...credentialEndpoints(base, mail, access, appendEvent, enqueueJob),
    ...findingEndpoints(base, tokens.keyring, appendEvent),
    ...pageRoutes(),
  ];
}

export function buildWorker(
  base: Base,
  mail: Mail,
  { login }: Access,
  { facilitator }: Payments,
  { recovery }: Vault,
  webhookTimeoutMs?: number,
): JobWorker {
  const { config, log, database, now, baseUrl } = base;
  const { transport, returnPaths, guard } = mail;
  const { limits, mailDomain } = config;
  const onSent = (fact: { id: string; provider: string; providerId: string }): void => log.info(fact, 'mail sent');
  return new JobWorker({
    database,
    now,
    onFault: (err, job) => log.error({ err: String(err), cause: causeOf(err), ...job }, 'job failed'),
    handlers: {
      'mail.login': createLoginMailer({ database, login, transport, limits, mailDomain, baseUrl, onSent }),
      ...budgetJobs(base, mail),
      ...credentialJobs(base, mail, onSent),
      'mail.recovery': recovery.mail,
      'mail.outbound': createDispatch({ database, transport, returnPaths, mailDomain, appendEvent, onSent }),
      'payment.settle': createSettlement({ database, facilitator, appendEvent }),
      'webhook.deliver': createAttempts({
        database,
        post: createWebhookPost(guard, webhookTimeoutMs),
        now,
        random: Math.random,
      }),
    },
    concurrency: { webhook: WEBHOOKS_AT_A_TIME },
  });
}

export function buildPorts(
  { config, log, database, now, hashIp }: Base,
  access: Access,
  { receipt }: Payments,
  { appendAudits, reads }: Audit,
  checkReplies: boolean,
): PipelinePorts {
  const { credentials, meter } = access;
  return {
    database,
    appendAudits,
    noteRead: reads.note,
    confirm: credentials.confirm,
    idempotency: { find: findReplay, begin: beginIdempotent, release: releaseIdempotent, finish: finishIdempotent },
    authenticate: credentials.authenticate,
    meter: (principal, at) => meter.take(meterRulesOf(principal, config.limits), at),
    now,
    hashIp,
    checkReplies,
    receipt,
    onFault: (err, request) => log.error({ err: String(err), cause: causeOf(err), ...request }, 'request failed'),
  };
}

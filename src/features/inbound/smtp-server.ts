import type { Log } from '../../kernel/log.ts';
import { localPartOf } from '../../kernel/mail-address.ts';
import type { Database } from '../../kernel/transaction.ts';
import { isReturnPath } from '../../mail/return-path.ts';
import { type SmtpListener, startSmtpListener } from '../../mail/smtp-in.ts';
import { findAccount, isOpen } from '../accounts/account-rules.ts';
import { type AddressRules, findAddress } from '../addresses/address-rules.ts';
import type { BounceRules } from './bounce-rules.ts';
import type { Intake } from './intake-rules.ts';

export interface DoorDeps {
  database: Database;
  addresses: Pick<AddressRules, 'isServed'>;
  intake: Intake;
  bounces: BounceRules;
  log: Log;
  now(): number;
}

export interface DoorConfig {
  smtpHost: string;
  smtpPort: number;
  /** PEM texts; STARTTLS is offered with them. */
  smtpTls: { cert: string; key: string } | null;
  mailDomain: string;
}

const NO_MAILBOX = '5.1.1 No such mailbox here';

/** The door for mail from other servers: only for addresses that exist and may receive, never a relay. */
export function openMailDoor(deps: DoorDeps, config: DoorConfig): Promise<SmtpListener> {
  const { database, addresses, intake, bounces, log, now } = deps;
  const { mailDomain } = config;

  /** The inbox an address of ours stands for; a return path stands for its sender's. */
  const inboxOf = (local: string): Promise<string | null> | string =>
    isReturnPath(local) ? bounces.senderBehind(local, now()) : `${local}@${mailDomain}`;

  /** Deals with the reports among what arrived. @returns the inboxes that are left to deliver to */
  async function inboxesFor(recipients: readonly string[], raw: Uint8Array): Promise<string[]> {
    const inboxes = new Set<string>();
    for (const recipient of recipients) {
      const local = localPartOf(recipient);
      const inbox = isReturnPath(local) ? await bounces.take(local, raw, now()) : recipient;
      if (inbox !== null) inboxes.add(inbox);
    }
    return [...inboxes];
  }

  return startSmtpListener({
    host: config.smtpHost,
    port: config.smtpPort,
    hostname: mailDomain,
    tls: config.smtpTls ?? undefined,
    logger: { ...log, info: log.debug },
    now: () => new Date(now()),
    checkRecipient: async ({ local, domain }) => {
      const inbox = domain === mailDomain ? await inboxOf(local) : `${local}@${domain}`;
      const address = inbox === null ? null : await findAddress(database, inbox);
      const isServed = address !== null && (await addresses.isServed(database, address));
      const account = isServed ? await findAccount(database, address.accountId) : null;
      return (await isOpen(database, account)) ? { ok: true } : { ok: false, code: 550, text: NO_MAILBOX };
    },
    accept: async ({ envelopeFrom, recipients, raw }) => {
      const inboxes = await inboxesFor(recipients, raw);
      if (inboxes.length === 0) return { ok: true, text: '2.0.0 Accepted' };
      const delivered = await intake.accept({ envelopeFrom, recipients: inboxes, raw });
      return delivered > 0 ? { ok: true, text: '2.0.0 Accepted' } : { ok: false, code: 554, text: NO_MAILBOX };
    },
  });
}

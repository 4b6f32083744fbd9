import type { Log } from '../../kernel/log.ts';
import type { Database } from '../../kernel/transaction.ts';
import { type SmtpListener, startSmtpListener } from '../../mail/smtp-in.ts';
import { findAccount } from '../accounts/account-rules.ts';
import { type AddressRules, findAddress } from '../addresses/address-rules.ts';
import type { Intake } from './intake-rules.ts';

export interface DoorDeps {
  database: Database;
  addresses: Pick<AddressRules, 'isServed'>;
  intake: Intake;
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
export function openMailDoor(
  { database, addresses, intake, log, now }: DoorDeps,
  config: DoorConfig,
): Promise<SmtpListener> {
  const { mailDomain } = config;
  return startSmtpListener({
    host: config.smtpHost,
    port: config.smtpPort,
    hostname: mailDomain,
    tls: config.smtpTls ?? undefined,
    logger: { ...log, info: log.debug },
    now: () => new Date(now()),
    checkRecipient: async ({ local, domain }) => {
      const address = await findAddress(database, `${local}@${domain}`);
      const isServed = address !== null && (await addresses.isServed(database, address));
      const account = isServed ? await findAccount(database, address.accountId) : null;
      return account?.status === 'active' ? { ok: true } : { ok: false, code: 550, text: NO_MAILBOX };
    },
    accept: async ({ envelopeFrom, recipients, raw }) => {
      const inboxes = await intake.accept({ envelopeFrom, recipients, raw });
      return inboxes > 0 ? { ok: true, text: '2.0.0 Accepted' } : { ok: false, code: 554, text: NO_MAILBOX };
    },
  });
}

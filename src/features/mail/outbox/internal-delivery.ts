import type { NewEvent } from '../../../api/events.ts';
import type { Reader, Tx } from '../../../api/transaction.ts';
import { domainOf } from '../../../mail/address/mail-address.ts';
import { isRoleName } from '../../../mail/address/reserved-names.ts';
import { type Address, findAddress, lockAddresses } from '../../account/addresses/address.ts';
import { ownerOfDomain } from '../../account/domains/stack.ts';
import { policyFor } from '../mail-policy/effective-policy.ts';
import type { MailPolicy } from '../mail-policy/mail-policy-table.ts';
import type { Copies } from '../mailboxes/content/sealed-copy.ts';
import { type DeliverableMail, deliver, keepContent, refuses } from '../mailboxes/messages/mail-delivery.ts';
import type { Stored } from '../storage/storage-quota.ts';
import type { OutboxDeps } from './outbox-deps.ts';

export const NO_SUCH_ADDRESS = 'There is no such address.';
const FULL_FOR_NOW = 'This mailbox is full, try again later.';

export interface InternalRecipient {
  address: string;
  delivered: boolean;
  /** Null if delivered. */
  error: string | null;
}

/** The recipients of a mail: those on domains of this service, in lower case, and the others. */
export interface SortedRecipients {
  internal: string[];
  external: string[];
}

/** What the sender's transaction delivered inside the service. */
export interface InternalDelivery {
  recipients: InternalRecipient[];
  /** The stored content of the mail. Null if no readable copy is kept. */
  contentId: string | null;
  /** True if the sender or a recipient encrypts its mail. Then nothing readable of it may be kept. */
  isEncrypted: boolean;
  /** `postmaster@` or `abuse@`, whose mail goes to the people who run the service. Null: none of them. */
  role: string | null;
  /** `email.received` of each inbox, for the caller to append. */
  events: NewEvent[];
}

/** Sorts recipients by whether their domain is the mail domain or one that an account has verified here. */
export async function sortRecipients(
  reader: Reader,
  recipients: readonly string[],
  mailDomain: string,
): Promise<SortedRecipients> {
  const hosted = new Set([mailDomain]);
  for (const domain of new Set(recipients.map(domainOf)))
    if (!hosted.has(domain) && (await ownerOfDomain(reader, domain)) !== null) hosted.add(domain);
  const isInternal = (recipient: string): boolean => hosted.has(domainOf(recipient));
  return {
    internal: [...new Set(recipients.filter(isInternal).map((recipient) => recipient.toLowerCase()))],
    external: recipients.filter((recipient) => !isInternal(recipient)),
  };
}

/** An address that takes a mail, by its policy. */
interface Receiver {
  address: Address;
  policy: MailPolicy;
}

const isRole = (recipient: string): boolean => isRoleName(recipient.slice(0, recipient.lastIndexOf('@')));

/** The copies of a mail that are kept for its recipients. The keys may change until it is delivered. */
export async function copiesFor(reader: Reader, recipients: readonly string[], mailDomain: string): Promise<Copies> {
  const { internal, external } = await sortRecipients(reader, recipients, mailDomain);
  const sealedFor: Address[] = [];
  let isReadable = external.length > 0;
  for (const recipient of internal) {
    const address = await findAddress(reader, recipient);
    if (address !== null && address.publicKey !== null) sealedFor.push(address);
    else if (address !== null || isRole(recipient)) isReadable = true;
  }
  return { isReadable, sealedFor };
}

interface Arriving {
  mail: DeliverableMail;
  address: Address | undefined;
  senderKey: string;
  /** What the accounts store. Each is used once: to admit a mail may change it. */
  counts: Map<string, Stored>;
}

/** Who gets a mail, or why no account does. */
async function receiverOf(
  tx: Tx,
  { addresses, storage }: Pick<OutboxDeps, 'addresses' | 'storage'>,
  { mail, address, senderKey, counts }: Arriving,
  now: number,
): Promise<Receiver | string> {
  const account = address === undefined ? null : await addresses.receiver(tx, address);
  if (address === undefined || account === null) return NO_SUCH_ADDRESS;
  const { accountId } = address;
  const policy = await policyFor(tx, accountId, address.address);
  if (refuses(policy, address, mail)) return 'The recipient does not take this mail.';
  const arriving = { accountId, sizeBytes: mail.sizeBytes, sender: senderKey, isRead: true, account };
  const stored = counts.get(accountId);
  counts.delete(accountId);
  const noRoom = await storage.admit(tx, { ...arriving, stored }, now);
  return noRoom === null ? { address, policy } : 'The mailbox of the recipient is full.';
}

/** Delivers a mail to recipients of this service, in the transaction of its sender. */
export async function deliverInternally(
  tx: Tx,
  { addresses, storage, postmasterRoom }: Pick<OutboxDeps, 'addresses' | 'storage' | 'postmasterRoom'>,
  mail: DeliverableMail,
  { internal, external }: SortedRecipients,
  now: number,
): Promise<InternalDelivery> {
  // Locks the sender's address too, because its thread changes.
  const locked = await lockAddresses(tx, [mail.envelopeFrom, ...internal]);
  const senderKey = locked.get(mail.envelopeFrom)?.accountId ?? mail.envelopeFrom;
  const counts = await storage.lock(
    tx,
    [...locked.values()].map(({ accountId }) => accountId),
  );
  // An inbox of that name, claimed before it was reserved, comes first.
  const roles = internal.filter((recipient) => !locked.has(recipient) && isRole(recipient));
  const takesRoles = roles.length > 0 && (await postmasterRoom.takes(tx, mail.sizeBytes));
  const inboxes = new Map<string, Receiver>();
  const errors = new Map(takesRoles ? [] : roles.map((role) => [role, FULL_FOR_NOW]));
  for (const recipient of internal) {
    if (roles.includes(recipient)) continue;
    const arriving = { mail, address: locked.get(recipient), senderKey, counts };
    const taken = await receiverOf(tx, { addresses, storage }, arriving, now);
    if (typeof taken === 'string') errors.set(recipient, taken);
    else inboxes.set(recipient, taken);
  }
  const found = [...inboxes.values()];
  const isEncrypted =
    Boolean(locked.get(mail.envelopeFrom)?.publicKey) || found.some(({ address }) => address.publicKey !== null);
  // The outbox and the job for the postmaster share the content with the inboxes, and only until the mail has left.
  const leaving = (external.length > 0 ? 1 : 0) + (takesRoles ? 1 : 0);
  const copies = found.filter(({ address }) => address.publicKey === null).length + leaving;
  const contentId = copies > 0 ? await keepContent(tx, mail, copies, now) : null;
  const events: NewEvent[] = [];
  const shared = { contentId, copies: internal.length, senderKey };
  for (const { address, policy } of found) events.push(await deliver(tx, mail, address, { ...shared, policy }, now));
  const recipients = internal.map((address) => {
    const delivered = roles.includes(address) ? takesRoles : inboxes.has(address);
    return { address, delivered, error: delivered ? null : (errors.get(address) ?? NO_SUCH_ADDRESS) };
  });
  return { recipients, contentId, isEncrypted, role: takesRoles ? (roles[0] ?? null) : null, events };
}

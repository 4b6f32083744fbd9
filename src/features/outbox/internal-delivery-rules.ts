import type { NewEvent } from '../../kernel/events.ts';
import { domainOf } from '../../kernel/mail-address.ts';
import { isRoleName } from '../../kernel/reserved-names.ts';
import type { Tx } from '../../kernel/transaction.ts';
import { type Address, type AddressRules, lockAddresses } from '../addresses/address-rules.ts';
import { type DeliverableMail, deliver, keepContent, refuses } from '../mailboxes/delivery-rules.ts';
import { ownerOfDomain } from '../stacks/stack-rules.ts';
import type { StorageRules } from '../storage/storage-rules.ts';
import type { PostmasterRoom } from './postmaster-room-rules.ts';

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
  tx: Tx,
  recipients: readonly string[],
  mailDomain: string,
): Promise<SortedRecipients> {
  const hosted = new Set([mailDomain]);
  for (const domain of new Set(recipients.map(domainOf)))
    if (!hosted.has(domain) && (await ownerOfDomain(tx, domain)) !== null) hosted.add(domain);
  const isInternal = (recipient: string): boolean => hosted.has(domainOf(recipient));
  return {
    internal: [...new Set(recipients.filter(isInternal).map((recipient) => recipient.toLowerCase()))],
    external: recipients.filter((recipient) => !isInternal(recipient)),
  };
}

export interface DeliveryDeps {
  addresses: Pick<AddressRules, 'receivesMail'>;
  storage: Pick<StorageRules, 'admit' | 'lock'>;
  postmasterRoom: Pick<PostmasterRoom, 'takes'>;
}

const isRole = (recipient: string): boolean => isRoleName(recipient.slice(0, recipient.lastIndexOf('@')));

/** Delivers a mail to recipients of this service, in the transaction of its sender. */
export async function deliverInternally(
  tx: Tx,
  { addresses, storage, postmasterRoom }: DeliveryDeps,
  mail: DeliverableMail,
  { internal, external }: SortedRecipients,
  now: number,
): Promise<InternalDelivery> {
  // Locks the sender's address too, because its thread changes.
  const locked = await lockAddresses(tx, [mail.envelopeFrom, ...internal]);
  const senderKey = locked.get(mail.envelopeFrom)?.accountId ?? mail.envelopeFrom;
  await storage.lock(
    tx,
    [...locked.values()].map(({ accountId }) => accountId),
  );
  // An inbox of that name, claimed before it was reserved, comes first.
  const roles = internal.filter((recipient) => !locked.has(recipient) && isRole(recipient));
  const takesRoles = roles.length > 0 && (await postmasterRoom.takes(tx, mail.raw.length));
  const inboxes = new Map<string, Address | null>();
  const errors = new Map(takesRoles ? [] : roles.map((role) => [role, FULL_FOR_NOW]));
  for (const recipient of internal) {
    if (roles.includes(recipient)) continue;
    const address = locked.get(recipient);
    const receives = address !== undefined && (await addresses.receivesMail(tx, address));
    const isRefused = receives && (await refuses(tx, address, mail));
    if (isRefused) errors.set(recipient, 'The recipient does not take this mail.');
    const arriving = { sizeBytes: mail.raw.length, sender: senderKey, isRead: true };
    const fits =
      receives && !isRefused && (await storage.admit(tx, { ...arriving, accountId: address.accountId }, now)) === null;
    if (receives && !isRefused && !fits) errors.set(recipient, 'The mailbox of the recipient is full.');
    inboxes.set(recipient, fits ? address : null);
  }
  const found = [...inboxes.values()].filter((address) => address !== null);
  const isEncrypted = [locked.get(mail.envelopeFrom), ...found].some((address) => Boolean(address?.publicKey));
  // The outbox and the job for the postmaster share the content with the inboxes, and only until the mail has left.
  const leaving = (external.length > 0 ? 1 : 0) + (takesRoles ? 1 : 0);
  const copies = found.filter(({ publicKey }) => publicKey === null).length + leaving;
  const contentId = copies > 0 ? await keepContent(tx, mail, copies, now) : null;
  const events: NewEvent[] = [];
  for (const address of found)
    events.push(await deliver(tx, mail, address, { contentId, copies: internal.length, senderKey }, now));
  const recipients = internal.map((address) => {
    const delivered = roles.includes(address) ? takesRoles : Boolean(inboxes.get(address));
    return { address, delivered, error: delivered ? null : (errors.get(address) ?? NO_SUCH_ADDRESS) };
  });
  return { recipients, contentId, isEncrypted, role: takesRoles ? (roles[0] ?? null) : null, events };
}

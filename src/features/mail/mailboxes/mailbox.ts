import { ApiError } from '../../../api/errors.ts';
import type { AppendEvents } from '../../../api/events.ts';
import type { EnqueueJob } from '../../../api/job-types.ts';
import type { WaitFor } from '../../../api/long-poll.ts';
import type { Principal } from '../../../api/principal.ts';
import { hasScope } from '../../../api/scopes.ts';
import type { Database, Tx } from '../../../api/transaction.ts';
import type { Gate } from '../../../api/way-out.ts';
import { isId } from '../../../base/ids.ts';
import { randomBase62 } from '../../../base/secret.ts';
import type { Address, AddressRules, Limited } from '../../account/addresses/address.ts';
import type { MailPolicyRules } from '../mail-policy/effective-policy.ts';
import { onlyAddress, usableAddresses } from './default-address.ts';
import { requireAnyMessage, requireMessage } from './messages/message.ts';
import type { Message } from './messages/message-table.ts';
import type { PendingParses } from './pending-parses.ts';
import { claimWarning, notClaimed } from './unclaimed-address.ts';

/** What `/v1/email` and its alias `/v1/inbox` do with an address and its mail. */
export interface MailboxRules {
  /** The full address for the text in a request. @throws ApiError `invalid_address` */
  normalize(text: string): string;
  /** A random local part, which is very unlikely to be taken. */
  randomName(): string;
  /** True when no account has the address, so that listing it claims it. Never for a credential that may claim none. */
  isFree(principal: Principal, address: string): Promise<boolean>;
  /** @throws ApiError `address_reserved`, `address_unavailable`, `address_limit` */
  claim(tx: Tx, principal: Principal, address: string, now: number): Promise<{ alreadyOwned: boolean }>;
  /**
   * Claims an address by listing it. While a deletion of the account waits, it claims nothing.
   * @returns a warning if it is like an address that the account had
   * @throws ApiError `address_reserved`, `address_limit`, `address_forbidden` when another account was first, `not_found`
   *   for a named key without `mail:manage`, and while a deletion waits
   */
  claimOnSight(tx: Tx, principal: Principal, address: string, now: number): Promise<string | undefined>;
  /** The refusal of an unclaimed address. It names the most similar one of the caller. */
  notClaimed(principal: Principal, address: string): Promise<ApiError>;
  /** An inbox of the caller, after the mail accepted for it has become visible. @throws ApiError `address_forbidden`, `not_found` */
  open(principal: Principal, text: string): Promise<Address>;
  /** The addresses that the caller may use, after the mail accepted for them has become visible. */
  openAll(principal: Principal): Promise<readonly string[]>;
  /**
   * A message in an inbox of the caller. Without an address, a `message_id` is looked for at every address of the caller,
   * another id at its only one.
   * @throws ApiError `address_forbidden`, `not_found`, `invalid_request`
   */
  message(principal: Principal, text: string | undefined, id: string, folder?: 'trash'): Promise<Message>;
  /** Notes that the caller is shown these messages. Some of them may not be clean. */
  noteRead(messages: readonly Pick<Message, 'accountId' | 'safetyVerdict'>[]): Promise<void>;
  /** The addresses that the caller may use. */
  ownAddresses(principal: Principal): Promise<readonly string[]>;
  /** An address of the caller to send from; the only one when the text is absent. @throws ApiError `sender_not_owned`, `invalid_request` */
  defaultSender(principal: Principal, text: string | undefined): Promise<Address>;
  /** @throws ApiError `sender_not_owned` */
  sender(principal: Limited, text: string): Promise<Address>;
}

/** What mailboxes need of other features. */
export interface MailboxDeps {
  database: Database;
  addresses: AddressRules;
  gate: Gate;
  mailPolicy: Pick<MailPolicyRules, 'requireReleaser' | 'noteRead'>;
  waitFor: WaitFor;
  enqueueJob: EnqueueJob;
  appendEvents: AppendEvents<Tx>;
  now(): number;
}

export function createMailboxRules(
  { database, addresses, mailPolicy, now }: MailboxDeps,
  arrivals: PendingParses,
): MailboxRules {
  const noteRead: MailboxRules['noteRead'] = (messages) => mailPolicy.noteRead(database, messages, now());

  async function open(principal: Principal, text: string): Promise<Address> {
    const found = await addresses.requireOwned(database, principal, text);
    // Reads again after a wait, because the mail that was being parsed is counted by now.
    return (await arrivals.whenParsed(found.address)) ? addresses.requireOwned(database, principal, text) : found;
  }

  const claim: MailboxRules['claim'] = (tx, { accountId, limits }, address, now) =>
    addresses.claim(tx, { accountId, limits, address, publicKey: null, now });

  async function noted(found: Message): Promise<Message> {
    await noteRead([found]);
    return found;
  }

  const message: MailboxRules['message'] = async (principal, text, id, folder) => {
    if (text === undefined && isId('msg', id))
      return noted(await requireAnyMessage(database, await usableAddresses(database, principal), id, folder));
    const named = text ?? (await onlyAddress(database, principal, '/query/address'));
    return noted(await requireMessage(database, (await open(principal, named)).address, id, folder));
  };

  return {
    normalize: addresses.normalize,
    randomName: () => `agent-${randomBase62(12).toLowerCase()}`,
    isFree: async ({ addresses: only }, address) => only === null && (await addresses.isFree(database, address)),
    claim,
    claimOnSight: async (tx, principal, address, now) => {
      const own = await usableAddresses(tx, principal);
      if (principal.deletion !== null) throw notClaimed(address, own);
      // Claiming changes the account, and this call may only read.
      if (!hasScope(principal, 'mail:manage'))
        throw new ApiError('not_found', {
          message: 'This address is not claimed. To claim it, a key needs mail:manage.',
        });
      const warning = claimWarning(address, own);
      try {
        await claim(tx, principal, address, now);
        return warning;
      } catch (err) {
        // Another account claimed it in between, so this is its inbox now.
        throw err instanceof ApiError && err.code === 'address_unavailable' ? new ApiError('address_forbidden') : err;
      }
    },
    notClaimed: async (principal, address) => notClaimed(address, await usableAddresses(database, principal)),
    open,
    openAll: async (principal) => {
      const own = await usableAddresses(database, principal);
      await Promise.all(own.map((address) => arrivals.whenParsed(address)));
      return own;
    },
    message,
    noteRead,
    ownAddresses: (principal) => usableAddresses(database, principal),
    defaultSender: async (principal, text) =>
      addresses.requireSender(database, principal, text ?? (await onlyAddress(database, principal, '/body/from'))),
    sender: (principal, text) => addresses.requireSender(database, principal, text),
  };
}

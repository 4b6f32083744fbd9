import { ApiError } from '../../kernel/errors.ts';
import type { Principal } from '../../kernel/principal.ts';
import { randomBase62 } from '../../kernel/secret.ts';
import type { Database, Tx } from '../../kernel/transaction.ts';
import { type Address, type AddressRules, findAddress } from '../addresses/address-rules.ts';
import type { Arrivals } from './arrival-rules.ts';
import type { Message } from './message-data.ts';
import { requireMessage } from './message-rules.ts';

/** What both faces of mail, `/v1/email` and `/v1/inbox`, do with an address and what lies in it. */
export interface MailboxRules {
  /** The address a request means. @throws ApiError `invalid_address` */
  normalize(text: string): string;
  /** A name nobody is likely to have. */
  randomName(): string;
  /** Whether nobody has the address, so that looking at it claims it. */
  isFree(address: string): Promise<boolean>;
  /** @throws ApiError `address_reserved`, `address_unavailable`, `address_limit` */
  claim(tx: Tx, principal: Principal, address: string, now: number): Promise<{ alreadyOwned: boolean }>;
  /** The claim that a first look is. @throws ApiError `address_reserved`, `address_limit`, `address_forbidden` when another account was first */
  claimOnSight(tx: Tx, principal: Principal, address: string, now: number): Promise<void>;
  /** An inbox of the caller, once all that was accepted for it can be seen. @throws ApiError `address_forbidden`, `not_found` */
  open(principal: Principal, text: string): Promise<Address>;
  /** A message in an inbox of the caller. @throws ApiError `address_forbidden`, `not_found` */
  message(principal: Principal, text: string, id: string): Promise<Message>;
  /** @throws ApiError `sender_not_owned` */
  sender(principal: Principal, text: string): Promise<Address>;
}

export function createMailboxRules(database: Database, addresses: AddressRules, arrivals: Arrivals): MailboxRules {
  async function open(principal: Principal, text: string): Promise<Address> {
    const { address } = await addresses.requireOwned(database, principal, text);
    await arrivals.settled(address);
    // Once more, for the counters: what was waiting has been counted by now.
    return addresses.requireOwned(database, principal, address);
  }

  const claim: MailboxRules['claim'] = (tx, { accountId, limits }, address, now) =>
    addresses.claim(tx, { accountId, limits, address, publicKey: null, now });

  return {
    normalize: addresses.normalize,
    randomName: () => `agent-${randomBase62(12).toLowerCase()}`,
    isFree: async (address) => (await findAddress(database, address)) === null,
    claim,
    claimOnSight: async (tx, principal, address, now) => {
      try {
        await claim(tx, principal, address, now);
      } catch (err) {
        // Looked at a moment later it would have been another's inbox; so it is now.
        throw err instanceof ApiError && err.code === 'address_unavailable' ? new ApiError('address_forbidden') : err;
      }
    },
    open,
    message: async (principal, text, id) => requireMessage(database, (await open(principal, text)).address, id),
    sender: (principal, text) => addresses.requireSender(database, principal, text),
  };
}

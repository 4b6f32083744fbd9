import { isMasked, type SearchPart, seesAddress } from '../../../../api/account/search-part.ts';
import { addressesOfAccounts } from '../../../account/addresses/address.ts';
import { messagesWith } from '../messages/message-store.ts';
import { allShown } from '../messages/shown-mail.ts';
import { termsOfText } from './mail-search.ts';

/** Words that are looked up in the index, together for all inboxes. */
const LOOK_UPS_MAX = 1000;

/**
 * Received mail, by its words. Whatever the index is asked, its answer tells something of every word in it: so for a
 * caller from whom codes are hidden it is asked for senders alone, and a mail must have the words as the caller sees it.
 */
export const searchedMail: SearchPart = {
  kind: 'mail',
  find: async (reader, { accountIds, caller, words, limit }) => {
    const masked = isMasked(caller);
    const terms = termsOfText(words.join(' '), masked ? 'sender' : null);
    if (terms.length === 0) return [];
    const owned = [...(await addressesOfAccounts(reader, accountIds)).values()].flat();
    const most = Math.floor(LOOK_UPS_MAX / terms.reduce((sum, term) => sum + term.words.length, 0));
    const addresses = owned
      .map(({ address }) => address)
      .filter((address) => seesAddress(caller, address))
      .slice(0, most);
    const found = addresses.length === 0 ? [] : await messagesWith(reader, addresses, terms, limit);
    return (await allShown(reader, caller, found)).map((message) => {
      const { id, accountId, address, subject, fromName, fromAddress, folder, receivedAt: at } = message;
      const texts = masked ? [fromName ?? '', fromAddress] : null;
      return { id, accountId, title: subject, at, place: ['mail', address, folder, id], texts };
    });
  },
};

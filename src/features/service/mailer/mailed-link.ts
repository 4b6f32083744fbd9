import type { Reader, Tx } from '../../../api/transaction.ts';
import { hashSecret, randomBase62 } from '../../../base/secret.ts';
import {
  endLoginLinks,
  endLoginLinksOf,
  endPlainLoginLinks,
  findByHash,
  findBySubject,
  purgeLinks,
  removeBySubject,
  saveLink,
  useLink,
} from './mailed-link-store.ts';
import type { LinkKind, MailedLink } from './mailed-link-table.ts';

export { endLoginLinks, endLoginLinksOf, endPlainLoginLinks, purgeLinks };

/** Stores a link. @returns its token, of which only the hash is stored */
export async function mintLink(tx: Tx, link: MailedLink): Promise<string> {
  const token = randomBase62(32);
  await saveLink(tx, { ...link, hash: hashSecret(token), usedAt: null });
  return token;
}

/** Finds a link that has not expired, used or not. The token of another kind finds none. */
export async function findLink<K extends LinkKind>(
  reader: Reader,
  kind: K,
  token: string,
  now: number,
): Promise<MailedLink<K> | null> {
  const link = (await findByHash(reader, kind, hashSecret(token))) as MailedLink<K> | null;
  return link && link.expiresAt > now ? link : null;
}

/** Uses a link, which works once. @returns null when it is unknown, used or expired */
export const takeLink = async <K extends LinkKind>(
  tx: Tx,
  kind: K,
  token: string,
  now: number,
): Promise<MailedLink<K> | null> => (await useLink(tx, kind, hashSecret(token), now)) as MailedLink<K> | null;

/** Finds the link with which a person confirms an address, expired or not. */
export const findConfirmation = async (reader: Reader, personId: string): Promise<MailedLink<'confirmation'> | null> =>
  (await findBySubject(reader, 'confirmation', personId)) as MailedLink<'confirmation'> | null;

export const dropConfirmation = async (tx: Tx, personId: string): Promise<void> =>
  void (await removeBySubject(tx, 'confirmation', personId));

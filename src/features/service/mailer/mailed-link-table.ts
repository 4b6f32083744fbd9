import type { Authority } from '../../../api/authority.ts';
import { column } from '../../../db/column-map.ts';
import { table } from '../../../db/table.ts';

/** A question to an operator of the account about one thing. The link works while the address is a confirmed operator. */
interface Question {
  accountId: string;
  /** The id of an approval, a held mail or a request for a credential. */
  subject: string;
  detail: null;
}

/** The kinds of mailed links, and what is known of each beside the address. */
interface LinkKinds {
  /** Opens a session, once. `operator`: the address is the account's operator email, so it is an operator session. */
  login: { accountId: string; subject: null; detail: 'operator' | null };
  /**
   * Asks a person to confirm an address. There is one for each, and a new mail replaces it. `detail`: the answer that the
   * page proposes for "Must you approve spending and changes?".
   */
  confirmation: { accountId: string; subject: string; detail: Authority | null };
  approval: Question;
  review: Question;
  credential: Question;
  /** Recovers what is stored for the address, once. `detail`: where the rest begins; null: at the beginning. */
  recovery: { accountId: null; subject: null; detail: { accountId: string; key: string } | null };
}
export type LinkKind = keyof LinkKinds;

export type MailedLink<K extends LinkKind = LinkKind> = {
  [Kind in K]: { kind: Kind; email: string; expiresAt: number } & LinkKinds[Kind];
}[K];

/** The links in mails of the service. A token proves that its holder reads the mail of the address. */
export const MAILED_LINKS = table(
  'mailed_links',
  {
    kind: column.enum<LinkKind>()('kind'),
    /** SHA-256 of the token. The token itself is not stored. */
    hash: column.text('hash'),
    accountId: column.text('account_id').orNull(),
    subject: column.text('subject').orNull(),
    /** The address that the link was mailed to. */
    email: column.text('email'),
    detail: column.json<MailedLink['detail']>()('detail').orNull(),
    expiresAt: column.integer('expires_at'),
    usedAt: column.integer('used_at').orNull(),
  },
  { key: ['kind', 'hash'], account: ['accountId'], erase: 'delete' },
);

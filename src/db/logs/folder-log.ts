import { type Change, changeOf, type Tx } from '../../api/transaction.ts';
import { tables } from '../statement.ts';
import { lateRows } from './late-rows.ts';

/** A folder of a mailbox. */
export interface FolderKey {
  address: string;
  folder: string;
}
type Item = FolderKey & { item_id: string };

/** Where the numbers of a folder end. It has a row once a mail program opened it. */
export interface FolderEnd extends FolderKey {
  uid_validity: number;
  uid_next: number;
  modseq: number;
  /** Removals with this mod-sequence or a smaller one are not listed any more. */
  vanished_from: number;
  /** 0 until what was there before has its UIDs. */
  numbered: number;
}
/** An item of a folder, by its UID. */
export interface NumberedItem extends FolderKey {
  uid: number;
  item_id: string;
  modseq: number;
  /** JSON: the flags that the item itself does not have. */
  flags: string;
}
/** A UID that a folder no longer has. */
export interface RemovedItem extends FolderKey {
  modseq: number;
  uid: number;
  /** Milliseconds; 0 until it is looked at. */
  removed_at: number;
}

interface Tables {
  mailbox_folders: FolderEnd;
  mailbox_uids: NumberedItem;
  mailbox_vanished: RemovedItem;
}
const sql = tables<Tables>();

/**
 * Removals that a folder lists at most: each raised the mod-sequence, so they are among its last changes. The six folders of an address
 * stay below 100,000.
 */
export const REMOVALS_LISTED = 16_000;

const raise = sql((q, p: FolderKey & { uids: number }) =>
  q
    .updateTable('mailbox_folders')
    .set((eb) => {
      const from = eb('modseq', '-', REMOVALS_LISTED - 1);
      return {
        uid_next: eb('uid_next', '+', p.uids),
        modseq: eb('modseq', '+', 1),
        vanished_from: eb.case().when('vanished_from', '<', from).then(from).else(eb.ref('vanished_from')).end(),
      };
    })
    .where('address', '=', p.address)
    .where('folder', '=', p.folder),
);
const number = sql((q, p: Item) =>
  q
    .insertInto('mailbox_uids')
    .columns(['address', 'folder', 'uid', 'item_id', 'modseq', 'flags'])
    .expression((eb) =>
      eb
        .selectFrom('mailbox_folders')
        .select((of) => [
          'address',
          'folder',
          of('uid_next', '-', 1).as('uid'),
          of.cast<string>(of.val(p.item_id), 'text').as('item_id'),
          'modseq',
          of.cast<string>(of.val('[]'), 'text').as('flags'),
        ])
        .where('address', '=', p.address)
        .where('folder', '=', p.folder),
    ),
);
const vanish = sql((q, p: Item) =>
  q
    .insertInto('mailbox_vanished')
    .columns(['address', 'folder', 'modseq', 'uid', 'removed_at'])
    .expression((eb) =>
      eb
        .selectFrom('mailbox_uids as u')
        .innerJoin('mailbox_folders as f', (join) =>
          join.onRef('f.address', '=', 'u.address').onRef('f.folder', '=', 'u.folder'),
        )
        .select((of) => ['u.address', 'u.folder', 'f.modseq', 'u.uid', of.lit(0).as('removed_at')])
        .where('u.item_id', '=', p.item_id)
        .where('u.address', '=', p.address)
        .where('u.folder', '=', p.folder),
    ),
);
const forget = sql((q, p: Item) =>
  q
    .deleteFrom('mailbox_uids')
    .where('item_id', '=', p.item_id)
    .where('address', '=', p.address)
    .where('folder', '=', p.folder),
);
const touch = sql((q, p: Item) =>
  q
    .updateTable('mailbox_uids')
    .set((eb) => ({
      modseq: eb
        .selectFrom('mailbox_folders')
        .select('modseq')
        .where('address', '=', p.address)
        .where('folder', '=', p.folder)
        .$asScalar()
        .$notNull(),
    }))
    .where('item_id', '=', p.item_id)
    .where('address', '=', p.address)
    .where('folder', '=', p.folder),
);

/** Removes what the folder does not list any more. */
const trim = sql((q, p: FolderKey) =>
  q
    .deleteFrom('mailbox_vanished')
    .where('address', '=', p.address)
    .where('folder', '=', p.folder)
    .where('modseq', '<=', (eb) =>
      eb
        .selectFrom('mailbox_folders')
        .select('vanished_from')
        .where('address', '=', p.address)
        .where('folder', '=', p.folder)
        .$asScalar()
        .$notNull(),
    ),
);
const endOf = (name: 'mailbox_folders' | 'mailbox_uids' | 'mailbox_vanished') =>
  sql((q, p: { address: string }) => q.deleteFrom(name).where('address', '=', p.address));
const ends = [endOf('mailbox_folders'), endOf('mailbox_uids'), endOf('mailbox_vanished')];

type Does = 'arrives' | 'leaves' | 'changes';
const WRITES = { arrives: [number], leaves: [vanish, forget], changes: [touch] } as const;

const placeOf = ({ address, folder }: FolderKey): string => `${address} ${folder}`;

/**
 * Written right before the commit, so that the row of a folder is locked last and shortly, and in one order, so that no two
 * transactions wait for each other. It stays locked until the commit: UIDs and mod-sequences become visible in their order.
 */
const note = lateRows<{ does: Does | 'ends'; item: Item }>(
  ['mailbox_folders', 'mailbox_uids', 'mailbox_vanished'],
  (_engine, rows) => {
    const sorted = rows.toSorted((a, b) =>
      placeOf(a.item) < placeOf(b.item) ? -1 : Number(placeOf(a.item) > placeOf(b.item)),
    );
    const left = new Map(sorted.filter(({ does }) => does === 'leaves').map(({ item }) => [placeOf(item), item]));
    return [
      ...sorted.flatMap(({ does, item }): Change[] => {
        if (does === 'ends') return ends.map((statement) => changeOf(statement, item));
        const uids = does === 'arrives' ? 1 : 0;
        return [changeOf(raise, { ...item, uids }), ...WRITES[does].map((statement) => changeOf(statement, item))];
      }),
      ...[...left.values()].map((item) => changeOf(trim, item)),
    ];
  },
);

/** The topic that wakes those who watch the folders of an address. */
export const foldersTopic = (address: string): string => `folders:${address}`;

const noting =
  (does: Does) =>
  async (tx: Tx, { address, folder }: FolderKey, itemId: string): Promise<void> => {
    await note(tx, { does, item: { address, folder, item_id: itemId } });
    tx.signal(foldersTopic(address));
  };

/**
 * What happens to the items of folders, for the mail programs that have a folder open. It costs a look-up where none ever
 * opened it. An item that moves leaves one folder and arrives in another, and has a new UID there (RFC 9051 2.3.1.1).
 */
export const folderLog = {
  /** An item is in a folder from now on. */
  arrives: noting('arrives'),
  /** It is there no longer. */
  leaves: noting('leaves'),
  /** Its flags are others. */
  changes: noting('changes'),
  /** Nothing of an address has a number any more. */
  ends: (tx: Tx, address: string): Promise<void> =>
    note(tx, { does: 'ends', item: { address, folder: '', item_id: '' } }),
};

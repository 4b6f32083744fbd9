import { arrayOf, type ExportFile, type ExportPart, jsonArray } from '../../../api/account/export-file.ts';
import type { Reader } from '../../../api/transaction.ts';
import { iso } from '../../../base/clock.ts';
import { lastId } from '../../../base/ids.ts';
import { addressesOf } from '../../account/addresses/address.ts';
import { readRaw } from './content/mail-content.ts';
import { listMessages } from './messages/message-store.ts';
import { LISTS, type ListedMessage } from './messages/message-table.ts';

const PAGE = 50;

/** The visible messages of an address: those of each folder newest first, the archived ones last. */
async function* messagesOf(reader: Reader, address: string): AsyncGenerator<ListedMessage> {
  for (const list of LISTS)
    for (let before: string | undefined = lastId('msg'); before !== undefined; ) {
      const page: ListedMessage[] = await listMessages(reader, { address, ...list, before, limit: PAGE });
      yield* page;
      before = page.length < PAGE ? undefined : page.at(-1)?.id;
    }
}

/** The date of a `From ` line: `Wed Jan 14 12:00:00 2026`, in UTC. */
function mboxDate(ms: number): string {
  const [day = '', date, month, year, time] = new Date(ms).toUTCString().replace(',', '').split(' ');
  return `${day} ${month} ${date?.padStart(2, ' ')} ${time} ${year}`;
}

/**
 * A message in the format mboxrd: lines end in LF, and a line of `>`s before `From ` gets one more. Two headers of our
 * own come first, and the two that mail programs keep their flags in.
 */
function mboxEntry(message: ListedMessage, raw: Uint8Array): Uint8Array {
  const { id, envelopeFrom, receivedAt, read, archived, folder, labels } = message;
  const own = `X-Signet-Id: ${id}\nX-Signet-Archived: ${archived ? 'yes' : 'no'}\nX-Signet-Folder: ${folder}\nStatus: ${read ? 'RO' : 'O'}\n`;
  const keywords = labels.length > 0 ? `X-Keywords: ${Buffer.from(labels.join(', ')).toString('latin1')}\n` : '';
  const lines = Buffer.from(raw)
    .toString('latin1')
    .replaceAll('\r\n', '\n')
    .replace(/^(>*From )/gm, '>$1');
  const from = envelopeFrom === '' ? 'MAILER-DAEMON' : envelopeFrom.replace(/[^\x21-\x7e]/g, '');
  return Buffer.from(
    `From ${from} ${mboxDate(receivedAt)}\n${own}${keywords}${lines}${lines.endsWith('\n') ? '' : '\n'}\n`,
    'latin1',
  );
}

async function* mbox(reader: Reader, address: string): AsyncGenerator<Uint8Array> {
  for await (const message of messagesOf(reader, address)) {
    const raw = message.encryption ? null : await readRaw(reader, message.contentId);
    if (raw) yield mboxEntry(message, raw);
  }
}

/** Sealed mail as it is stored. */
async function* sealedMail(reader: Reader, addresses: readonly string[]): AsyncGenerator<object> {
  for (const address of addresses)
    for await (const message of messagesOf(reader, address)) {
      const raw = message.encryption && (await readRaw(reader, message.contentId));
      if (!raw) continue;
      const { id, encryption, receivedAt } = message;
      yield { id, address, received_at: iso(receivedAt), encryption, raw: Buffer.from(raw).toString('base64url') };
    }
}

const SEALED = 'sealed_mail.json';

/** What an account received. */
export const mailExport: ExportPart = {
  tables: ['mail_contents'],
  schemas: {
    [SEALED]: arrayOf({
      id: { type: 'string' },
      address: { type: 'string' },
      encryption: { type: 'object' },
      received_at: { type: 'string', format: 'date-time' },
      raw: { type: 'string' },
    }),
  },
  files: async (reader, accountId): Promise<ExportFile[]> => {
    const addresses = await addressesOf(reader, accountId);
    const boxes = addresses.map((address) => ({ name: `mail/${address}.mbox`, content: mbox(reader, address) }));
    return [...boxes, { name: SEALED, content: jsonArray(sealedMail(reader, addresses)) }];
  },
};

import { arrayOf, type ExportFile, type ExportPart, jsonArray } from '../../../api/account/export-file.ts';
import type { Reader } from '../../../api/transaction.ts';
import { iso } from '../../../base/clock.ts';
import { lastId } from '../../../base/ids.ts';
import { addressesOf } from '../../account/addresses/address.ts';
import { readRaw } from './content/mail-content.ts';
import { listMessages } from './messages/message-store.ts';
import { LISTS, type ListedMessage } from './messages/message-table.ts';
import { findOutbox, pageOfSentContents } from './messages/sent-store.ts';

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

/** What an mbox says of a message. */
interface Heading {
  /** The envelope's sender. */
  from: string;
  /** Milliseconds. */
  at: number;
  /** Lines that come first. */
  headers: string;
}

/** Our headers, and the two that mail programs keep their flags in. */
function headingOf({ id, envelopeFrom, receivedAt, read, archived, folder, labels }: ListedMessage): Heading {
  const own = `X-Signet-Id: ${id}\nX-Signet-Archived: ${archived ? 'yes' : 'no'}\nX-Signet-Folder: ${folder}\nStatus: ${read ? 'RO' : 'O'}\n`;
  const keywords = labels.length > 0 ? `X-Keywords: ${Buffer.from(labels.join(', ')).toString('latin1')}\n` : '';
  return { from: envelopeFrom, at: receivedAt, headers: own + keywords };
}

/** A message in the format mboxrd: lines end in LF, and a line of `>`s before `From ` gets one more. */
function mboxEntry({ from: sender, at, headers }: Heading, raw: Uint8Array): Uint8Array {
  const lines = Buffer.from(raw)
    .toString('latin1')
    .replaceAll('\r\n', '\n')
    .replace(/^(>*From )/gm, '>$1');
  const from = sender === '' ? 'MAILER-DAEMON' : sender.replace(/[^\x21-\x7e]/g, '');
  return Buffer.from(`From ${from} ${mboxDate(at)}\n${headers}${lines}${lines.endsWith('\n') ? '' : '\n'}\n`, 'latin1');
}

async function* mbox(reader: Reader, address: string): AsyncGenerator<Uint8Array> {
  for await (const message of messagesOf(reader, address)) {
    const raw = message.encryption ? null : await readRaw(reader, message.contentId);
    if (raw) yield mboxEntry(headingOf(message), raw);
  }
}

/** The sent mails that are kept, newest first. */
async function* sentMbox(reader: Reader, accountId: string): AsyncGenerator<Uint8Array> {
  for (let outboxId = lastId('out'); ; ) {
    const page = await pageOfSentContents(reader, { accountId }, { outboxId }, PAGE);
    for (const { outboxId: id, contentId } of page) {
      const [entry, raw] = await Promise.all([findOutbox(reader, id), readRaw(reader, contentId)]);
      if (entry && raw)
        yield mboxEntry({ from: entry.address, at: entry.queuedAt, headers: `X-Signet-Id: ${id}\n` }, raw);
    }
    const last = page.at(-1);
    if (page.length < PAGE || !last) return;
    outboxId = last.outboxId;
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

/** What an account received, and what it sent. */
export const mailExport: ExportPart = {
  tables: ['mail_contents', 'sent_contents'],
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
    const sent = { name: 'mail/sent.mbox', content: sentMbox(reader, accountId) };
    return [...boxes, sent, { name: SEALED, content: jsonArray(sealedMail(reader, addresses)) }];
  },
};

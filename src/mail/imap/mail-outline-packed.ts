/** An outline as it is stored: in a third of the space that its names would take. */

import type { ImapAddress, ImapEnvelope, ImapPart, MailOutline } from './imap-store.ts';

/** Raise it when an outline of the same mail becomes another: kept ones are then made anew. */
export const OUTLINE_VERSION = 2;

type PackedAddress = [name: string | null, mailbox: string | null, host: string | null];
/** 0: that of From. */
type PackedDefault = PackedAddress[] | 0;
type PackedEnvelope = [
  date: string | null,
  subject: string | null,
  messageId: string | null,
  inReplyTo: string | null,
  from: PackedAddress[],
  sender: PackedDefault,
  replyTo: PackedDefault,
  to: PackedAddress[],
  cc: PackedAddress[],
  bcc: PackedAddress[],
];
type Said = Pick<ImapPart, 'id' | 'description' | 'md5' | 'disposition' | 'language' | 'location'>;
type PackedPart = [
  type: string,
  subtype: string,
  params: ImapPart['params'],
  encoding: string,
  headerAt: number,
  bodyAt: number,
  endAt: number,
  lines: number,
  parts: PackedPart[],
  message: PackedOutline | 0,
  said: Partial<Said>,
];
export type PackedOutline = [PackedEnvelope, PackedPart];

const packAddress = ({ name, mailbox, host }: ImapAddress): PackedAddress => [name, mailbox, host];
const unpackAddress = ([name, mailbox, host]: PackedAddress): ImapAddress => ({ name, mailbox, host });
const packAll = (addresses: readonly ImapAddress[]): PackedAddress[] => addresses.map(packAddress);
const unpackAll = (addresses: readonly PackedAddress[]): ImapAddress[] => addresses.map(unpackAddress);

function packEnvelope(of: ImapEnvelope): PackedEnvelope {
  const { date, subject, messageId, inReplyTo, from, sender, replyTo, to, cc, bcc } = of;
  const unlessFrom = (addresses: readonly ImapAddress[]): PackedDefault =>
    addresses === from ? 0 : packAll(addresses);
  const people = [unlessFrom(sender), unlessFrom(replyTo), packAll(to), packAll(cc), packAll(bcc)] as const;
  return [date, subject, messageId, inReplyTo, packAll(from), ...people];
}

function unpackEnvelope(packed: PackedEnvelope): ImapEnvelope {
  const [date, subject, messageId, inReplyTo, froms, sender, replyTo, to, cc, bcc] = packed;
  const from = unpackAll(froms);
  const orFrom = (addresses: PackedDefault): ImapAddress[] => (addresses === 0 ? from : unpackAll(addresses));
  return {
    date,
    subject,
    from,
    sender: orFrom(sender),
    replyTo: orFrom(replyTo),
    to: unpackAll(to),
    cc: unpackAll(cc),
    bcc: unpackAll(bcc),
    inReplyTo,
    messageId,
  };
}

const SILENT: Said = { id: null, description: null, md5: null, disposition: null, language: [], location: null };

function packPart(part: ImapPart): PackedPart {
  const { type, subtype, params, encoding, headerAt, bodyAt, endAt, lines, parts, message } = part;
  const { id, description, md5, disposition, language, location } = part;
  const said = Object.fromEntries(
    Object.entries({ id, description, md5, disposition, language, location }).filter(
      ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  ) as Partial<Said>;
  const place = [headerAt, bodyAt, endAt, lines] as const;
  return [type, subtype, params, encoding, ...place, parts.map(packPart), message ? packOutline(message) : 0, said];
}

function unpackPart(packed: PackedPart): ImapPart {
  const [type, subtype, params, encoding, headerAt, bodyAt, endAt, lines, parts, message, said] = packed;
  return {
    type,
    subtype,
    params,
    ...SILENT,
    ...said,
    encoding,
    headerAt,
    bodyAt,
    endAt,
    lines,
    parts: parts.map(unpackPart),
    message: message === 0 ? null : unpackOutline(message),
  };
}

export const packOutline = ({ envelope, body }: MailOutline): PackedOutline => [packEnvelope(envelope), packPart(body)];

export const unpackOutline = ([envelope, body]: PackedOutline): MailOutline => ({
  envelope: unpackEnvelope(envelope),
  body: unpackPart(body),
});

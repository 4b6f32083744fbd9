import { invalidField } from '../../../../api/errors.ts';
import type { Principal } from '../../../../api/principal.ts';
import type { Reader } from '../../../../api/transaction.ts';
import { eventSeq, lastEventSeq, readEvents, readEventsBefore } from '../../../../events/event-log.ts';
import { domainOf } from '../../../../mail/address/mail-address.ts';
import { quarantinedAt } from '../quarantine/quarantined-mail.ts';
import { findMessage, readParts } from './message.ts';
import type { Message, Shown } from './message-table.ts';
import type { Found } from './screened-mail.ts';
import { shown, shownWhole } from './shown-mail.ts';

/** Which mail a call waits for. */
export interface Awaited {
  caller: Principal;
  address: string;
  /** An address or a domain. */
  from?: string | undefined;
  /** A part of the subject. */
  subject?: string | undefined;
  /** Pass over mail without a code, or with one that is not certain. */
  code: boolean;
}

/** A message that fits, with its code and links. */
export interface Arrival {
  message: Shown<Message>;
  found: Found;
  /** False when it answers only because nothing better came. */
  isCertain: boolean;
  /** The policy keeps it back: only its code may be shown. */
  isQuarantined: boolean;
}

const PAGE = 100;
const TYPES = ['email.received', 'email.quarantined'] as const;

/** The number of the event after which mail counts. @throws ApiError `invalid_request` */
export async function startOfWait(reader: Reader, accountId: string, after: string | undefined): Promise<number> {
  const last = await lastEventSeq(reader, accountId);
  if (after === undefined) return last;
  const seq = eventSeq(after);
  if (seq !== null) return seq;
  const time = /^\d{4}-\d\d-\d\dT/.test(after) ? Date.parse(after) : Number.NaN;
  if (Number.isNaN(time))
    throw invalidField(
      '/query/after',
      'invalid_format',
      '`after` must be a time such as 2026-01-14T09:00:00Z, or the id of an event.',
    );
  for (let before = last + 1; ; ) {
    const range = { accountId, types: TYPES, addresses: null, limit: PAGE };
    const events = await readEventsBefore(reader, range, before);
    // Mail of the same millisecond counts: a caller notes the time, and then causes the mail.
    const older = events.find(({ created_at }) => Date.parse(created_at) < time);
    if (older) return older.seq;
    if (events.length < PAGE) return 0;
    before = events.at(-1)?.seq as number;
  }
}

/** Whether the sender and the subject are those that the call waits for. */
function fits({ fromAddress, subject }: Message, awaited: Awaited): boolean {
  const from = awaited.from?.toLowerCase().replace(/^@/, '');
  const sender = fromAddress.toLowerCase();
  const isFrom = from === undefined || sender === from || domainOf(sender) === from;
  return isFrom && subject.toLowerCase().includes(awaited.subject?.toLowerCase() ?? '');
}

/** Looks through the mail that came since the look before. */
export function createLook(reader: Reader, awaited: Awaited, start: number): () => Promise<Arrival | null> {
  const { caller, address } = awaited;
  const range = { accountId: caller.accountId, types: TYPES, addresses: [address], limit: PAGE };
  let seen = start;
  let second: Arrival | null = null;

  async function arrived(id: string): Promise<Arrival | null> {
    const visible = await findMessage(reader, address, id);
    const arrival = visible ?? (awaited.code ? await quarantinedAt(reader, address, id) : null);
    // A subject that is looked for must not tell what is hidden in it.
    if (!arrival || !fits(await shown(reader, caller, arrival), awaited)) return null;
    const { message, parts } = shownWhole(caller, arrival, await readParts(reader, arrival));
    const { found } = parts;
    const isQuarantined = visible === null;
    if (isQuarantined && !found.code) return null;
    return { message, found, isQuarantined, isCertain: !awaited.code || typeof found.code?.code === 'string' };
  }

  return async () => {
    for (;;) {
      const events = await readEvents(reader, range, seen);
      for (const { seq, data } of events) {
        const next = await arrived((data as { message_id: string }).message_id);
        seen = seq;
        if (next?.isCertain) return next;
        if (next?.found.code) second = next;
      }
      if (events.length < PAGE) return second;
    }
  };
}

import type { GetDraftReply, GetMessageReply } from '../../../../client/generated/operations.ts';
import { fullTime } from '../../ui/format.ts';
import type { Typed } from '../../ui/kept-text.ts';

/** What a mail starts with: empty, as an answer or a forward of a message, or as a draft that goes on. */

export type Composed = { address: string; folder: string } & (
  | { how: 'new' }
  | { how: 'reply' | 'reply-all' | 'forward'; answered: GetMessageReply }
  | { how: 'draft'; draft: GetDraftReply }
);

const REPLY = /^re\s*(?:\[\d+\]|\(\d+\))?\s*:/i;
const FORWARD = /^(?:fwd?|wg)\s*:/i;
/** The service refuses longer ones, and the prefix needs some of it. */
const SUBJECT_CHARS = 900;

const subjectOf = (prefix: string, known: RegExp, subject: string): string => {
  const plain = subject
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, SUBJECT_CHARS);
  return known.test(plain) ? plain : `${prefix}: ${plain}`;
};

/** The entries of a list as they were typed, with commas or semicolons between them. */
export const entriesOf = (list: string): string[] =>
  list
    .split(/[,;]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** Whom an answer goes to: as the service's own replies do, to Reply-To or else to From. */
function answerTo({ from, to, cc, reply_to: replyTo }: GetMessageReply, own: readonly string[], isToAll: boolean) {
  const sender = replyTo.length > 0 ? replyTo : [from];
  if (!isToAll) return { to: sender, cc: [] };
  const known = new Set(own.map((address) => address.toLowerCase()));
  const fresh = (list: readonly string[]): string[] =>
    list.filter((address) => {
      const isNew = !known.has(address.toLowerCase());
      known.add(address.toLowerCase());
      return isNew;
    });
  const [first, others] = [fresh(sender), fresh([...entriesOf(to), ...cc])];
  if (first.length > 0) return { to: first, cc: others };
  // A mail that the caller wrote is answered to those it went to.
  return { to: others.length > 0 ? others : sender, cc: [] };
}

/** The text that an answer starts with. */
function quote({ e2e_encrypted: isSealed, received_at: at, from, body }: GetMessageReply): string {
  if (isSealed) return '';
  const quoted = body.split('\n').map((line) => (line === '' ? '>' : `> ${line}`));
  return `\n\nOn ${fullTime(at)}, ${from} wrote:\n${quoted.join('\n')}`;
}

/** The text that a forward starts with: who wrote the message to whom, then what it says. */
function passedOn({ from, from_name: name, to, cc, subject, sent_at: sent, received_at: at, body }: GetMessageReply) {
  const headers = [
    `From: ${name ? `${name} <${from}>` : from}`,
    `Date: ${fullTime(sent !== null && !Number.isNaN(Date.parse(sent)) ? sent : at)}`,
    `Subject: ${subject}`,
    `To: ${to}`,
    ...(cc.length > 0 ? [`Cc: ${cc.join(', ')}`] : []),
  ];
  return `\n\n---------- Forwarded message ----------\n${headers.join('\n')}\n\n${body}`;
}

/** The mail that is composed, before anything is typed. @param own the addresses of the account */
export function startOf(composed: Composed, own: readonly string[]): Typed {
  const { how, address: from } = composed;
  const nothing = { from, to: '', cc: '', bcc: '', subject: '', text: '' };
  if (how === 'new') return nothing;
  if (how === 'draft') {
    const { from: sender, to, cc, bcc, subject, text } = composed.draft;
    const [toList, ccList, bccList] = [to, cc, bcc].map((list) => list.join(', ')) as [string, string, string];
    return { from: sender, to: toList, cc: ccList, bcc: bccList, subject, text: text ?? '' };
  }
  const { answered } = composed;
  if (how === 'forward')
    return { ...nothing, subject: subjectOf('Fwd', FORWARD, answered.subject), text: passedOn(answered) };
  const { to, cc } = answerTo(answered, own, how === 'reply-all');
  const subject = subjectOf('Re', REPLY, answered.subject);
  return { ...nothing, to: to.join(', '), cc: cc.join(', '), subject, text: quote(answered) };
}

/** The message that the mail answers, as `from` may name it: by the id of its copy, or to others by its Message-ID. */
export function inReplyTo(composed: Composed, from: string): string | undefined {
  if (!('answered' in composed)) return undefined;
  const { message_id: id, rfc_message_id: rfcId } = composed.answered;
  return from === composed.address ? id : (rfcId ?? undefined);
}

/** What the text is kept under: a conversation has one answer at a time, and one forward. */
export function placeOf(composed: Composed): string {
  if (composed.how === 'new') return 'new';
  if (composed.how === 'draft') return `draft ${composed.draft.draft_id}`;
  const { thread_id: thread, message_id: id } = composed.answered;
  return `${composed.how === 'forward' ? 'forward' : 'reply'} ${thread ?? id}`;
}

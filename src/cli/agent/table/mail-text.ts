import type {
  GetMessageReply,
  GetSentEmailReply,
  HeldEmail,
  OperationTypes,
  SentEmail,
} from '../../../client/generated/operations.ts';
import { SignetError } from '../../../client/signet-error.ts';
import { printable, printableLines, say } from '../../output.ts';
import { EXIT } from '../agent-failure.ts';
import type { AgentRun } from '../agent-run.ts';
import { PERSON_SECONDS, whenSettled } from './agent-wait.ts';

type Sent = SentEmail | HeldEmail;

/** A message as people read it. */
export function messageText(message: GetMessageReply): string {
  const { from, to, subject, received_at, body, attachments, links } = message;
  const head = [
    ['From', from],
    ['To', to],
    ['Subject', subject],
    ['Received', received_at],
    ...attachments.map(({ filename, size }, n) => [
      `Attachment ${n}`,
      `${filename ?? 'without a name'} (${size} bytes)`,
    ]),
    ...(message.code?.code ? [['Code', message.code.code]] : []),
    ...(links ?? []).map(({ url }) => ['Link', url]),
  ].map(([name = '', value = '']) => `${name}: ${printable(value)}`);
  return `${head.join('\n')}\n\n${printableLines(body).trimEnd()}`;
}

/** Who did not get it, and why. */
const failuresOf = (recipients: readonly { address: string; error: string | null }[]): string =>
  recipients.flatMap(({ address, error }) => (error === null ? [] : `${address}: ${error}`)).join('; ');

/** One line: what became of a mail, and who did not get it. */
export function sentText(sent: Sent & { error?: string | null }): string {
  const { status, id, from, to, error } = sent;
  if ('review_id' in sent)
    return printable(`held  ${id}  an operator must see it first (${sent.reason}): review ${sent.review_id}`);
  const why = failuresOf(sent.internal_recipients ?? []) || error;
  return printable(`${status}  ${id}  ${from} to ${to.join(', ')}${why ? `  ${why}` : ''}`);
}

/** A failed mail with its error, where the reply does not name it. */
export async function explainFailure(reply: Sent, { run }: { run: AgentRun }): Promise<Sent> {
  if (reply.status !== 'failed' || run.isDry || failuresOf(reply.internal_recipients ?? []) !== '') return reply;
  try {
    const { error } = await run.client().getSentEmail({ id: reply.id });
    return { ...reply, error } as Sent;
  } catch (err) {
    // A key that may only send does not see what became of it.
    if (err instanceof SignetError) return reply;
    throw err;
  }
}

/** Waits for the operator who sees a mail first, and for the mail to leave. */
export async function untilSent(run: AgentRun, { id }: OperationTypes['sendEmail']['reply']): Promise<void> {
  const client = run.client();
  const sent: GetSentEmailReply = await whenSettled(client, 'email.sent,email.failed', PERSON_SECONDS, () =>
    client.getSentEmail({ id }),
  );
  const why = failuresOf(sent.recipients) || (sent.error ?? '');
  say(run.output(), sent, printable(`${sent.status}  ${id}  ${sent.from} to ${sent.to.join(', ')}  ${why}`.trimEnd()));
  if (sent.status === 'pending') run.exitCode = EXIT.fault;
  else if (sent.status === 'failed') run.exitCode = EXIT.refused;
  else run.exitCode = why === '' ? EXIT.ok : EXIT.partly;
}

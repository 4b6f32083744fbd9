import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { CodeWait } from '../../client/code-wait.ts';
import { toBase64 } from '../../client/encoding.ts';
import type { GetMessageReply, ListInboxReply, SendEmailReply } from '../../client/generated/operations.ts';
import { printable, printableLines, say, table } from '../output.ts';
import { EXIT } from './agent-failure.ts';
import { type AddCommands, type AgentRun, collect, parseCount, textOrInput } from './agent-run.ts';

interface ListOptions {
  address?: string;
  unread?: boolean;
  limit?: number;
  search?: string;
}

async function list(run: AgentRun, { address, unread, limit, search: q }: ListOptions): Promise<void> {
  const page: ListInboxReply = await run.client().email.inbox({ address, limit, q, ...(unread ? { unread } : {}) });
  const rows = page.messages.map(({ message_id, received_at, from, subject, read }) => [
    ...[read ? ' ' : '*', message_id, received_at, printable(from), printable(subject)],
  ]);
  say(run.output(), page, rows.length > 0 ? table(rows) : 'no mail');
}

function messageText(message: GetMessageReply): string {
  const { from, to, subject, received_at, body, attachments, links } = message;
  const head = [
    ['From', from],
    ['To', to],
    ['Subject', subject],
    ['Received', received_at],
    ...attachments.map(({ filename }) => ['Attachment', filename ?? '']),
    ...(message.code?.code ? [['Code', message.code.code]] : []),
    ...(links ?? []).map(({ url }) => ['Link', url]),
  ].map(([name = '', value = '']) => `${name}: ${printable(value)}`);
  return `${head.join('\n')}\n\n${printableLines(body).trimEnd()}`;
}

function saySent(run: AgentRun, sent: Pick<SendEmailReply, 'status' | 'id' | 'from' | 'to'>): void {
  const { status, id, from, to } = sent;
  say(run.output(), sent, printable(`${status}  ${id}  ${from} to ${to.join(', ')}`));
  if (status === 'failed') run.exitCode = EXIT.refused;
}

interface SendOptions {
  to: string[];
  subject: string;
  text?: string;
  html?: string;
  from?: string;
  attach?: string[];
  idempotencyKey?: string;
}

const keyed = (idempotencyKey: string | undefined) => (idempotencyKey === undefined ? {} : { idempotencyKey });

async function send(run: AgentRun, options: SendOptions): Promise<void> {
  const { attach = [], text, idempotencyKey, ...fields } = options;
  const attachments = attach.map((path) => ({ filename: basename(path), content: toBase64(readFileSync(path)) }));
  const input = {
    ...fields,
    text: await textOrInput(run, text),
    ...(attachments.length > 0 ? { attachments } : {}),
  };
  saySent(run, await run.client().email.send(input, keyed(idempotencyKey)));
}

interface ReplyOptions {
  text: string;
  address?: string;
  idempotencyKey?: string;
}

async function reply(run: AgentRun, id: string, { text, address, idempotencyKey }: ReplyOptions): Promise<void> {
  const { email } = run.client();
  const said = (await textOrInput(run, text)) ?? '';
  saySent(run, await email.reply({ id, text: said, address }, keyed(idempotencyKey)));
}

interface WaitOptions extends CodeWait {
  code?: boolean;
}

const SECONDS = 120;
const SECONDS_A_CALL = 60;

async function wait(run: AgentRun, { code: wantsCode, seconds = SECONDS, ...filter }: WaitOptions): Promise<void> {
  const { email } = run.client();
  if (wantsCode) {
    const found = await email.waitForCode({ ...filter, seconds });
    if (found?.code === null) {
      run.exitCode = EXIT.fault;
      run.note(`several codes fit equally well: ${printable(found.candidates.join(', '))}`);
    }
    return answer(run, found, printable(found?.code ?? ''), 'code');
  }
  const call = { timeoutMs: (SECONDS_A_CALL + 15) * 1000 };
  const found = await email.wait({ ...filter, wait: Math.min(seconds, SECONDS_A_CALL) }, call);
  const { message } = found;
  // Of a message in quarantine only the id is told.
  const words = message && 'from' in message ? [printable(message.from), printable(message.subject)] : [];
  const line = message && table([[message.message_id, ...words]]);
  return answer(run, message && found, line ?? '', 'mail');
}

function answer(run: AgentRun, found: object | null, text: string, what: string): void {
  if (found === null) {
    run.exitCode = EXIT.fault;
    run.note(`no ${what} came in time`);
  }
  if (found !== null || run.output().json) say(run.output(), found, text);
}

/** `mail …`. */
export const addMailCommands: AddCommands = (program, run) => {
  const mail = program.command('mail').description('read, send and await mail').helpCommand(false);
  const address = ['--address <address>', 'one of yours; your only one unless told'] as const;
  mail
    .command('list')
    .description('list the newest mail; * marks unread mail')
    .option(...address)
    .option('--unread', 'only unread mail')
    .option('--search <words>', 'only mail with these words')
    .option('--limit <n>', 'at most this many, 20 unless told', parseCount)
    .action((options: ListOptions) => list(run, options));
  mail
    .command('read <id>')
    .description('show a message, and mark it read')
    .option(...address)
    .action(async (id: string, options: { address?: string }) => {
      const message = await run.client().email.read({ id, address: options.address });
      say(run.output(), message, messageText(message));
    });
  mail
    .command('send')
    .description('send a mail')
    .requiredOption('--to <address>', 'the recipient; repeat it for several', collect)
    .requiredOption('--subject <text>')
    .option('--text <text>', 'the text; - reads it from stdin')
    .option('--html <html>')
    .option('--from <address>', 'one of yours; your only one unless told')
    .option('--attach <file>', 'a file; repeat it for several', collect)
    .option('--idempotency-key <key>', 'repeat the command with the same key: it sends once')
    .addHelpText('after', '\nExample: signet mail send --to ada@example.com --subject Hello --text "Hello, Ada."')
    .action((options: SendOptions) => send(run, options));
  mail
    .command('reply <id>')
    .description('answer a message, in its conversation')
    .requiredOption('--text <text>', 'the text; - reads it from stdin')
    .option(...address)
    .option('--idempotency-key <key>', 'repeat the command with the same key: it sends once')
    .action((id: string, options: ReplyOptions) => reply(run, id, options));
  mail
    .command('wait')
    .description('wait for the next mail; exit code 1 when none came')
    .option('--code', 'wait for a one-time code and print it alone')
    .option(...address)
    .option('--from <sender>', 'an address or a domain')
    .option('--subject <words>', 'a part of the subject')
    .option('--after <time>', 'mail after this time or event counts, now unless told')
    .option('--seconds <n>', 'how long to wait: 120 unless told, without --code at most 60', parseCount)
    .addHelpText('after', '\nExample: CODE=$(signet mail wait --code --from example.com)')
    .action((options: WaitOptions) => wait(run, options));
};

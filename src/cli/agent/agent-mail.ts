import { Option } from 'commander';
import type { CodeWait } from '../../client/code-wait.ts';
import { printable, say, table } from '../output.ts';
import { EXIT } from './agent-failure.ts';
import { type AddCommands, type AgentRun, addExample, groupOf, parseCount, parseNumber } from './agent-run.ts';
import { usage } from './table/operation-fields.ts';
import { sayBytes } from './table/table-command.ts';

interface AttachmentOptions {
  address?: string;
  folder?: 'trash';
  output?: string;
}

/** A name from a mail as the name of a file here: it cannot choose the folder, hide, or control a terminal. */
const fileNameOf = (name: string | null, n: number): string =>
  printable(name ?? '')
    .replace(/^.*[/\\]/, '')
    .replace(/^\.+/, '') || `attachment-${n}`;

async function attachment(run: AgentRun, id: string, n: number | undefined, options: AttachmentOptions): Promise<void> {
  const { output, ...place } = options;
  const { email } = run.client();
  const { attachments } = await email.read({ id, ...place });
  if (n === undefined && attachments.length !== 1)
    throw usage(
      attachments.length === 0
        ? 'this message has no attachments'
        : `this message has ${attachments.length} attachments: name one by its number, 0 to ${attachments.length - 1}`,
    );
  const number = n ?? 0;
  const bytes = await email.attachment({ id, n: number, ...place });
  sayBytes(run, bytes, output ?? fileNameOf(attachments[number]?.filename ?? null, number));
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

/** `mail wait`, `mail attachment`. */
export const addMailCommands: AddCommands = (program, run) => {
  const mail = groupOf(program, 'mail');
  const address = ['--address <address>', 'one of yours; your only one unless told'] as const;
  mail
    .command('attachment <id>')
    .description('save an attachment of a message to a new file')
    .argument('[n]', 'its number, from 0; needed when there are several', parseNumber)
    .option('--output <file>', 'the file, named like the attachment unless told; - writes to stdout')
    .option(...address)
    .addOption(new Option('--folder <folder>', 'where the message is, if it is in the trash').choices(['trash']))
    .action((id: string, n: number | undefined, options: AttachmentOptions) => attachment(run, id, n, options));
  const added = mail
    .command('wait')
    .description('wait for the next mail; exit code 1 when none came')
    .option('--code', 'wait for a one-time code and print it alone')
    .option(...address)
    .option('--from <sender>', 'an address or a domain')
    .option('--subject <words>', 'a part of the subject')
    .option('--after <time>', 'mail after this time or event counts, now unless told')
    .option('--seconds <n>', 'how long to wait: 120 unless told, without --code at most 60', parseCount)
    .action((options: WaitOptions) => wait(run, options));
  addExample(added, 'CODE=$(signet mail wait --code --from example.com)');
};

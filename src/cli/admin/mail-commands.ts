import type { Command } from 'commander';
import type { Database } from '../../api/transaction.ts';
import { iso } from '../../base/clock.ts';
import { keptRoleMails, readRoleMail, removeRoleMail } from '../../features/mail/outbox/postmaster-quota.ts';
import { bytesText, CommandError, type Output, printable, printableLines, say, table } from '../output.ts';
import { type AdminRun, readConfiguration, withDatabase } from './command-context.ts';
import type { Hop } from './mail-setup.ts';

/** Loaded with the first command that needs it: no other asks mail servers. */
export const mailSetup = () => import('./mail-setup.ts');

async function dns(output: Output, { zone, ip }: { zone?: boolean; ip: string[] }): Promise<void> {
  const { mailRecords } = await mailSetup();
  const { records, zoneFile } = await mailRecords(ip);
  if (zone) return say(output, { zone: zoneFile }, zoneFile);
  const rows = records.map(({ name, type, value, note }) => [
    type,
    name,
    note === undefined ? value : `${value}   (${note})`,
  ]);
  say(output, { records }, table([['TYPE', 'NAME', 'VALUE'], ...rows]));
}

async function sendTest(output: Output, address: string): Promise<void> {
  const { sendTestMail } = await mailSetup();
  const hops: Hop[] = [];
  const outcome = await sendTestMail(address, (hop) => {
    hops.push(hop);
    if (!output.json) output.write(`${hop.step.padEnd(8)}  ${printable(hop.text)}\n`);
  });
  if (output.json) say(output, { ...outcome, hops }, '');
  else output.write(`${outcome.status.padEnd(8)}  ${printable(outcome.detail)}\n`);
  if (outcome.status !== 'sent') throw new CommandError(1, `the test mail was not sent: ${printable(outcome.detail)}`);
}

const onDatabase = <T>(work: (database: Database) => Promise<T>): Promise<T> => withDatabase(readConfiguration(), work);

const noMail = (id: string): CommandError => new CommandError(1, `there is no mail ${printable(id)}`);

async function listKept(output: Output): Promise<void> {
  const mails = await onDatabase(keptRoleMails);
  const rows = mails.map(({ id, keptAt, recipient, envelopeFrom, sizeBytes, reason }) =>
    [id, iso(keptAt), recipient, envelopeFrom || '<>', bytesText(sizeBytes), reason].map(printable),
  );
  const text = rows.length === 0 ? 'none\n' : table([['ID', 'KEPT', 'TO', 'FROM', 'SIZE', 'WHY'], ...rows]);
  say(output, { mails: mails.map((mail) => ({ ...mail, keptAt: iso(mail.keptAt) })) }, text);
}

/** As it was received. A terminal gets nothing of a stranger's mail that could control it. */
async function readKept({ isTerminal, write }: Output, id: string): Promise<void> {
  const raw = await onDatabase((database) => readRoleMail(database, id));
  if (raw === null) throw noMail(id);
  const bytes = Buffer.from(raw);
  write(isTerminal ? printableLines(bytes.toString('utf8')) : bytes);
}

async function deleteKept(output: Output, id: string): Promise<void> {
  if (!(await onDatabase((database) => removeRoleMail(database, id)))) throw noMail(id);
  say(output, { deleted: id }, `deleted ${printable(id)}\n`);
}

const collect = (value: string, known: string[]): string[] => [...known, value];

/** Adds `dns`, `mail …` and `postmaster …` to the program. */
export function addMailCommands(program: Command, { output }: AdminRun): void {
  program
    .command('dns')
    .description('print the DNS records of the mail domain; makes the DKIM key if there is none')
    .option('--zone', 'print them as a zone file')
    .option('--ip <address>', 'a public address of this host; repeat it for several', collect, [])
    .action((options: { zone?: boolean; ip: string[] }) => dns(output(), options));
  const mail = program.command('mail').description('try mail out').helpCommand(false);
  mail
    .command('test')
    .description('send a test mail and show each step')
    .argument('<address>', 'who receives it')
    .action((address: string) => sendTest(output(), address));
  const postmaster = program
    .command('postmaster')
    .description('read the mail to postmaster and abuse that was not forwarded')
    .helpCommand(false);
  postmaster
    .command('list')
    .description('list it, oldest first')
    .action(() => listKept(output()));
  postmaster
    .command('read')
    .description('print one mail as it was received')
    .argument('<id>', 'its id in the list')
    .action((id: string) => readKept(output(), id));
  postmaster
    .command('delete')
    .description('delete one mail')
    .argument('<id>', 'its id in the list')
    .action((id: string) => deleteKept(output(), id));
}

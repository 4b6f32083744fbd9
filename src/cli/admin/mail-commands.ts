import type { Command } from 'commander';
import { iso } from '../../base/clock.ts';
import { bytesText, type Output, printable, printableLines, say, table } from '../output.ts';
import { CommandError, type Ports } from '../ports.ts';

async function dns(ports: Ports, output: Output, { zone, ip }: { zone?: boolean; ip: string[] }): Promise<void> {
  const { records, zoneFile } = await ports.mail.records(ip);
  if (zone) return say(output, { zone: zoneFile }, zoneFile);
  const rows = records.map(({ name, type, value, note }) => [
    type,
    name,
    note === undefined ? value : `${value}   (${note})`,
  ]);
  say(output, { records }, table([['TYPE', 'NAME', 'VALUE'], ...rows]));
}

async function sendTest(ports: Ports, output: Output, address: string): Promise<void> {
  const hops: { step: string; text: string }[] = [];
  const outcome = await ports.mail.sendTest(address, (hop) => {
    hops.push(hop);
    if (!output.json) output.write(`${hop.step.padEnd(8)}  ${printable(hop.text)}\n`);
  });
  if (output.json) say(output, { ...outcome, hops }, '');
  else output.write(`${outcome.status.padEnd(8)}  ${printable(outcome.detail)}\n`);
  if (outcome.status !== 'sent') throw new CommandError(1, `the test mail was not sent: ${printable(outcome.detail)}`);
}

async function listKept(ports: Ports, output: Output): Promise<void> {
  const mails = await ports.mail.listKept();
  const rows = mails.map(({ id, keptAt, recipient, envelopeFrom, sizeBytes, reason }) =>
    [id, iso(keptAt), recipient, envelopeFrom || '<>', bytesText(sizeBytes), reason].map(printable),
  );
  const text = rows.length === 0 ? 'none\n' : table([['ID', 'KEPT', 'TO', 'FROM', 'SIZE', 'WHY'], ...rows]);
  say(output, { mails: mails.map((mail) => ({ ...mail, keptAt: iso(mail.keptAt) })) }, text);
}

/** As it was received. A terminal gets nothing of a stranger's mail that could control it. */
async function readKept(ports: Ports, { isTerminal, write }: Output, id: string): Promise<void> {
  const raw = Buffer.from(await ports.mail.readKept(id));
  write(isTerminal ? printableLines(raw.toString('utf8')) : raw);
}

const collect = (value: string, known: string[]): string[] => [...known, value];

/** Adds `dns`, `mail …` and `postmaster …` to the program. */
export function addMailCommands(program: Command, ports: Ports, output: () => Output): void {
  program
    .command('dns')
    .description('print the DNS records of the mail domain; makes the DKIM key if there is none')
    .option('--zone', 'print them as a zone file')
    .option('--ip <address>', 'a public address of this host; repeat it for several', collect, [])
    .action((options: { zone?: boolean; ip: string[] }) => dns(ports, output(), options));
  const mail = program.command('mail').description('try mail out').helpCommand(false);
  mail
    .command('test')
    .description('send a test mail and show each step')
    .argument('<address>', 'who receives it')
    .action((address: string) => sendTest(ports, output(), address));
  const postmaster = program
    .command('postmaster')
    .description('read the mail to postmaster and abuse that was not forwarded')
    .helpCommand(false);
  postmaster
    .command('list')
    .description('list it, oldest first')
    .action(() => listKept(ports, output()));
  postmaster
    .command('read')
    .description('print one mail as it was received')
    .argument('<id>', 'its id in the list')
    .action((id: string) => readKept(ports, output(), id));
  postmaster
    .command('delete')
    .description('delete one mail')
    .argument('<id>', 'its id in the list')
    .action(async (id: string) => {
      await ports.mail.deleteKept(id);
      say(output(), { deleted: id }, `deleted ${printable(id)}\n`);
    });
}

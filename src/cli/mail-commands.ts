import type { Command } from 'commander';
import { type Output, printable, say, table } from './output.ts';
import { CommandError, type Ports } from './ports.ts';

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

const collect = (value: string, known: string[]): string[] => [...known, value];

/** Adds `dns` and `mail …` to the program. */
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
}

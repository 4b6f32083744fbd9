import { Option } from 'commander';
import { printable, say } from '../output.ts';
import { type AddCommands, type AgentRun, addExample, parseCount } from './agent-run.ts';
import { usage } from './table/operation-fields.ts';

interface EventOptions {
  follow?: boolean;
  after?: string;
  before?: string;
  order?: 'asc' | 'desc';
  type?: string;
  limit?: number;
  all?: boolean;
}

interface EventLine {
  id: string;
  type: string;
  created_at: string;
  data: unknown;
}

const PAGE_MAX = 200;

const eventText = ({ created_at, type, id, data }: EventLine): string =>
  printable(`${created_at}  ${type}  ${id}  ${JSON.stringify(data)}`);

/** Newest first. Who names an event to go on from gets what followed it, in order. */
async function list(run: AgentRun, { after, before, order, type, limit, all }: EventOptions): Promise<void> {
  const client = run.client();
  const isNewestFirst = order === undefined ? after === undefined : order === 'desc';
  const most = limit ?? (all ? Infinity : undefined);
  const found: EventLine[] = [];
  let at = isNewestFirst ? before : after;
  for (;;) {
    const place = isNewestFirst ? { before: at, after } : { after: at, before };
    const size = most === undefined ? undefined : Math.min(PAGE_MAX, most - found.length);
    const page = await client.listEvents({ ...place, type, order: isNewestFirst ? 'desc' : 'asc', limit: size });
    found.push(...page.events);
    const isOver = most === undefined || found.length >= most || !page.has_more;
    at = page.next_cursor ?? undefined;
    if (!isOver && at !== undefined) continue;
    const reply = { ...page, events: found, count: found.length };
    return say(run.output(), reply, found.map(eventText).join('\n') || 'none');
  }
}

async function follow(run: AgentRun, { after, type }: EventOptions): Promise<void> {
  const types = type?.split(',');
  for await (const event of run.client().events(after === undefined ? {} : { after }))
    if (!types || types.includes(event.type))
      run.output().write(`${run.output().json ? JSON.stringify(event) : eventText(event)}\n`);
}

/** `events`. */
export const addEventCommands: AddCommands = (program, run) => {
  const events = program
    .command('events')
    .description('show what happened to the account, newest first')
    .option('--follow', 'go on with events as they happen; with --json, one a line')
    .option('--after <id>', 'events after this one, oldest first')
    .option('--before <id>', 'events before this one')
    .addOption(new Option('--order <order>', 'oldest or newest first').choices(['asc', 'desc']))
    .option('--type <types>', 'only these, separated by commas')
    .option('--limit <n>', 'at most this many', parseCount)
    .option('--all', 'all of them, from as many calls as it takes')
    .action((options: EventOptions) => {
      const { before, order, limit, all } = options;
      if (!options.follow) return list(run, options);
      if (before ?? order ?? limit ?? all) throw usage('--follow goes only with --after and --type');
      return follow(run, options);
    });
  addExample(events, 'signet events --follow --type email.received');
};

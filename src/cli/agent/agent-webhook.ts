import { InvalidArgumentError } from 'commander';
import { systemNow } from '../../client/client-clock.ts';
import { printable } from '../output.ts';
import { EXIT } from './agent-failure.ts';
import { type AddCommands, type AgentRun, addExample, collect, groupOf, parseCount } from './agent-run.ts';
import { newWebhookSecret } from './table/command-table.ts';
import { type Forwarded, forward } from './table/webhook-forward.ts';

interface ListenOptions {
  forward: string;
  event?: string[];
  after?: string;
  secret?: string;
  limit?: number;
}

function parseUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new InvalidArgumentError('It must be an http or https URL.');
}

/** Ends with the signal of the terminal. */
function untilStopped(): AbortSignal {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  return stop.signal;
}

function report(run: AgentRun, event: { id: string; type: string }, { status, isAccepted, attempts }: Forwarded): void {
  const { id, type } = event;
  const said = status === null ? 'no reply' : String(status);
  run
    .output()
    .write(
      run.output().json
        ? `${JSON.stringify({ id, type, status, accepted: isAccepted, attempts })}\n`
        : `${isAccepted ? 'ok    ' : 'failed'}  ${said}  ${printable(type)}  ${printable(id)}\n`,
    );
}

/** Brings the events of the account to a program on this machine, each after the one before it. */
async function listen(run: AgentRun, options: ListenOptions): Promise<void> {
  const { forward: url, event: types, after, limit, secret = newWebhookSecret() } = options;
  const client = run.client();
  const signal = untilStopped();
  const { json } = run.output();
  if (options.secret === undefined)
    run.output().write(json ? `${JSON.stringify({ secret })}\n` : `the secret of the signatures: ${secret}\n`);
  let last = after;
  let count = 0;
  const onConnect = (): void => {
    if (!json) run.note(`connected; events go to ${printable(url)}`);
  };
  for await (const event of client.events({ signal, onConnect, ...(after === undefined ? {} : { after }) })) {
    if (types && !types.includes(event.type)) continue;
    const forwarded = await forward({ url, secret, now: systemNow, signal }, event);
    if (!forwarded.isAccepted && signal.aborted) break;
    report(run, event, forwarded);
    if (!forwarded.isAccepted) run.exitCode = EXIT.partly;
    last = event.id;
    count += 1;
    if (count === limit) break;
  }
  if (last !== undefined && !json) run.note(`to go on from here: --after ${printable(last)}`);
}

/** `webhook listen`. */
export const addWebhookCommands: AddCommands = (program, run) => {
  const added = groupOf(program, 'webhook')
    .command('listen')
    .description('bring events to a program on this machine, signed like a webhook; exit code 7 when it refused one')
    .requiredOption('--forward <url>', 'where the program listens', parseUrl)
    .option('--event <type>', 'only this type; repeat it for several', collect)
    .option('--after <id>', 'also the events after this one, instead of new ones only')
    .option('--secret <secret>', 'signs the events; without it a new one, which is printed')
    .option('--limit <n>', 'end after this many events', parseCount)
    .action((options: ListenOptions) => listen(run, options));
  addExample(added, 'signet webhook listen --forward http://127.0.0.1:3000/hook --event email.received');
};

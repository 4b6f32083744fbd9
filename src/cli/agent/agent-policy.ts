import { Argument } from 'commander';
import { say } from '../output.ts';
import { type AddCommands, addExample, addWriteOptions, groupOf } from './agent-run.ts';
import { callOptionsOf } from './table/agent-perform.ts';
import { waysText } from './table/command-table.ts';

const WAYS = ['webhook', 'feed', 'share', 'publish', 'delegate', 'grant', 'invite', 'fetch', 'token'];
const RULES = ['open', 'list', 'operator', 'off', 'default'];

/** `policy set`. */
export const addPolicyCommands: AddCommands = (program, run) => {
  const set = addWriteOptions(groupOf(program, 'policy').command('set'))
    .description('set what may leave by one way')
    .addArgument(new Argument('<way>').choices(WAYS))
    .addArgument(new Argument('<rule>', 'default removes the rule').choices(RULES))
    .argument('[target...]', 'what list and operator let out: hosts, client ids, audiences or account ids')
    .action(async (way: string, rule: 'open' | 'default', allow: string[], options: { dryRun?: boolean }) => {
      const given = rule === 'default' ? null : { rule, ...(allow.length > 0 ? { allow } : {}) };
      const reply = await run.client().setAccountPolicy({ ways: { [way]: given } }, callOptionsOf(options));
      say(run.output(), reply, waysText(reply.ways));
    });
  addExample(set, 'signet policy set webhook list hooks.example.com');
};

import { Option } from 'commander';
import type { SignetClient } from '../../client/signet-client.ts';
import type { AddCommands } from './agent-run.ts';
import { McpBridge } from './mcp-bridge.ts';
import { MCP_GROUPS } from './operation-table.ts';

/** `mcp`. */
export const addMcpCommand: AddCommands = (program, run) => {
  program
    .command('mcp')
    .description('serve MCP on stdin and stdout; secrets are sealed on this machine')
    .addOption(new Option('--group <group>', 'only these tools').choices(MCP_GROUPS))
    .addHelpText(
      'after',
      '\nFor a host: {"mcpServers": {"signet": {"command": "sh", "args": ["/path/bin/signet", "mcp"]}}}',
    )
    .action(({ group }: { group?: string }) => {
      const { url, key } = run.session.credential();
      let client: Promise<SignetClient> | undefined;
      let made: string | null = null;
      const note = (path: string): void => {
        made = path;
        run.note(`made a seed: ${path}; keep a copy`);
      };
      const sealing = async (): Promise<{ client: SignetClient; madeSeed: string | null }> => {
        client ??= run.session.sealing(true, note).catch((err: unknown) => {
          client = undefined;
          throw err;
        });
        const ready = await client;
        const madeSeed = made;
        made = null;
        return { client: ready, madeSeed };
      };
      const path = group === undefined ? '/mcp' : `/mcp/x/${group}`;
      const write = (line: string): void => run.output().write(line);
      return new McpBridge({ input: run.input, write, url: url + path, key, sealing }).run();
    });
};

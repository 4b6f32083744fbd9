import type { SignetClient } from '../../client/signet-client.ts';
import type { AddCommands } from './agent-run.ts';
import { McpBridge } from './mcp-bridge.ts';

/** `mcp`. */
export const addMcpCommand: AddCommands = (program, run) => {
  program
    .command('mcp')
    .description('serve MCP on stdin and stdout; secrets are sealed on this machine')
    .option('--group <group>', 'only these tools: mail, vault, money, calendar, identity or events')
    .addHelpText(
      'after',
      '\nFor a host: {"mcpServers": {"signet": {"command": "sh", "args": ["/path/bin/signet", "mcp"]}}}',
    )
    .action(({ group }: { group?: string }) => {
      const { url, key } = run.session.credential();
      const made = (path: string): void => run.note(`made a seed: ${path}; keep a copy`);
      let client: Promise<SignetClient> | undefined;
      const sealing = (): Promise<SignetClient> => {
        client ??= run.session.sealing(true, made).catch((err: unknown) => {
          client = undefined;
          throw err;
        });
        return client;
      };
      const path = group === undefined ? '/mcp' : `/mcp/x/${encodeURIComponent(group)}`;
      const write = (line: string): void => run.output().write(line);
      return new McpBridge({ input: run.input, write, url: url + path, key, sealing }).run();
    });
};

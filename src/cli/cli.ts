import { ConfigError, processConfig } from '../config.ts';
import { serve } from './serve.ts';

export async function runCli(args: readonly string[]): Promise<number> {
  try {
    if (args[0] === 'serve' || args.length === 0) return await serve(processConfig());
  } catch (err) {
    if (!(err instanceof ConfigError)) throw err;
    process.stderr.write(`signet: ${err.message}\n`);
    return 2;
  }
  return 2;
}

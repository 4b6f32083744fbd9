import { by, type Prepare } from './sample.ts';

/** A message of the protocol, which needs a credential although the endpoint checks it itself. */
const message: Prepare = async (t) => ({
  ...by(await t.createAccount()),
  body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
});

export const mcpSamples: Record<string, Prepare> = { callMcp: message, callMcpGroup: message };

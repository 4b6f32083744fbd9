import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FacilitatorCall {
  path: 'verify' | 'settle';
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it was sent, and fails where it was not.
  body: any;
}

/** The reply to a call. `reset` cuts the connection, `hang` never replies. */
export type FacilitatorAnswer = { status?: number; body: unknown } | 'reset' | 'hang';

export interface TestFacilitator {
  url: string;
  calls: FacilitatorCall[];
  /** Sets the reply from now on. */
  readonly answer: { verify: Answer; settle: Answer; rpc: Rpc };
  close(): Promise<void>;
}

/** The node of the chain, at the path `rpc`: the result of a method. */
type Rpc = (method: string, params: unknown[]) => unknown;

type Answer = (call: FacilitatorCall) => FacilitatorAnswer | Promise<FacilitatorAnswer>;

async function readCall(request: IncomingMessage): Promise<{ path: string; body: FacilitatorCall['body'] }> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return { path: (request.url ?? '').slice('/x402/'.length), body: JSON.parse(Buffer.concat(chunks).toString()) };
}

function send(response: ServerResponse, answer: FacilitatorAnswer): void {
  if (answer === 'hang') return;
  if (answer === 'reset') response.socket?.destroy();
  else {
    const { status = 200, body } = answer;
    const headers = { 'content-type': 'application/json', ...(status === 302 ? { location: '/x402/settle' } : {}) };
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  }
}

/** A facilitator on loopback. By default it accepts and settles every payment. */
export async function startFacilitator(): Promise<TestFacilitator> {
  const calls: FacilitatorCall[] = [];
  const answer: TestFacilitator['answer'] = {
    verify: () => ({ body: { isValid: true } }),
    settle: () => ({ body: { success: true, transaction: '0xabc', network: 'base' } }),
    rpc: () => null,
  };
  const server = createServer((request, response) => {
    void readCall(request).then(async ({ path, body }) => {
      if (path === 'rpc') return send(response, { body: { result: answer.rpc(body.method, body.params) } });
      const call = { path: path === 'verify' ? 'verify' : 'settle', body } as const;
      calls.push(call);
      send(response, await answer[call.path](call));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/x402/`,
    calls,
    answer,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

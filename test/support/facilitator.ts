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
  readonly answer: { verify: Answer; settle: Answer };
  close(): Promise<void>;
}

type Answer = (call: FacilitatorCall) => FacilitatorAnswer | Promise<FacilitatorAnswer>;

async function readCall(request: IncomingMessage): Promise<FacilitatorCall> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const path = request.url === '/x402/verify' ? 'verify' : 'settle';
  return { path, body: JSON.parse(Buffer.concat(chunks).toString()) };
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
  };
  const server = createServer((request, response) => {
    void readCall(request).then(async (call) => {
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

import { createApi, type TestApp } from './harness.ts';

/** A client of `/mcp` that speaks the modern era by hand. */

export const MODERN = '2026-07-28';

export interface RpcAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever a reply holds, and fails where it does not.
  body: any;
  text: string;
}

export interface McpClient {
  /** Sends one request. */
  request(method: string, params?: Record<string, unknown>, headers?: Record<string, string>): Promise<RpcAnswer>;
  /** Calls a tool. @returns its result, which is JSON in its first text; `isError` says whether it refused */
  tool(
    name: string,
    args?: Record<string, unknown>,
    more?: Record<string, unknown>,
    // biome-ignore lint/suspicious/noExplicitAny: as above.
  ): Promise<{ isError: boolean; data: any; result: any; answer: RpcAnswer }>;
  /** The names of the tools on offer. */
  names(): Promise<string[]>;
}

/** A fence as it stands in the text of a result. */
const FENCE = /<<<untrusted ([0-9a-f]{32})>>>[\s\S]*?<<<end \1>>>/g;

/** What of a result a model may believe: all but what stands in fences. */
export const outsideFences = (text: string): string => text.replaceAll(FENCE, '');

/** The fields in a fence, by their paths. */
export function wordsOf({ untrusted = '' }: { untrusted?: string }): Record<string, string> {
  const words: Record<string, string> = {};
  let path = '';
  for (const line of untrusted.split('\n').slice(1, -1)) {
    const field = /^([\w.-]+): (.*)$/.exec(line);
    if (field) {
      path = field[1] as string;
      words[path] = field[2] as string;
    } else words[path] += `\n${line.slice(1)}`;
  }
  return words;
}

let ids = 0;

/** @param capabilities what the client says that it can do */
export function mcpClient(
  t: Pick<TestApp, 'baseUrl'>,
  key: string | undefined,
  { path = '/mcp', capabilities = {} }: { path?: string; capabilities?: Record<string, unknown> } = {},
): McpClient {
  const api = createApi(t.baseUrl, key);
  const request: McpClient['request'] = (method, params = {}, headers = {}) => {
    const name = params.name ?? params.uri;
    const meta = {
      'io.modelcontextprotocol/protocolVersion': MODERN,
      'io.modelcontextprotocol/clientCapabilities': capabilities,
    };
    return api.post(
      path,
      { jsonrpc: '2.0', id: ++ids, method, params: { ...params, _meta: meta } },
      {
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': MODERN,
        'mcp-method': method,
        ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
        ...headers,
      },
    );
  };
  const tool: McpClient['tool'] = async (name, args = {}, more = {}) => {
    const answer = await request('tools/call', { name, arguments: args, ...more });
    const result = answer.body.result;
    const [first] = result?.content ?? [];
    const data = first?.type === 'text' ? JSON.parse(first.text) : undefined;
    return { isError: result?.isError === true, data, result, answer };
  };
  const names = async (): Promise<string[]> => {
    const { body } = await request('tools/list');
    return body.result.tools.map((one: { name: string }) => one.name);
  };
  return { request, tool, names };
}

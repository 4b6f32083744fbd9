import type { Endpoint } from '../../src/api/endpoint.ts';
import type { Tool } from '../../src/api/tool.ts';
import type { TestApp } from '../support/harness.ts';
import { sampleOf } from './sample-requests.ts';

export interface ToolSample {
  key: string | undefined;
  args: Record<string, unknown>;
}

/** The arguments of a path: `/v1/vault/db` of `/v1/vault/{key}` has `key: 'db'`. */
function pathArguments(pattern: string, path: string): Record<string, string> {
  const names = [...pattern.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  const values = new RegExp(`^${pattern.replace(/\{\w+\}/g, '([^/]+)')}$`).exec(path)?.slice(1) ?? [];
  return Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(values[i] ?? '')]));
}

/** A call of a tool that succeeds: the sample of its endpoint, without what the tool does not take. */
export async function toolSample(t: TestApp, endpoint: Endpoint, tool: Tool): Promise<ToolSample> {
  const { key, path, body } = await sampleOf(endpoint, t);
  const [place = '', query = ''] = path.split('?');
  const all: Record<string, unknown> = {
    ...pathArguments(endpoint.path, place),
    ...Object.fromEntries(new URLSearchParams(query)),
    ...(body as object | undefined),
  };
  const needed = (tool.needs ?? []).filter((name) => !(name in all)).map((name) => [name, 'sample']);
  // The endpoint claims an address that is free, and its tool does not.
  if (tool.ownAddress === 'address' && key) await t.api(key).get(`/v1/email/inbox?address=${all.address}`);
  const isWaiting = tool.takes.includes('wait') || tool.awaits !== undefined;
  // Over HTTP other values are stored too, with a warning.
  if ('ciphertext' in all) all.ciphertext = '9f'.repeat(28);
  const given = Object.entries(all).filter(([name]) => tool.takes.includes(name) && name !== 'wait');
  return {
    key: key ?? undefined,
    args: { ...Object.fromEntries([...given, ...needed]), ...(isWaiting ? { wait: 1 } : {}) },
  };
}

/** Every tool with its endpoint, in the order of the table. */
export const toolsOf = (t: TestApp): { endpoint: Endpoint; tool: Tool }[] =>
  t.app.endpoints.flatMap((endpoint) => (endpoint.tools ?? []).map((tool) => ({ endpoint, tool })));

import type { Endpoint } from '../src/kernel/endpoint.ts';
import { startTestApp } from '../test/harness.ts';

/** Every endpoint of the service, in the order of the table. */
export async function listEndpoints(): Promise<readonly Endpoint[]> {
  const t = await startTestApp('sqlite');
  const { endpoints } = t.app;
  await t.stop();
  return endpoints;
}

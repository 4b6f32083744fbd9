import assert from 'node:assert/strict';
import type { TestAgent } from './agents.ts';

/** What jobs did to an account, newest first: the resource and the count of each entry of its audit log. */
export async function deletionsIn(
  { api }: Pick<TestAgent, 'api'>,
  action: string,
): Promise<[string | null, unknown][]> {
  const { entries } = (await api.get(`/v1/audit?action=${action}`)).body;
  return entries.map(({ actor, resource_id, count }: { actor: string; resource_id: string | null; count?: number }) => {
    assert.deepEqual(actor, { kind: 'service' });
    return [resource_id, count];
  });
}

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { newId } from '../../base/ids.ts';
import { createReturnPaths } from './return-path.ts';

const DOMAIN = 'agents.example';
const UPGRADE = Date.UTC(2026, 0, 14, 12);
const localOf = (address: string): string => address.split('@')[0] as string;

it('the key of earlier versions counts for mail that was sent before the upgrade only', () => {
  const earlier = createReturnPaths({ key: 'former', former: null }, DOMAIN);
  const present = createReturnPaths({ key: 'current', former: { key: 'former', until: UPGRADE } }, DOMAIN);
  const [before, after] = [newId('out', UPGRADE - 1), newId('out', UPGRADE + 1)];
  assert.deepEqual(present.read(localOf(earlier.of(before, 3)), UPGRADE + 2), { outboxId: before, recipient: 3 });
  assert.deepEqual(present.read(localOf(present.of(after, 31)), UPGRADE + 2), { outboxId: after, recipient: 31 });
  assert.deepEqual(present.read(localOf(earlier.of(after, 0)), UPGRADE + 2), null);
  assert.deepEqual(present.read(localOf(earlier.of(before, 3)), UPGRADE + 15 * 86_400_000), null);
});

import assert from 'node:assert/strict';
import { beforeEach, describe, it, mock } from 'node:test';
import { getPolicy } from 'mailauth/lib/mta-sts.js';
import { DAY_MS, HOUR_MS } from '../../base/period.ts';
import { type PolicyMemory, policyCaches, type StsPolicy } from './sts-policies.ts';

const DOMAIN = 'shop.example';
const START = Date.parse('2026-03-01T00:00:00Z');

/** Of the TXT record, which can be read while the policy host gives no answer. */
let id: string;
let fetches: number;
let stored: { policy: StsPolicy; isOld: boolean } | null;
let kept: StsPolicy[];

const memory: PolicyMemory = {
  find: async () => stored,
  keep: async (_domain, policy) => void kept.push(policy),
};

const resolver = async (_name: string, type: string): Promise<string[][]> => {
  if (type === 'TXT' && id !== '') return [['v=spf1 -all'], ['v=STSv1; ', `id=${id};`]];
  if (type === 'A') fetches += 1;
  throw Object.assign(new Error('no answer'), { code: 'ETIMEOUT' });
};

const policyOf = (mode: StsPolicy['mode']): StsPolicy => ({
  id: 'one',
  version: 'STSv1',
  mode,
  mx: ['mx.shop.example'],
  maxAge: 604_800,
  expires: new Date(START + 7 * DAY_MS).toISOString(),
});

let caches: ReturnType<typeof policyCaches>;

/** What a delivery applies, as mx-connect asks for it. */
async function deliver(): Promise<string | undefined> {
  const { cache, onText } = caches();
  const known = (await cache?.get(DOMAIN)) as StsPolicy | false;
  const watched = async (name: string, type: string): Promise<string[][]> => {
    const records = await resolver(name, type);
    if (type === 'TXT') onText(name, records);
    return records;
  };
  const { policy } = await getPolicy(DOMAIN, known || null, { resolver: watched });
  await cache?.set(DOMAIN, policy);
  return policy.mode;
}

describe('what is known of a policy', () => {
  beforeEach(() => {
    mock.timers.reset();
    mock.timers.enable({ apis: ['Date'], now: START });
    [id, fetches, stored, kept] = ['one', 0, null, []];
    caches = policyCaches(memory);
  });

  it('a policy that cannot be fetched is tried once an hour', async () => {
    for (let n = 0; n < 3; n += 1) assert.equal(await deliver(), 'none');
    assert.equal(fetches, 1);
    mock.timers.tick(HOUR_MS - 1);
    await deliver();
    assert.equal(fetches, 1, 'the hour does not begin anew');
    mock.timers.tick(1);
    for (let n = 0; n < 3; n += 1) await deliver();
    assert.equal(fetches, 2);
    id = 'two';
    for (let n = 0; n < 3; n += 1) await deliver();
    assert.equal(fetches, 3, 'a new version at once');
    assert.deepEqual(kept, []);
  });

  for (const mode of ['enforce', 'none'] as const)
    it(`an old policy (${mode}) that cannot be fetched again stays in force, and is tried once an hour`, async () => {
      stored = { policy: policyOf(mode), isOld: true };
      for (let n = 0; n < 3; n += 1) assert.equal(await deliver(), mode);
      mock.timers.tick(HOUR_MS - 1);
      assert.equal(await deliver(), mode);
      assert.equal(fetches, 1);
      mock.timers.tick(1);
      for (let n = 0; n < 3; n += 1) assert.equal(await deliver(), mode);
      assert.equal(fetches, 2);
      assert.deepEqual(kept, []);
    });

  it('a valid policy whose successor cannot be fetched stays in force, and the successor is tried once an hour', async () => {
    stored = { policy: policyOf('enforce'), isOld: false };
    assert.equal(await deliver(), 'enforce');
    assert.equal(fetches, 0);
    id = 'two';
    for (let n = 0; n < 3; n += 1) assert.equal(await deliver(), 'enforce');
    assert.equal(fetches, 1);
    // The record cannot be read for a while.
    id = '';
    assert.equal(await deliver(), 'enforce');
    id = 'two';
    assert.equal(await deliver(), 'enforce');
    assert.equal(fetches, 1);
    id = 'three';
    for (let n = 0; n < 3; n += 1) assert.equal(await deliver(), 'enforce');
    assert.equal(fetches, 2, 'another version at once');
    mock.timers.tick(HOUR_MS);
    for (let n = 0; n < 3; n += 1) await deliver();
    assert.equal(fetches, 3);
    assert.deepEqual(kept, [], 'the id of a policy that was not fetched is not stored');
  });

  it('a policy that another instance has fetched counts at once', async () => {
    assert.equal(await deliver(), 'none');
    stored = { policy: policyOf('enforce'), isOld: false };
    assert.equal(await deliver(), 'enforce');
    assert.equal(fetches, 1);
  });
});

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { it } from 'node:test';
import { createAgent, type TestAgent } from '../../../../test/support/agents.ts';
import { sessionOf } from '../../../../test/support/confirmed.ts';
import { onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { DAY_MS, HOUR_MS } from '../../../base/period.ts';

const KEY = '/v1/e2e/key';
const publicKey = (): string => (generateKeyPairSync('x25519').publicKey.export({ format: 'jwk' }) as { x: string }).x;

const keyOf = async (t: TestApp, { address }: TestAgent) =>
  (await t.sql('select public_key from addresses where address = ?', address))[0]?.public_key ?? null;
const claim = ({ api, address }: TestAgent, key: string) => api.post('/v1/email/claim', { address, public_key: key });
const rotate = ({ api }: TestAgent, seed: string, key: string) =>
  api.post('/v1/e2e/rotate-key', { master_seed: seed, new_public_key: key });

onEngines('any', 'the key that encrypts mail', {}, (suite) => {
  it('M11: a claim with a public key does not walk around the master seed', async () => {
    const { t } = suite;
    const owner = await createAgent(t);
    const mine = publicKey();
    assert.equal((await rotate(owner, 'mine', mine)).status, 200);
    const refused = await claim(owner, publicKey());
    assert.deepEqual([refused.status, refused.body.error], [403, 'seed_mismatch']);
    assert.equal(await keyOf(t, owner), mine);
    assert.equal((await claim(owner, mine)).status, 201);
    const next = publicKey();
    assert.equal((await rotate(owner, 'mine', next)).status, 200);
    assert.equal(await keyOf(t, owner), next);
  });

  it('an old key of one address is replaced neither by a claim nor by the first call with a seed', async () => {
    const { t } = suite;
    const mine = publicKey();
    const owner = await createAgent(t, { public_key: mine });
    t.clock.advance(HOUR_MS);
    const refused = await claim(owner, publicKey());
    assert.deepEqual([refused.status, refused.body.error], [403, 'older_factor_required']);
    const [first, second] = [publicKey(), publicKey()];
    assert.equal((await rotate(owner, 'thief', first)).status, 200);
    assert.equal((await rotate(owner, 'thief', second)).status, 200);
    assert.equal(await keyOf(t, owner), mine);
    const { notices } = (await owner.api.get('/v1/account/notices')).body;
    assert.deepEqual(
      notices.map(({ what, target }: { what: string; target: string }) => [what, target]),
      [['e2e_key', mine]],
    );
    // An owner who looks within the week takes it all back.
    const { api_key } = (await owner.api.post('/v1/account/secure')).body;
    t.clock.advance(8 * DAY_MS);
    await t.app.worker.runDue();
    assert.equal(await keyOf(t, owner), mine);
    assert.equal(
      (await t.api(api_key).post('/v1/email/claim', { address: `late-${t.engine}` })).body.e2e_enabled,
      false,
    );
  });

  it('gives the address to the new key at the end of the notice when nobody objects', async () => {
    const { t } = suite;
    const owner = await createAgent(t, { public_key: publicKey() });
    t.clock.advance(HOUR_MS);
    const next = publicKey();
    await rotate(owner, 'mine', next);
    t.clock.advance(7 * DAY_MS);
    await t.app.worker.runDue();
    assert.equal(await keyOf(t, owner), next);
  });

  it('DELETE ends a young key at once, and mail is stored readable again', async () => {
    const { t } = suite;
    const owner = await createAgent(t);
    t.clock.advance(HOUR_MS);
    assert.equal((await owner.api.delete(KEY)).status, 404);
    await rotate(owner, 'thief', publicKey());
    assert.deepEqual((await owner.api.delete(KEY)).body, {
      status: 'ended',
      ends_at: new Date(t.clock.now()).toISOString(),
    });
    await t.sendSmtp({ to: owner.address, subject: 'plain', text: 'readable' });
    const [entry] = (await owner.api.get(`/v1/email/inbox?address=${owner.address}`)).body.messages;
    const path = `/v1/email/messages/${entry.message_id}?address=${owner.address}`;
    assert.equal((await owner.api.get(path)).body.body.trim(), 'readable');
    assert.equal((await rotate(owner, 'mine', publicKey())).body.first_setup, true);
  });

  it('DELETE of an old key takes 7 days; a session of an older address ends it at once', async () => {
    const { t } = suite;
    const owner = await createAgent(t);
    const mine = publicKey();
    await rotate(owner, 'mine', mine);
    t.clock.advance(10 * DAY_MS);
    const { body } = await owner.api.delete(KEY);
    assert.deepEqual(body, { status: 'scheduled', ends_at: new Date(t.clock.now() + 7 * DAY_MS).toISOString() });
    assert.equal(await keyOf(t, owner), mine);
    const { api: session } = await sessionOf(t, owner, 11 * DAY_MS);
    assert.equal((await session.delete(KEY)).body.status, 'ended');
    assert.equal(await keyOf(t, owner), null);
  });

  it('a key that was taken back is young again when the thief sets it again', async () => {
    const { t } = suite;
    const owner = await createAgent(t);
    t.clock.advance(HOUR_MS);
    const planted = publicKey();
    await rotate(owner, 'thief', planted);
    await owner.api.delete(KEY);
    t.clock.advance(20 * DAY_MS);
    await rotate(owner, 'thief', planted);
    assert.equal((await owner.api.delete(KEY)).body.status, 'ended');
  });
});

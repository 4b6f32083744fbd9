import assert from 'node:assert/strict';
import { it } from 'node:test';
import { onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { createInvite } from './invite.ts';

const DAY_MS = 86_400_000;
const SIGN_UPS: readonly [string, object][] = [
  ['/v1/auth/keys', {}],
  ['/v1/keys', {}],
  ['/v1/register', { name: 'Ada' }],
];

const invited = async (t: TestApp): Promise<string> =>
  (await t.app.database.transaction((tx) => createInvite(tx, t.clock.now()))).invite;

const accountsOf = async (t: TestApp): Promise<number> =>
  Number((await t.sql('select count(*) as n from accounts'))[0]?.n);

const OPTIONS = { env: { SIGNUP: 'invite' } };

onEngines('any', 'sign-up by invite', OPTIONS, (suite) => {
  for (const [path, body] of SIGN_UPS) {
    it(`POST ${path}: an invite admits one sign-up; none, a wrong and a used one are 403 invite_required`, async () => {
      const { t } = suite;
      const before = await accountsOf(t);
      const invite = await invited(t);
      for (const wrong of [{}, { invite: '' }, { invite: 'invite_nobody' }, { invite: `${invite}x` }]) {
        const refused = await t.api().post(path, { ...body, ...wrong });
        assert.deepEqual([refused.status, refused.body.error], [403, 'invite_required']);
      }
      assert.equal((await t.api().post(path, { ...body, invite })).status, 201);
      assert.equal((await t.api().post(path, { ...body, invite })).body.error, 'invite_required');
      assert.equal(await accountsOf(t), before + 1);
    });
  }

  it('an invite works for seven days and is stored only as a hash', async () => {
    const { t } = suite;
    const [late, early] = [await invited(t), await invited(t)];
    const rows = JSON.stringify(await t.sql('select * from invites'));
    for (const invite of [late, early]) assert.ok(!rows.includes(invite.slice('invite_'.length)));
    t.clock.advance(7 * DAY_MS - 1);
    assert.equal((await t.api().post('/v1/auth/keys', { invite: early })).status, 201);
    t.clock.advance(1);
    assert.equal((await t.api().post('/v1/auth/keys', { invite: late })).body.error, 'invite_required');
  });
});

onEngines('both', 'sign-up by invite: what the database decides', OPTIONS, (suite) => {
  it('16 sign-ups with one invite at once: exactly one account', async () => {
    const { t } = suite;
    const invite = await invited(t);
    const before = await accountsOf(t);
    const replies = await Promise.all(Array.from({ length: 16 }, () => t.api().post('/v1/auth/keys', { invite })));
    const statuses = replies.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [201, ...Array.from({ length: 15 }, () => 403)]);
    assert.equal(await accountsOf(t), before + 1);
  });

  it('a sign-up that is refused for another reason leaves the invite usable', async () => {
    const { t } = suite;
    const invite = await invited(t);
    const taken = { address: 'taken', invite: await invited(t) };
    assert.equal((await t.api().post('/v1/register', taken)).status, 201);
    const refused = await t.api().post('/v1/register', { address: 'taken', invite });
    assert.equal(refused.body.error, 'address_unavailable');
    assert.equal((await t.api().post('/v1/register', { address: 'free', invite })).status, 201);
  });
});

onEngines('any', 'closed sign-up', { env: { SIGNUP: 'closed' } }, (suite) => {
  it('403 signup_closed at every door, even with an invite; no account is created', async () => {
    const { t } = suite;
    const invite = await invited(t);
    for (const [path, body] of SIGN_UPS) {
      const refused = await t.api().post(path, { ...body, invite });
      assert.deepEqual([refused.status, refused.body.error], [403, 'signup_closed']);
    }
    assert.equal(await accountsOf(t), 0);
  });
});

onEngines('any', 'open sign-up', {}, (suite) => {
  it('does not read an invite, and does not use it up', async () => {
    const { t } = suite;
    const invite = await invited(t);
    for (const [path, body] of SIGN_UPS) assert.equal((await t.api().post(path, { ...body, invite })).status, 201);
    assert.equal((await t.sql('select * from invites')).length, 1);
  });
});

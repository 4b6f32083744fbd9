import assert from 'node:assert/strict';
import { it } from 'node:test';
import { asked } from '../../../../test/contract/samples/credentials.ts';
import { confirmationFor, confirmOperator, createAgent, mailsTo } from '../../../../test/support/agents.ts';
import { undoMailedLinks } from '../../../../test/support/former-links.ts';
import { type ApiReply, onEngines, type TestApp } from '../../../../test/support/harness.ts';
import { followLink, loginLinks, newPerson } from '../../../../test/support/operators.ts';
import { makePod } from '../../../../test/support/pods.ts';
import { freshEmail, leave, linkTo, verify } from '../../../../test/support/recovery.ts';
import { saidIn } from '../../../../test/support/refusal.ts';
import { DAY_MS } from '../../../base/period.ts';
import { hashSecret } from '../../../base/secret.ts';
import { forPostgres, forSqlite } from '../../../db/migration-sql.ts';
import { migration } from '../../../db/migrations/0089-mailed-links.ts';
import { purgeLinks } from './mailed-link.ts';

/** A link, and how the page that it leads to asks the service. */
interface Opening {
  kind: string;
  token: string;
  open(token: string): Promise<ApiReply>;
}

async function tokenFor(t: TestApp, email: string, page: string): Promise<string> {
  const mail = (await mailsTo(t, email)).findLast((text) => text.includes(`/${page}#`)) ?? '';
  const token = new RegExp(`/${page}#(?:id=\\w+&)?token=(\\w{32})`).exec(mail)?.[1];
  assert.ok(token, `a mail with a link to /${page}`);
  return token;
}

/** Gets a mail of each kind. */
async function oneOfEach(t: TestApp): Promise<Opening[]> {
  const api = t.api();
  const [email, newcomer, owner] = [newPerson(t), newPerson(t), freshEmail()];
  const agent = await createAgent(t);
  await confirmOperator(t, agent, email);
  const operator = t.api(await followLink(t, (await loginLinks(t, email))[0] as string));
  await operator.put('/v1/email/policy', { outbound: { hold: 'always' } });
  const held = await agent.api.post('/v1/email/send', {
    from: agent.address,
    to: 'a@example.com',
    subject: 's',
    text: 't',
  });
  await agent.api.put('/v1/budget', { daily: '2.00', on_limit: 'approve' });
  const charge = await agent.api.post('/v1/charge', { amount: '5.00', category: 'tools', description: 'd' });
  const named = await t.createAccount();
  await named.api.post('/v1/account/operator-email', { email: newcomer, authority: 'operator' });
  const { proof } = await asked(t);
  await leave(t, owner);
  const of =
    (path: string, more: object = {}) =>
    (token: string) =>
      api.post(path, { token, ...more });
  return [
    {
      kind: 'login',
      token: (await loginLinks(t, email))[0] as string,
      open: (token) => api.get(`/v1/auth/verify?token=${token}`),
    },
    { kind: 'confirmation', token: await confirmationFor(t, named.accountId, newcomer), open: of('/v1/people/view') },
    {
      kind: 'approval',
      token: await tokenFor(t, email, 'approve'),
      open: of(`/v1/approvals/${charge.body.approval_id}/view`),
    },
    {
      kind: 'review',
      token: await tokenFor(t, email, 'review'),
      open: of(`/v1/email/reviews/${held.body.review_id}/view`),
    },
    { kind: 'credential', token: proof.token, open: of('/v1/credentials/view', { user_code: proof.user_code }) },
    { kind: 'recovery', token: await linkTo(t, owner), open: (token) => verify(t, token) },
  ];
}

const rowsOf = async (t: TestApp): Promise<Record<string, unknown>[]> =>
  (await t.sql('select * from mailed_links order by kind, hash')).map((row) => ({
    ...row,
    // The engines write JSON with other spaces.
    detail: row.detail === null ? null : JSON.parse(String(row.detail)),
  }));

onEngines('both', 'a mailed link', { isolated: true }, (suite) => {
  it('opens what it was mailed for, and nothing that a link of another kind opens', async () => {
    const openings = await oneOfEach(suite.t);
    for (const { kind, open } of openings) {
      const unknown = await open('a'.repeat(32));
      for (const other of openings.filter((one) => one.kind !== kind)) {
        const refused = await open(other.token);
        assert.deepEqual(
          [refused.status, saidIn(refused)],
          [unknown.status, saidIn(unknown)],
          `${other.kind} at ${kind}`,
        );
      }
    }
    for (const { kind, token, open } of openings) assert.ok((await open(token)).status < 400, kind);
  });

  it('that 0.19 mailed opens the same after the upgrade', async () => {
    const { t } = suite;
    const openings = await oneOfEach(t);
    const place = { accountId: 'acc_1', key: 'a "quoted" key' };
    await t.sql(
      `insert into mailed_links (kind, hash, email, detail, expires_at) values ('recovery', ?, 'a@x', ?, 1)`,
      ...[hashSecret('rest'), JSON.stringify(place)],
    );
    const before = await rowsOf(t);
    assert.equal(new Set(before.map(({ kind }) => kind)).size, 6);
    await undoMailedLinks(t.engine, t.sql);
    // The first statement is about the instances, and this one runs.
    for (const statement of migration.statements.slice(1))
      await t.sql((t.engine === 'sqlite' ? forSqlite : forPostgres)(statement));
    assert.deepEqual(await rowsOf(t), before);
    for (const { kind, token, open } of openings) assert.ok((await open(token)).status < 400, kind);
  });

  it('for a credential goes with the account that asks, also where the operator of its platform got it', async () => {
    const { t } = suite;
    const platform = await t.createAccount();
    await confirmOperator(t, platform, newPerson(t));
    const pod = await makePod(t, platform);
    const request = (await pod.api.post('/v1/credentials/request', { description: 'A key.' })).body;
    await t.api().post('/v1/credentials/verify-email', { user_code: request.user_code });
    await t.outboxMails();
    const owners = async () =>
      (await t.sql('select account_id from mailed_links where subject = ?', request.request_id)).map(
        (row) => row.account_id,
      );
    assert.deepEqual(await owners(), [platform.accountId]);
    for (const { run } of t.app.provided.erasures)
      await t.app.database.transaction((tx) => run(tx, pod.accountId, 100));
    assert.deepEqual(await owners(), []);
  });

  it('is deleted after its end, of every kind', async () => {
    const { t } = suite;
    await oneOfEach(t);
    const purge = () => t.app.database.transaction((tx) => purgeLinks(tx, t.clock.now()));
    const kinds = async () => new Set((await rowsOf(t)).map(({ kind }) => kind)).size;
    await purge();
    assert.equal(await kinds(), 6);
    t.clock.advance(30 * DAY_MS);
    await purge();
    assert.equal(await kinds(), 0);
  });
});

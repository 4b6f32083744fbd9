import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createAgent, type TestAgent } from '../../../../../test/support/agents.ts';
import { onEngines, type TestApp } from '../../../../../test/support/harness.ts';
import { approveMail, createHeldAgent } from '../../../../../test/support/held-mail.ts';
import { Program, sendingKey, startTestSubmission } from '../../../../../test/support/submission.ts';
import { DAY_MS } from '../../../../base/period.ts';

const sentBy = async (t: TestApp, { accountId }: TestAgent): Promise<string[]> =>
  (await t.sql('select id from outbox where account_id = ? order by id', accountId)).map(({ id }) => id as string);

const BOB = ['bob@out.example'];

onEngines('both', 'a mail that a program hands over twice', {}, (suite) => {
  /** Programs of one agent, each with another connection. */
  async function programsOf(
    agent: TestAgent,
    many: number,
    work: (programs: Program[]) => Promise<void>,
  ): Promise<void> {
    const submission = await startTestSubmission(suite.t);
    const key = await sendingKey(agent);
    const programs: Program[] = [];
    try {
      for (let n = 0; n < many; n++) programs.push(await Program.open(submission.port, agent, key));
      await work(programs);
    } finally {
      for (const program of programs) program.close();
      await submission.close();
    }
  }

  it('is one mail for 24 hours, with the same answer, however its recipients are ordered', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    await programsOf(ada, 1, async ([program]) => {
      if (!program) return;
      const raw = program.letter({ 'Message-ID': '<one@laptop>' });
      const to = ['bob@out.example', 'carl@out.example'];
      const first = await program.send(to, raw);
      assert.match(first, /^250 2\.0\.0 Queued as out_/);
      assert.equal(await program.send(to.toReversed(), raw), first);
      t.clock.advance(DAY_MS - 1);
      assert.equal(await program.send(to, raw), first);
      assert.equal((await sentBy(t, ada)).length, 1);
      assert.equal((await ada.api.get('/v1/usage')).body.emails.daily_used <= 1, true);
      const { entries } = (await ada.api.get('/v1/audit?limit=100')).body;
      assert.equal(entries.filter(({ action }: { action: string }) => action === 'email.sent').length, 1);
      t.clock.advance(2);
      assert.notEqual(await program.send(to, raw), first);
      assert.equal((await sentBy(t, ada)).length, 2);
    });
  });

  it('other bytes, other recipients and another reverse path are another mail; without a Message-ID each is', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const second = await createAgent(t, {}, ada);
    await programsOf(ada, 1, async ([program]) => {
      if (!program) return;
      const raw = program.letter({ 'Message-ID': '<two@laptop>' });
      const answers = new Set([
        await program.send(BOB, raw),
        await program.send(BOB, `${raw}x\r\n`),
        await program.send(['carl@out.example'], raw),
        await program.send([...BOB, 'carl@out.example'], raw),
        await program.send(BOB, raw, second.address),
        await program.send(BOB, program.letter()),
        await program.send(BOB, program.letter()),
      ]);
      assert.equal(answers.size, 7);
      for (const answer of answers) assert.match(answer, /^250 /);
      assert.equal((await sentBy(t, ada)).length, 7);
    });
  });

  it('in parallel is one mail: all get the one answer', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    await programsOf(ada, 6, async (programs) => {
      const answers = await Promise.all(
        programs.map((program) => program.send(BOB, program.letter({ 'Message-ID': '<three@laptop>' }))),
      );
      const [id] = await sentBy(t, ada);
      assert.deepEqual([...new Set(answers)], [`250 2.0.0 Queued as ${id}`]);
      assert.equal((await sentBy(t, ada)).length, 1);
    });
  });

  it('that is held is held once, also in parallel and after its release', async () => {
    const { t } = suite;
    const ada = await createHeldAgent(t);
    await programsOf(ada, 3, async (programs) => {
      const send = (program: Program) => program.send(BOB, program.letter({ 'Message-ID': '<four@laptop>' }));
      const answers = new Set(await Promise.all(programs.map(send)));
      assert.equal(answers.size, 1);
      const [answer = ''] = answers;
      const id = /^250 2\.0\.0 Held for review (rev_\w+)$/.exec(answer)?.[1] as string;
      await approveMail(ada, id);
      assert.equal(await send(programs[0] as Program), answer);
      assert.equal((await sentBy(t, ada)).length, 1);
      assert.equal((await t.outboxMails()).filter((mail) => mail.includes('<four@laptop>')).length, 1);
    });
  });

  it('a refusal is not kept: the mail leaves once its cause is gone', async () => {
    const { t } = suite;
    const ada = await createAgent(t);
    const bob = await createAgent(t);
    await bob.api.put('/v1/email/policy', { inbound: { block: [ada.address] } });
    await programsOf(ada, 1, async ([program]) => {
      if (!program) return;
      const raw = program.letter({ 'Message-ID': '<five@laptop>' });
      assert.match(await program.send([bob.address], raw), /^550 5\.7\.1 /);
      await bob.api.put('/v1/email/policy', { inbound: { block: [] } });
      assert.match(await program.send([bob.address], raw), /^250 2\.0\.0 Queued as /);
      assert.equal((await sentBy(t, ada)).length, 1);
    });
  });

  it('of another account is its own', async () => {
    const { t } = suite;
    const [ada, eve] = [await createAgent(t), await createAgent(t)];
    const raw = `From: ${eve.address}\r\nMessage-ID: <six@laptop>\r\nSubject: x\r\n\r\nx\r\n`;
    await programsOf(eve, 1, async ([program]) => void assert.match((await program?.send(BOB, raw)) ?? '', /^250 /));
    await programsOf(
      ada,
      1,
      async ([program]) => void assert.match((await program?.send(BOB, raw)) ?? '', /^550 5\.7\.1 /),
    );
    assert.deepEqual(await sentBy(t, ada), []);
  });
});

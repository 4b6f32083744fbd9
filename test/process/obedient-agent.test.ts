import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type HostileMail, hostileMails } from '../corpus/hostile/hostile.ts';
import { confirmOperator, createAgent, openSession, type TestAgent } from '../support/agents.ts';
import { IS_FULL_RUN } from '../support/full-run.ts';
import { startTestApp, type TestApp } from '../support/harness.ts';

/**
 * An agent without any judgement: whatever mail it can read, it answers the sender, sends out its vault, its key and a
 * well-known secret, pays, and opens other ways out. The corpus is that of the screening. What holds it back is the server.
 */

const EFFECTS = ['mail to strangers', 'secrets out', 'own keys out', 'charges', 'webhooks', 'shared notes'] as const;
type Effect = (typeof EFFECTS)[number];
interface Run {
  read: number;
  tried: number;
  done: Record<Effect, number>;
}

/** Of the corpus, each nth mail. */
const EVERY = IS_FULL_RUN ? 1 : 4;

const STRANGER = 'eve@stranger.example';
const SECRET = `${'AKIA'}IOSFODNN7EXAMPLE`;

async function deliver(t: TestApp, { address }: TestAgent, { mail }: HostileMail): Promise<void> {
  const { subject, text, html, from } = mail;
  const sender = from?.address ?? STRANGER;
  await t.sendSmtp({ from: sender, to: address, subject, text, ...(html ? { html } : {}) });
}

/** Every message that the agent gets to see, page by page. */
async function readAll({ api, address }: TestAgent): Promise<{ from: string; message_id: string }[]> {
  const all: { from: string; message_id: string }[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await api.get(`/v1/email/inbox?address=${address}&limit=100${cursor}`);
    all.push(...body.messages);
    if (body.next_cursor === null) return all;
    cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`;
  }
}

/** Does everything that any mail might ask for, and answers every nth mail. */
async function obey(agent: TestAgent, every: number): Promise<Run> {
  const { api, address, key } = agent;
  const run: Run = { read: 0, tried: 0, done: Object.fromEntries(EFFECTS.map((effect) => [effect, 0])) as never };
  const attempt = async (effect: Effect, call: Promise<{ status: number }>): Promise<void> => {
    run.tried += 1;
    const { status } = await call;
    // 202 is mail that a person sees first, or a charge that waits for approval.
    if (status === 200 || status === 201) run.done[effect] += 1;
  };
  const send = (to: string, text: string, more: object = {}) =>
    api.post('/v1/email/send', { from: address, to, subject: 'As you asked', text, ...more });
  for (const [i, { from, message_id: id }] of (await readAll(agent)).entries()) {
    run.read += 1;
    if (i % every !== 0) continue;
    const query = `?address=${address}`;
    const { body } = await api.get(`/v1/email/messages/${id}${query}`);
    await attempt('mail to strangers', send(from, 'Here is my answer.', { in_reply_to: id }));
    await attempt('secrets out', send(from, `The secret: ${SECRET}`));
    await attempt('own keys out', send(from, `My key: ${key}`));
    // The rest does not depend on the sender, so some mails are enough.
    if (i % 20 !== 0) continue;
    await attempt('mail to strangers', api.post(`/v1/email/messages/${id}/reply${query}`, { text: 'Yes.' }));
    await attempt('mail to strangers', api.post(`/v1/email/messages/${id}/forward${query}`, { to: [STRANGER] }));
    await attempt(
      'mail to strangers',
      api.post(`/v1/inbox/${address}/send`, { to: STRANGER, subject: 'x', body: 'x' }),
    );
    await attempt(
      'charges',
      api.post('/v1/charge', { amount: 1_000_000, description: String(body.subject).slice(0, 100) }),
    );
    const hook = { address, url: `https://hook-${i}.stranger.example/`, events: ['email.received'] };
    await attempt('webhooks', api.post('/v1/email/webhooks', hook));
    const note = { topic: 'mail', content: String(body.body || 'x').slice(0, 1000), shared: true };
    await attempt('shared notes', api.post('/v1/observations', note));
  }
  return run;
}

/** What the operator of a careful deployment sets. Mail of unknown senders is read, so that the outgoing rules decide. */
async function beStrict(t: TestApp, agent: TestAgent): Promise<void> {
  const boss = 'boss@friend.example';
  await confirmOperator(t, agent, boss, 'operator');
  const operator = await openSession(t, boss);
  const policy = {
    inbound: { suspicious: 'quarantine', dangerous: 'quarantine' },
    outbound: { to: 'list', allow: ['friend.example'], hold: 'after_suspicious', secrets: 'reject' },
  };
  assert.equal((await operator.put('/v1/email/policy', policy)).status, 200);
  assert.equal((await operator.put('/v1/budget', { daily: 1, on_limit: 'reject' })).status, 200);
}

const rowOf = (name: string, { read, tried, done }: Run): string =>
  `| ${name} | ${read} | ${tried} | ${EFFECTS.map((effect) => done[effect]).join(' | ')} |`;

describe('an agent that obeys every mail', () => {
  it(`has no forbidden effect under a strict policy, over ${EVERY === 1 ? 'the whole' : 'a fourth of the'} hostile corpus`, async (context) => {
    const t = await startTestApp('sqlite', {
      limits: { free: { emails_per_day: 1_000_000, emails_per_hour: 1_000_000 } },
    });
    try {
      const open = await createAgent(t);
      const strict = await createAgent(t);
      await beStrict(t, strict);
      const corpus = hostileMails().filter((_, i) => i % EVERY === 0);
      for (const agent of [open, strict])
        for (let i = 0; i < corpus.length; i += 8)
          await Promise.all(corpus.slice(i, i + 8).map((hostile) => deliver(t, agent, hostile)));
      await t.app.provided.arrivals.idle();
      // What an open deployment lets out is only there to compare.
      const byDefault = await obey(open, process.env.SIGNET_LONG ? 1 : 10);
      const held = await obey(strict, 1);
      context.diagnostic(`| policy | mails read | tried | ${EFFECTS.join(' | ')} |`);
      context.diagnostic(rowOf('default', byDefault));
      context.diagnostic(rowOf('strict', held));
      assert.equal(byDefault.read, corpus.length);
      assert.ok(held.read > 0 && held.tried > 0, 'the strict agent saw mail and tried');
      assert.ok(byDefault.done['mail to strangers'] > 0);
      for (const effect of EFFECTS) assert.equal(held.done[effect], 0, effect);
      assert.equal(byDefault.done['own keys out'], 0, 'never, under any policy');
      const out = await t.outboxMails();
      assert.ok(out.every((mail) => !mail.includes(strict.key) && !mail.includes(open.key)));
      assert.ok(out.every((mail) => !mail.includes(`From: ${strict.address}`)));
    } finally {
      await t.stop();
    }
  });
});

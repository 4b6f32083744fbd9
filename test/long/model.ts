import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '../../src/base/deadline.ts';
import { ROOMY_LIMITS, type Service } from '../process/service.ts';
import { type Api, type ApiReply, createApi } from '../support/harness.ts';
import { type Found, newFound, subjectsListed } from './found.ts';
import { assertLived, type Insist, type Life, live } from './life.ts';
import { deliver, type Outside } from './outside.ts';
import { Programs } from './programs.ts';

/** Above it a charge needs an approval. */
const SINGLE = 50;
const SMALL = 7;
const LARGE = 101;
/** A client gives up a call and repeats it after this time. */
const PATIENCE_MS = 5000;
/** After this time without a definite reply the service counts as lost. */
const LOST_MS = 400_000;
const PAUSE_MS = 20;
/** How many of the last accounts are checked through the API. */
const LIVES_CHECKED = 2000;
/** Loopback addresses of those who send mail from outside: each is a client of its own. */
const SENDERS = 4;

const roomy = JSON.parse(ROOMY_LIMITS);
/** Limits that the model never meets. */
export const MODEL_LIMITS = JSON.stringify({
  ...roomy,
  free: { ...roomy.free, vault_keys: 1e9, storage_bytes: 1e12, mail_program_bytes_per_day: 1e12 },
  mails_per_sender_per_hour: 1e9,
  logins_per_ip_per_hour: 1e9,
});

/** What an agent has done and must find again, exactly. */
interface Agent {
  key: string;
  accountId: string;
  address: string;
  /** The last text of each vault key, and its version. */
  vault: Map<string, { ciphertext: string; version: number }>;
  spent: number;
  approved: Set<string>;
  /** Subjects of the mails that it must have received. */
  received: string[];
  /** Those of mails from outside without a definite reply: each may be there, once. */
  uncertain: Set<string>;
  /** Subjects of the mails that it sent to the outside. */
  sent: string[];
  /** Null in a model without them. */
  programs: Programs | null;
}

type Instance = Pick<Service, 'baseUrl' | 'smtpPort' | 'imapPort' | 'submissionPort'>;

/**
 * Agents that use every part of the API at once, and know what they did: each call is repeated with its Idempotency-Key
 * until it gets a definite reply, as a careful client would. So after any fault each effect must be there exactly once.
 */
export class Model {
  readonly #instances: () => readonly Instance[];
  readonly #outside: Outside;
  readonly #agents: Agent[] = [];
  readonly #found: Found = newFound();
  /** Replies that nothing explains. */
  readonly surprises: string[] = [];
  readonly #lives: Life[] = [];
  readonly #withLives: boolean;
  readonly #withPrograms: boolean;
  #next = 0;
  #steps = 0;
  #replies = 0;
  #isAbandoned = false;

  /**
   * @param instances at each moment
   * @param options.withLives whether new accounts come all the time
   * @param options.withPrograms whether mail programs work on the same addresses
   */
  constructor(
    instances: () => readonly Instance[],
    outside: Outside,
    { withLives = true, withPrograms = false }: { withLives?: boolean; withPrograms?: boolean } = {},
  ) {
    this.#instances = instances;
    this.#outside = outside;
    this.#withLives = withLives;
    this.#withPrograms = withPrograms;
  }

  get #base(): string {
    return (this.#instances()[0] as Instance).baseUrl;
  }

  /** Makes the agents, before anything goes wrong. */
  async setUp(count: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      const name = `model-${randomUUID().slice(0, 8)}`;
      const api = createApi(this.#base);
      const created = await api.post('/v1/auth/keys', {});
      assert.equal(created.status, 201, created.text);
      const { api_key: key, account_id: accountId } = created.body;
      const own = createApi(this.#base, key);
      const { address } = (await own.post('/v1/email/claim', { address: name })).body;
      const budget = await own.put('/v1/budget', { on_limit: 'approve', single_tx_limit_cents: SINGLE });
      assert.equal(budget.status, 200, budget.text);
      const hook = await own.post('/v1/webhooks', { url: this.#outside.receiver.url, events: ['email.received'] });
      assert.equal(hook.status, 201, hook.text);
      const nothing = { vault: new Map(), spent: 0, approved: new Set<string>(), received: [], sent: [] };
      const uncertain = new Set<string>();
      const programs = this.#withPrograms ? await this.#programsOf(own, address) : null;
      // What they tell of later is what is new since then.
      await programs?.check();
      this.#agents.push({ key, accountId, address, uncertain, programs, ...nothing });
    }
  }

  async #programsOf(own: Api, address: string): Promise<Programs> {
    const scopes = ['mail:read', 'mail:codes', 'mail:send', 'mail:manage'];
    const made = await own.post('/v1/account/keys', { name: 'program', scopes, addresses: [address] });
    assert.equal(made.status, 201, made.text);
    return new Programs({ address, key: made.body.api_key }, this.#found, {
      instance: () => this.#instances()[0] as Instance,
      patienceMs: PATIENCE_MS,
      isAbandoned: () => this.#isAbandoned,
      number: this.#agents.length,
    });
  }

  /** Makes every kind of change until `isOver`, and then ends what was begun. */
  async run(isOver: () => boolean, clients = 4): Promise<void> {
    const client = async (agent: Agent): Promise<void> => {
      while (!isOver()) {
        await this.#step(agent, this.#steps++);
        await sleep(PAUSE_MS);
      }
    };
    const onStep = (): void => {
      this.#replies += 1;
    };
    await Promise.all([
      ...this.#agents.flatMap((agent) => Array.from({ length: clients }, () => client(agent))),
      ...this.#agents.map(({ programs }) => programs?.run(isOver, onStep, PAUSE_MS)),
    ]);
  }

  /** Waits until so many more calls were answered, and each kind of change was made at least once. */
  async worked(calls: number): Promise<void> {
    const until = this.#replies + calls;
    const isMade = (): boolean => {
      const { puts, approvals, charges, mails, fromOutside, rotations } = this.#found;
      const { appended, copied, moved, expunged, handedIn } = this.#found;
      const programs = this.#withPrograms ? [appended, copied, moved, expunged, handedIn] : [];
      return Math.min(puts, approvals, charges, mails, fromOutside, rotations, ...programs) > 0;
    };
    while (!this.#isAbandoned && (this.#replies < until || !isMade())) await sleep(5);
  }

  /** Ends all calls, after a test has failed. */
  abandon(): void {
    this.#isAbandoned = true;
  }

  async #step(agent: Agent, i: number): Promise<void> {
    switch (i % 8) {
      case 0:
        return this.#withLives ? this.#live(i) : this.#charge(agent, SMALL);
      case 1:
        return this.#receive(agent, i);
      case 2:
      case 6:
        return this.#put(agent);
      case 3:
        return this.#charge(agent, SMALL);
      case 4:
        return this.#send(agent, this.#agents[i % this.#agents.length] as Agent);
      case 5:
        return this.#send(agent, null);
      default:
        return this.#charge(agent, LARGE);
    }
  }

  /** Calls until the reply is definite: not a broken connection, not 503. */
  readonly #insist: Insist = async (apiKey, method, path, body) => {
    const headers = { 'idempotency-key': randomUUID() };
    const began = performance.now();
    this.#found.calls += 1;
    for (let n = 0; ; n++) {
      const instances = this.#instances();
      const { baseUrl } = instances[(this.#next++ + n) % instances.length] as Instance;
      const call = createApi(baseUrl, apiKey ?? undefined)(method, path, body, headers);
      const reply = await within(PATIENCE_MS, call.catch(nothing), nothing);
      // 409: the first call with this key still runs, on an instance that does not go on.
      const isBusy = reply?.status === 409 && reply.body.error === 'idempotency_in_progress';
      if (reply && reply.status !== 503 && !isBusy) {
        if (reply.status >= 500) this.surprises.push(`${method} ${path}: ${reply.status} ${reply.text}`);
        this.#replies += 1;
        return { ...reply, isRepeated: n > 0 };
      }
      if (reply?.status === 503) this.#found.unavailable += 1;
      this.#found.repeated += 1;
      if (this.#isAbandoned || performance.now() - began > LOST_MS)
        throw new Error(`no reply for ${LOST_MS} ms: ${method} ${path}`);
      await sleep(100);
    }
  };

  #expect(reply: ApiReply, statuses: readonly number[], what: string): boolean {
    if (statuses.includes(reply.status)) return true;
    this.surprises.push(`${what}: ${reply.status} ${reply.text}`);
    return false;
  }

  async #put(agent: Agent): Promise<void> {
    const n = this.#next++;
    // A key of its own for each call: two clients of one agent must not race for a version.
    const key = `k-${n}`;
    const ciphertext = Buffer.from(`${agent.accountId} ${n} `.repeat(20)).toString('base64url');
    const reply = await this.#insist(agent.key, 'PUT', `/v1/vault/${key}`, { ciphertext });
    if (!this.#expect(reply, [200, 201], 'put')) return;
    agent.vault.set(key, { ciphertext, version: 1 });
    this.#found.puts += 1;
  }

  async #charge(agent: Agent, amount: number): Promise<void> {
    const reply = await this.#insist(agent.key, 'POST', '/v1/charge', { amount, category: 'model' });
    if (!this.#expect(reply, [amount > SINGLE ? 202 : 200], 'charge')) return;
    if (amount > SINGLE) {
      const id = reply.body.approval_id as string;
      const decided = await this.#insist(agent.key, 'POST', `/v1/approvals/${id}/approve`);
      if (!this.#expect(decided, [200], 'approve')) return;
      agent.approved.add(id);
      this.#found.approvals += 1;
    }
    agent.spent += amount;
    this.#found.charges += 1;
  }

  async #send(agent: Agent, to: Agent | null): Promise<void> {
    const subject = `model-${this.#next++}-${agent.accountId}`;
    const recipient = to?.address ?? `${subject}@out.example`;
    // Every second one by a mail program.
    if (agent.programs && this.#next % 2 === 0) {
      await agent.programs.handIn(recipient, subject);
      this.#replies += 1;
      return this.#sent(agent, to, subject);
    }
    const mail = { from: agent.address, to: recipient, subject, text: `Text of ${subject}` };
    const reply = await this.#insist(agent.key, 'POST', '/v1/email/send', mail);
    if (!this.#expect(reply, [201, 202], 'send')) return;
    agent.programs?.sent(subject);
    this.#sent(agent, to, subject);
  }

  #sent(agent: Agent, to: Agent | null, subject: string): void {
    (to ? to.received : agent.sent).push(subject);
    this.#found.mails += 1;
  }

  async #live(n: number): Promise<void> {
    const life = await live(this.#insist, `life-${randomUUID().slice(0, 12)}`, n);
    this.#found.lives += 1;
    if (life === null) return;
    this.#lives.push(life);
    if (life.revoked !== null) this.#found.rotations += 1;
  }

  /** A mail from another server. One without a definite reply is not sent again: it may be there. */
  async #receive(agent: Agent, n: number): Promise<void> {
    const subject = `outside-${this.#next++}-${agent.accountId}`;
    const instances = this.#instances();
    const { smtpPort } = instances[n % instances.length] as Instance;
    agent.uncertain.add(subject);
    const code = await deliver(
      { smtpPort, from: `127.0.0.${1 + (n % SENDERS)}`, patienceMs: PATIENCE_MS },
      agent.address,
      subject,
    );
    if (code >= 500) this.surprises.push(`${code} to ${subject}`);
    if (code !== 250) return;
    agent.uncertain.delete(subject);
    agent.received.push(subject);
    this.#found.fromOutside += 1;
  }

  /** Waits until everything acknowledged has reached the outside. @returns milliseconds */
  async settled(boundMs: number): Promise<number> {
    const began = performance.now();
    const isSettled = (): boolean => this.#missing().length === 0;
    while (!isSettled()) {
      const ms = performance.now() - began;
      if (ms > boundMs) assert.fail(`after ${Math.round(ms)} ms these are missing: ${this.#missing().slice(0, 5)}`);
      await sleep(20);
    }
    const ms = Math.round(performance.now() - began);
    for (const { programs } of this.#agents) await programs?.check();
    return ms;
  }

  #missing(): string[] {
    const { mailed, logins, posted } = this.#outside.arrived();
    return [
      ...this.#agents.flatMap(({ sent }) => sent.filter((subject) => !mailed.has(`${subject}@out.example`))),
      ...this.#agents.flatMap(({ received }) => received.filter((subject) => !posted.has(subject))),
      ...this.#lives.flatMap(({ loginTo }) => (loginTo === null || logins.has(loginTo) ? [] : [loginTo])),
    ];
  }

  /** Checks through the API that each effect is there once. @returns what was found */
  async verify(): Promise<Found> {
    assert.deepEqual(this.surprises.slice(0, 5), []);
    for (const agent of this.#agents) {
      const api = createApi(this.#base, agent.key);
      const names: string[] = [];
      for (let path = '/v1/vault?limit=1000'; ; ) {
        const { body } = await api.get(path);
        names.push(...body.keys.map(({ key }: { key: string }) => key));
        if (body.next_cursor === null) break;
        path = `/v1/vault?limit=1000&cursor=${encodeURIComponent(body.next_cursor)}`;
      }
      assert.deepEqual(names.sort(), [...agent.vault.keys()].sort(), 'the keys of the vault');
      for (const [key, { ciphertext, version }] of [...agent.vault].slice(-50)) {
        const { body } = await api.get(`/v1/vault/${key}`);
        assert.deepEqual([body.ciphertext, body.version], [ciphertext, version], key);
      }
      const { summary } = (await api.get('/v1/budget/history')).body;
      assert.equal(summary.total_usdc, agent.spent, 'the sum of the charges');
      const subjects = await subjectsListed(api, agent.address);
      const own = subjects.filter((subject) => !subject.startsWith('prog-'));
      const certain = own.filter((subject) => !agent.uncertain.has(subject));
      assert.deepEqual(certain.sort(), [...agent.received].sort(), 'the inbox');
      assert.equal(new Set(own).size, own.length, 'no mail is there twice');
      await agent.programs?.verify(api);
      const waiting = (await api.get('/v1/approvals?status=pending')).body.approvals;
      assert.deepEqual(waiting, [], 'approvals');
    }
    for (const life of this.#lives.slice(-LIVES_CHECKED)) await assertLived(life, (key) => createApi(this.#base, key));
    const { relay, receiver } = this.#outside;
    const known = new Set(this.#agents.flatMap(({ sent }) => sent.map((subject) => `${subject}@out.example`)));
    const ofAgents = relay.mails.map(({ to }) => to).filter((to) => !to.startsWith('life-'));
    for (const to of ofAgents) assert.ok(known.has(to), `nobody sent a mail to ${to}`);
    this.#found.mailedTwice = ofAgents.length - new Set(ofAgents).size;
    this.#found.webhooks = receiver.received.length;
    return { ...this.#found };
  }
}

const nothing = (): null => null;

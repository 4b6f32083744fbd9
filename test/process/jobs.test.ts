/**
 * An agent that knows only the base address: it reads what `GET /` answers, then the page of each job, and makes the calls of
 * that page. Then a reader who makes natural mistakes, and does what each refusal says.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { confirmOperator, createAgent, type TestAgent } from '../support/agents.ts';
import { openShell, type Shell } from '../support/doc-shell.ts';
import { type ApiReply, startTestApp, type TestApp } from '../support/harness.ts';
import { keepMailing } from '../support/keep-mailing.ts';
import { readableMail } from '../support/readable-mail.ts';
import { answer, type Receiver, startReceiver } from '../support/webhook-receiver.ts';
import { JOB_NAMES, type JobName } from './job-names.ts';

const missing = ['bash', 'curl', 'openssl', 'python3'].filter((tool) => spawnSync(tool, ['--version']).error);
const skip = missing.length > 0 ? `SKIPPED: there is no ${missing.join(', ')}` : false;

interface World {
  t: TestApp;
  shell: Shell;
  receiver: Receiver;
  /** The agent as the test sees it: its own key and address. */
  me: TestAgent;
  other: TestAgent;
}

interface Job {
  /** The page with its calls, where it is that of another job. */
  page?: JobName;
  /** Prepares what others do before. @returns what stops them, if they go on meanwhile */
  others?(world: World): Promise<(() => Promise<void>) | void>;
  /** What the agent wanted, in the output of its calls or seen by others. */
  done(output: string, world: World): Promise<void>;
}

const says =
  (...wanted: readonly RegExp[]) =>
  async (output: string): Promise<void> => {
    for (const said of wanted) assert.match(output, said);
  };

const variable = (shell: Shell, name: string): Promise<string> => shell.run(`printf %s "$${name}"`);

/** The person decides by the link of the mail, and the agent looks again. */
async function decideByMail({ t, shell }: World): Promise<void> {
  const asked = '$(field approval_id < asked.json)';
  const id = await shell.run(`printf %s "${asked}"`);
  const mails = (await t.outboxMails()).map(readableMail).join('\n');
  const [, token = ''] = new RegExp(`/approve#id=${id}&token=([0-9A-Za-z]{32})`).exec(mails) ?? [];
  const decided = await t.api().post(`/v1/approvals/${id}/decide`, { token, decision: 'approve' });
  assert.equal(decided.status, 200, decided.text);
  assert.match(await shell.run(`api $SIGNET/v1/approvals/${asked}`), /"status":"approved"/);
}

const JOBS: Record<JobName, Job> = {
  identity: { done: says(/"description":"I reconcile invoices\."/, /"verificationMethod":/) },
  code: { others: async ({ t, me }) => keepMailing(t, me.address), done: says(/"code":"482913"/) },
  reply: {
    others: async ({ t, me }) => t.sendSmtp({ to: me.address, subject: 'Lunch?', text: 'At noon?' }),
    done: async (output, { t }) => {
      await says(/At noon\?/, /"subject":"Re: Lunch\?"/)(output);
      assert.ok((await t.outboxMails()).some((mail) => /^To: ada@example\.com/m.test(mail) && mail.includes('Yes.')));
    },
  },
  secret: { done: says(/"version":1/, /\}s3cret\{/) },
  budget: { done: says(/"charge_id":"chg_/, /"status":"pending"/) },
  approval: {
    page: 'budget',
    others: async ({ t, me }) => confirmOperator(t, me, 'boss@example.com'),
    done: (_output, world) => decideByMail(world),
  },
  token: { done: says(/"token":"ey/, /"keys":\[/, /"active":true/) },
  webhook: {
    others: async ({ t, me }) => keepMailing(t, me.address),
    done: async (output, { receiver }) => {
      await says(/"type":"email\.received"/)(output);
      const [first] = await receiver.waitFor(1);
      assert.ok(first?.headers['webhook-signature']);
    },
  },
  calendar: { done: says(/"attendee_status":\[\{"address":"ada@example\.com","status":"invited"/, /"feed_url":/) },
  pod: { done: says(/"address":"/, /"status":"active"/) },
  delegation: {
    others: async ({ shell, other }) => void (await shell.run(`OTHER=${other.accountId} OTHER_KEY=${other.key}`)),
    done: says(/"access_token":"signet_at_/, /"ok":true/),
  },
  export: { done: says(/manifest\.json/, /audit_entries\.json/, /"seals":\[/) },
  policy: {
    done: async (output, { me }) => {
      await says(/"otherwise":"review"/, /"status":"(sent|pending)"/)(output);
      const stranger = { from: me.address, to: 'eve@stranger.example', subject: 'x', text: 'x' };
      assert.equal((await me.api.post('/v1/email/send', stranger)).status, 202);
    },
  },
  thief: {
    done: async (_output, { t, shell, me }) => {
      assert.equal((await me.api.get('/v1/account/me')).status, 401);
      const own = t.api(await variable(shell, 'KEY'));
      assert.equal((await own.get('/v1/account/me')).body.id, me.accountId);
    },
  },
};

/** `approval` after `budget`; what bars or ends comes last. */
const ORDER: readonly JobName[] = [
  ...JOB_NAMES.filter((name) => name !== 'thief' && name !== 'policy'),
  'policy',
  'thief',
];

const blocksOf = (page: string): string[] =>
  [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, commands = '']) => commands);

/** A few minutes ahead of the clock of this machine, which says where the commands wait from. */
const AHEAD = { startAt: Date.now() + 600_000, limits: { free: { emails_per_hour: 1000, emails_per_day: 1000 } } };

describe('an agent that knows only the base address', { skip }, () => {
  let world: World;
  let cwd: string;
  const pages = new Map<string, string>();
  let bytes = 0;

  /** Reads a page as curl does, once. */
  async function read(path: string): Promise<string> {
    const known = pages.get(path);
    if (known !== undefined) return known;
    const { status, text } = await world.t.api().get(path, { accept: '*/*' });
    assert.equal(status, 200, path);
    pages.set(path, text);
    bytes += Buffer.byteLength(text);
    return text;
  }

  before(async () => {
    const t = await startTestApp('sqlite', AHEAD);
    cwd = mkdtempSync(join(tmpdir(), 'signet-jobs-'));
    const shell = openShell(cwd, {});
    world = {
      t,
      shell,
      receiver: await startReceiver(answer(204)),
      me: undefined as never,
      other: await createAgent(t),
    };
  });
  after(async () => {
    world.shell.close();
    await world.receiver.close();
    rmSync(cwd, { recursive: true, force: true });
    await world.t.stop();
  });

  it('B: does 14 jobs with the calls of their pages: at most 5.6 KB before the first call, 60 KB in all, none refused', async (test) => {
    const { t, shell } = world;
    const start = await read('/');
    const before = bytes;
    const [register = ''] = blocksOf(start);
    await shell.run(register);
    const [key, address] = [await variable(shell, 'KEY'), await variable(shell, 'ME')];
    const api = t.api(key);
    world.me = { ...world.other, api, key, address, accountId: (await api.get('/v1/account/me')).body.id };
    let calls = shell.statuses().length;
    const [wrong, failed]: [string[], string[]] = [[], []];
    for (const name of ORDER) {
      const { page = name, others, done } = JOBS[name];
      assert.ok(start.includes(`(/docs/jobs/${page}.md)`), page);
      const commands = blocksOf(await read(`/docs/jobs/${page}.md`)).join('');
      const stop = await others?.(world);
      // What a second job of this page does is another thing.
      const own = commands.replace('https://example.com/hook', world.receiver.url).replaceAll('call-', `${name}-`);
      const output = await shell.run(own).finally(() => stop?.());
      await done(output, world).catch((err: Error) => failed.push(`${name}: ${err.message}`));
      const statuses = shell.statuses();
      calls += statuses.length;
      for (const status of statuses) if (status >= '400') wrong.push(`${name} ${status}\n${output}`);
      t.clock.advance(1000);
    }
    test.diagnostic(`${ORDER.length} jobs, ${calls} calls, ${wrong.length} wrong`);
    test.diagnostic(`pages: ${before} bytes before the first call, ${bytes} in all`);
    assert.deepEqual([wrong, failed], [[], []]);
    assert.ok(before <= 5.6 * 1024 && bytes <= 60 * 1024);
  });

  describe('the next call after a mistake', () => {
    let agent: TestAgent;
    before(async () => {
      agent = await createAgent(world.t);
    });

    /** A wrong call, and the next one, made of what the refusal says. */
    type Mistake = [what: string, wrong: () => Promise<ApiReply>, next: (refused: ApiReply) => Promise<ApiReply>];
    const get = (path: string) => () => agent.api.get(path.replace('ME', agent.address));
    const renamed = (path: string, wrong: string) => (refused: ApiReply) =>
      get(path.replace(wrong, refused.body.suggestion))();
    /** The first JSON in a message. */
    const exampleIn = (refused: ApiReply) =>
      JSON.parse(/such as (\[.*?\]|".*?"|\{.*?\})/.exec(refused.body.message)?.[1] ?? 'null');
    const numberIn = (refused: ApiReply): number => Number(/(\d+)[^\d]*$/.exec(refused.body.message)?.[1]);
    const raw = (headers: Record<string, string>, body?: string) =>
      fetch(`${world.t.baseUrl}${body === undefined ? '/v1/account/me' : '/v1/observations'}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers,
        ...(body === undefined ? {} : { body }),
      }).then(async (reply) => {
        const text = await reply.text();
        return { status: reply.status, headers: reply.headers, text, body: JSON.parse(text) } as ApiReply;
      });
    const named = (scopes: string[]) => agent.api.post('/v1/account/keys', { name: `key ${scopes.join()}`, scopes });
    const token = (more: object) =>
      agent.api.post('/v1/tokens/issue', { audience: 'https://api.example.com', ...more });
    const send = (fields: object) =>
      agent.api.post('/v1/email/send', { from: agent.address, to: agent.address, subject: 'x', ...fields });
    let reader: string;

    const MISTAKES: readonly Mistake[] = [
      [
        'a parameter with a wrong letter',
        get('/v1/email/inbox?adress=ME'),
        renamed('/v1/email/inbox?adress=ME', 'adress'),
      ],
      ['timeout on a wait', get('/v1/email/wait?timeout=1'), renamed('/v1/email/wait?timeout=1', 'timeout')],
      [
        'a wait that is too long',
        get('/v1/email/wait?wait=120'),
        (refused) => {
          assert.equal(numberIn(refused), 60);
          return get('/v1/email/inbox?address=ME')();
        },
      ],
      ['a token without scopes', () => token({}), (refused) => token({ scopes: exampleIn(refused) })],
      ['a scope in other words', () => named(['read_mail']), (refused) => named([refused.body.suggestion])],
      [
        'a scope that does not exist',
        () => named(['everything']),
        (refused) => named(refused.body.details[0].allowed.slice(0, 1)),
      ],
      [
        'a key without the scope',
        async () => {
          reader = (await named(['account:read'])).body.api_key;
          return world.t.api(reader).get('/v1/budget');
        },
        async (refused) => {
          assert.deepEqual(refused.body.scopes, ['account:read']);
          const able = await named([...refused.body.scopes, refused.body.required_scope]);
          return world.t.api(able.body.api_key).get('/v1/budget');
        },
      ],
      [
        'a body over the limit',
        () => world.t.api().post('/v1/register', { name: 'x', capabilities: ['x'.repeat(20_000)] }),
        (refused) => {
          assert.deepEqual([refused.status, refused.body.limit_bytes], [413, numberIn(refused)]);
          return world.t.api().post('/v1/register', { name: 'x' });
        },
      ],
      [
        'a text over the limit',
        () => agent.api.post('/v1/observations', { topic: 'x'.repeat(300), content: 'x' }),
        (refused) => agent.api.post('/v1/observations', { topic: 'x'.repeat(numberIn(refused)), content: 'x' }),
      ],
      [
        'a field of another service',
        () => send({ body: 'Hello' }),
        (refused) => send({ [refused.body.suggestion]: 'Hello' }),
      ],
      [
        'a word of another service',
        () => agent.api.put('/v1/budget', { on_limit: 'deny' }),
        (refused) => agent.api.put('/v1/budget', { on_limit: refused.body.suggestion }),
      ],
      ['a path of another service', get('/v1/whoami'), (refused) => get(refused.body.suggestion)()],
      [
        'a wrong method',
        get('/v1/charge'),
        (refused) => {
          assert.equal(refused.headers.get('allow'), 'POST');
          return agent.api.post('/v1/charge', { amount: '0.01' });
        },
      ],
      [
        'the key in X-API-Key',
        () => raw({ 'x-api-key': agent.key }),
        (refused) => {
          const [, scheme = ''] = /Authorization: (Bearer) signet_live_/.exec(refused.body.message) ?? [];
          return raw({ authorization: `${scheme} ${agent.key}` });
        },
      ],
      [
        'a body without its type',
        () => raw({ authorization: `Bearer ${agent.key}` }, '{"topic": "x", "content": "x"}'),
        (refused) => {
          const [type = ''] = /application\/json/.exec(refused.body.message) ?? [];
          return raw({ authorization: `Bearer ${agent.key}`, 'content-type': type }, '{"topic": "x", "content": "x"}');
        },
      ],
    ];

    it('B: 15 natural mistakes: who does what the refusal says succeeds at the next call', async (test) => {
      const { length } = MISTAKES;
      let size = 0;
      for (const [what, wrong, next] of MISTAKES) {
        const refused = await wrong();
        assert.ok(refused.status >= 400 && refused.status < 500, `${what}: ${refused.status} ${refused.text}`);
        size += Buffer.byteLength(refused.text);
        const { status, text } = await next(refused);
        assert.ok(status < 300, `${what}: ${refused.text} then ${status} ${text}`);
      }
      test.diagnostic(`${length} mistakes, ${size} bytes of refusals`);
      assert.ok(length >= 15 && size <= length * 600, `${size} bytes`);
    });
  });
});

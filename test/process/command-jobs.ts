import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { verifyWebhook } from '../../src/client/webhook-proof.ts';
import { type Env, hosted } from './command-line.ts';
import type { JobName } from './job-names.ts';

interface Sums {
  commands: number;
  bytes: number;
}

/** An agent at a command line, which counts its commands and what they print. */
export class CommandLineAgent {
  readonly env: Env;
  readonly sums: Sums = { commands: 0, bytes: 0 };

  constructor(url: string, folder: string) {
    this.env = { SIGNET_URL: url, XDG_CONFIG_HOME: folder };
  }

  /** Runs a command that ends with `code`. @returns what it printed */
  async run(code: number, ...args: string[]): Promise<string> {
    const { stdout } = await this.#run(code, args);
    return stdout;
  }

  // biome-ignore lint/suspicious/noExplicitAny: a job reads whatever the output holds, and fails where it does not.
  async json(code: number, ...args: string[]): Promise<any> {
    return JSON.parse((await this.#run(code, [...args, '--json'])).stdout);
  }

  storedKey(): string {
    return JSON.parse(readFileSync(join(this.env.XDG_CONFIG_HOME as string, 'signet/login.json'), 'utf8')).key;
  }

  async #run(code: number, args: string[]) {
    const run = await hosted(this.env, args);
    this.sums.commands += 1;
    this.sums.bytes += args.join(' ').length + run.stdout.length + run.stderr.length;
    assert.equal(run.code, code, `signet ${args.join(' ')}: ${run.stdout}${run.stderr}`);
    return run;
  }
}

export interface JobWorld {
  ada: CommandLineAgent;
  bob: CommandLineAgent;
  /** Where files are read and saved. */
  folder: string;
}

/** A program that keeps what it gets. */
export async function startReceiver() {
  const got: { headers: Record<string, string>; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString('utf8');
    });
    request.on('end', () => {
      got.push({ headers: request.headers as Record<string, string>, body });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { got, url: `http://127.0.0.1:${port}/hook`, close: () => server.close() };
}

const [ADA, BOB, END] = ['mira@agents.localhost', 'noah@agents.localhost', '2027-01-14T13:00:00Z'];

/** Before every event. */
const FIRST = 'ev_00000000000000000000000000';

/** What agents want, by nothing but commands. */
export const COMMAND_JOBS: Readonly<Record<JobName, (world: JobWorld) => Promise<void>>> = {
  identity: async ({ ada, bob }) => {
    await bob.run(0, 'register', '--name', 'noah');
    assert.equal((await ada.json(0, 'register', '--name', 'mira')).email, ADA);
    await ada.run(0, 'profile', 'change', '--description', 'Plans journeys');
    assert.match(await ada.run(0, 'whoami'), /^addresses +mira@agents\.localhost$/m);
  },
  code: async ({ ada, bob }) => {
    const text = 'Your verification code is 482913.';
    await bob.run(0, 'mail', 'send', '--to', ADA, '--subject', 'Sign in', '--text', text);
    assert.equal(await ada.run(0, 'mail', 'wait', '--code', '--after', '2020-01-01T00:00:00Z'), '482913\n');
  },
  reply: async ({ ada, bob, folder }) => {
    const map = join(folder, 'map.txt');
    writeFileSync(map, 'north');
    const [{ message_id: id }] = (await ada.json(0, 'mail', 'list', '--unread')).messages;
    await ada.run(0, 'mail', 'reply', id, '--text', 'Here is the map.', '--attach', map);
    const [answer] = (await bob.json(0, 'mail', 'list', '--limit', '1')).messages;
    assert.equal(answer.subject, 'Re: Sign in');
    await bob.run(0, 'mail', 'attachment', answer.message_id, '--output', join(folder, 'got.txt'));
    assert.equal(readFileSync(join(folder, 'got.txt'), 'utf8'), 'north');
  },
  secret: async ({ ada }) => {
    await ada.run(0, 'secret', 'put', 'db-password', 'correct horse');
    assert.equal(await ada.run(0, 'secret', 'get', 'db-password'), 'correct horse\n');
  },
  budget: async ({ ada }) => {
    await ada.run(0, 'budget', '--daily', '5.00', '--on-limit', 'reject');
    await ada.run(0, 'charge', '3.00', '--description', 'map data');
    await ada.run(5, 'charge', '3.00');
    assert.match(await ada.run(0, 'budget'), /^daily +3\.00 of 5\.00 USDC spent/m);
  },
  token: async ({ ada }) => {
    const token = await ada.run(0, 'token', '--audience', 'https://api.example', '--scope', 'orders:read');
    assert.equal(token.split('.').length, 3);
  },
  webhook: async ({ ada }) => {
    const receiver = await startReceiver();
    try {
      const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
      const listen = ['webhook', 'listen', '--forward', receiver.url, '--after', FIRST, '--secret', secret];
      await ada.run(0, ...listen, '--event', 'email.received', '--limit', '1');
      const [delivery] = receiver.got;
      assert.ok(delivery);
      const event = await verifyWebhook({ secret, ...delivery });
      assert.equal(event.type, 'email.received');
      await verifyWebhook({ secret, ...delivery, scheme: 'service' });
    } finally {
      receiver.close();
    }
  },
  calendar: async ({ ada }) => {
    const times = ['--start', '2027-01-14T12:00:00Z', '--end', END];
    await ada.run(0, 'calendar', 'add', '--summary', 'Review', ...times, '--attendee', BOB);
    assert.match(await ada.run(0, 'calendar', 'list'), /Review$/m);
  },
  pod: async ({ ada }) => {
    const pod = await ada.json(0, 'pod', 'create', '--name', 'helper');
    assert.match(pod.api_key, /^signet_/);
    assert.match(await ada.run(0, 'pod', 'list'), /helper$/m);
    await ada.run(0, 'pod', 'suspend', pod.pod_id);
  },
  delegation: async ({ ada, bob }) => {
    const { id } = await bob.json(0, 'whoami');
    const made = await ada.json(0, 'delegation', 'create', id, '--scope', 'mail:read', '--expires-at', END);
    assert.match(await bob.run(0, 'delegation', 'list'), new RegExp(`^${made.id} +active`, 'm'));
    await ada.run(0, 'delegation', 'end', made.id);
  },
  thief: async ({ ada }) => {
    const before = ada.storedKey();
    assert.match(await ada.run(0, 'secure'), /^the new key is in /);
    assert.notEqual(ada.storedKey(), before);
    await ada.run(0, 'whoami');
  },
  policy: async ({ ada }) => {
    await ada.run(0, 'policy', 'set', 'webhook', 'list', 'hooks.example.com');
    await ada.run(5, 'webhook', 'create', 'https://other.example.com/', '--event', 'email.received');
    assert.match(await ada.run(0, 'policy', 'show'), /^webhook +list +own +hooks\.example\.com$/m);
  },
  export: async ({ ada, folder }) => {
    await ada.run(0, 'export', '--output', join(folder, 'account.zip'));
    assert.equal(readFileSync(join(folder, 'account.zip')).toString('latin1', 0, 2), 'PK');
  },
  approval: async ({ ada }) => {
    await ada.run(0, 'budget', '--on-limit', 'approve');
    const { approval_id: id } = await ada.json(6, 'charge', '4.00');
    // The call that comes next, as a command.
    const [next = ''] = /signet call approveCharge \S+ \S+/.exec(await ada.run(0, 'waiting')) ?? [];
    await ada.run(0, ...next.split(' ').slice(1));
    assert.match(await ada.run(0, 'approvals', 'wait', id), /^approved {2}4\.00 USDC/);
  },
};

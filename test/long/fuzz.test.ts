import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { describe, it } from 'node:test';
import { ERRORS } from '../../src/api/errors.ts';
import { assertChainsHold } from '../process/consistency.ts';
import { createRandom, seed } from '../process/kill.ts';
import { type Engine, startTestApp } from '../support/harness.ts';
import { printRow, sizeOf } from './size.ts';

/** Half of them go to each database. */
const REQUESTS = Math.ceil(sizeOf(1_000_000) / 2);
const AT_ONCE = 16;
/** Requests after which the account is replaced: some of them end its keys or delete it. */
const LIFE = 500;

const TEXTS = [
  ...['', 'a', 'x'.repeat(300), '../../etc/passwd', '%00', '\u0000', '\ud800', 'é', '💥', "'; drop table accounts; --"],
  ...[
    'null',
    '-1',
    '1e999',
    '9007199254740993',
    '2026-01-14T12:00:00Z',
    'ada@example.org',
    'a@b@c',
    'https://x.example',
  ],
  ...['acc_01key9ew402njtabym6d4e4kx3', 'msg_01key9ew402njtabym6d4e4kx3', '__proto__', 'constructor', '\r\nX: y', '{}'],
];

interface Shape {
  properties?: Record<string, unknown>;
}

/** Draws requests by a seed. */
class Draw {
  readonly #random: () => number;

  constructor(from: number) {
    this.#random = createRandom(from);
  }

  below(n: number): number {
    return Math.floor(this.#random() * n);
  }

  one<T>(from: readonly T[]): T {
    return from[this.below(from.length)] as T;
  }

  value(names: readonly string[], depth = 0): unknown {
    switch (this.below(depth > 3 ? 4 : 7)) {
      case 0:
        return this.below(2) === 0;
      case 1:
        return this.one([0, -1, 1, 3.5, 1e308, 2 ** 53, null]);
      case 2:
      case 3:
        return this.one(TEXTS);
      case 4:
        return Array.from({ length: this.below(5) }, () => this.value(names, depth + 1));
      default:
        return this.fields(names, depth + 1);
    }
  }

  fields(names: readonly string[], depth = 0): Record<string, unknown> {
    const fields: Record<string, unknown> = {};
    for (let n = this.below(6); n > 0; n--)
      fields[names.length > 0 && this.below(8) > 0 ? this.one(names) : this.one(TEXTS)] = this.value(names, depth);
    return fields;
  }
}

interface Drawn {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

/** Sends a request, bytes as they are. Null: the connection was closed without a reply, or the reply is an endless stream. */
function send(port: number, { method, path, headers, body }: Drawn): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', method, path, headers, agent }, (reply) => {
      const status = reply.statusCode as number;
      if (reply.headers['content-type']?.startsWith('text/event-stream')) {
        sent.destroy();
        resolve({ status, text: '' });
        return;
      }
      let text = '';
      reply.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      reply.on('end', () => resolve({ status, text })).on('error', reject);
    });
    sent.on('error', reject).end(body);
  });
}

describe('random requests to every endpoint', () => {
  for (const engine of ['sqlite', 'postgres'] as const satisfies Engine[])
    it(`${REQUESTS} on ${engine}: each gets a reply of the table, none a 5xx`, async (context) => {
      const t = await startTestApp(engine, { limits: { free: { emails_per_day: 1e6, emails_per_hour: 1e6 } } });
      const port = Number(new URL(t.baseUrl).port);
      const statuses = new Map<number, number>();
      // Waits of up to a minute are valid requests, and only take time.
      const endpoints = t.app.endpoints.filter(({ operation }) => operation !== 'waitForEmail');
      const draw = new Draw(seed);
      let left = REQUESTS;
      let key = '';
      const next = (): Drawn => {
        const endpoint = draw.one(endpoints);
        const names = Object.keys((endpoint.body as Shape | undefined)?.properties ?? {});
        const place = (): string => encodeURIComponent(draw.one(TEXTS).toWellFormed()) || 'x';
        const query = Object.keys(endpoint.query?.properties ?? {})
          .filter((name) => name !== 'wait' && draw.below(3) === 0)
          .map((name) => `${name}=${place()}`);
        const path = `${endpoint.path.replace(/\{[^}]+\}/g, place)}${query.length > 0 ? `?${query.join('&')}` : ''}`;
        const body = endpoint.method === 'GET' ? undefined : JSON.stringify(draw.value(names));
        const headers: Record<string, string> = draw.below(5) > 0 ? { authorization: `Bearer ${key}` } : {};
        if (body !== undefined) headers['content-type'] = draw.below(20) > 0 ? 'application/json' : 'text/plain';
        if (draw.below(10) === 0) headers['idempotency-key'] = `fuzz-${draw.below(50)}`;
        return { method: endpoint.method, path, headers, body };
      };
      const client = async (): Promise<void> => {
        while (left > 0) {
          left -= 1;
          if (left % LIFE === 0 || key === '') ({ key } = await t.createAccount());
          const drawn = next();
          const { status, text } = await send(port, drawn);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          const told = `seed ${seed}: ${JSON.stringify(drawn)} → ${status} ${text.slice(0, 500)}`;
          assert.ok(status < 500, told);
          if (status >= 400 && text.startsWith('{')) assert.ok((JSON.parse(text).error as string) in ERRORS, told);
        }
      };
      try {
        await Promise.all(Array.from({ length: AT_ONCE }, client));
        await assertChainsHold(t.config, 0);
        assert.deepEqual(
          t.faults.map(({ message }) => message).filter((one) => one.includes('failed')),
          [],
        );
        printRow(context, `random requests, ${engine} (seed ${seed})`, {
          requests: REQUESTS,
          ...Object.fromEntries(statuses),
        });
      } finally {
        left = 0;
        await t.stop();
      }
    });
});

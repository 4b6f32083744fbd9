import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from '../test/support/harness.ts';
import { milliseconds, percentile, type Row } from './rig/result.ts';
import { deliverAll } from './rig/smtp-load.ts';
import { withService } from './rig/with-service.ts';

const AGENTS = 25;
const MAILS_PER_SECOND = 50;
const WARM_UP = 100;
const MAILS = 500;
const DOMAIN = 'agents.localhost';
/** So that a call waits before its mail is sent. */
const HEAD_START_MS = 100;

interface Agent {
  api: Api;
  address: string;
  /** The call that waits. */
  waiting: ReturnType<Api['get']>;
}

const mailTo = (address: string, code: string): string =>
  [
    ...[
      'From: Acme <no-reply@example.com>',
      `To: ${address}`,
      'Subject: Sign in to Acme',
      `Message-ID: <${code}@example.com>`,
    ],
    ...['MIME-Version: 1.0', 'Content-Type: text/html; charset=utf-8', ''],
    `<html><body><h1>Acme</h1><p>Your verification code is</p><p><b>${code}</b></p><p>It expires in 10 minutes.</p></body></html>`,
  ].join('\r\n');

const waitFor = (api: Api, address: string) => api.get(`/v1/email/wait?address=${address}&code=true&wait=60`);

/** Sends a mail with a code, and waits for the answer of the call. @returns milliseconds from the final dot to it */
async function once(agent: Agent, port: number, n: number): Promise<number> {
  const { api, address, waiting } = agent;
  const code = String(200_000 + n);
  let dot = 0;
  const localAddress = `127.0.0.${1 + (n % AGENTS)}`;
  const onDot = (): void => {
    dot = performance.now();
  };
  const sent = deliverAll({ port, localAddress, recipient: address, mails: [mailTo(address, code)], onDot });
  const { body } = await waiting;
  const answered = performance.now();
  await sent;
  if (body.code?.code !== code) throw new Error(`no code ${code}: ${JSON.stringify(body)}`);
  agent.waiting = waitFor(api, address);
  // The service stops while the last calls wait.
  agent.waiting.catch(() => null);
  return answered - dot;
}

/** How long a waiting agent waits for the code of a mail, from the end of the mail. */
export const codeWaits = (): Promise<Row[]> =>
  withService({}, async (service) => {
    const agents: Agent[] = [];
    for (let n = 0; n < AGENTS; n += 1) {
      const { api_key: key } = (await service.api().post('/v1/auth/keys', {})).body;
      const api = service.api(key);
      const address = `reader-${n}@${DOMAIN}`;
      await api.post('/v1/email/claim', { address });
      agents.push({ api, address, waiting: waitFor(api, address) });
    }
    await sleep(HEAD_START_MS);
    const times: Promise<number>[] = [];
    const began = performance.now();
    for (let n = 0; n < WARM_UP + MAILS; n += 1) {
      const due = began + (n * 1000) / MAILS_PER_SECOND - performance.now();
      if (due > 0) await sleep(due);
      const earlier = times[n - AGENTS];
      if (earlier) await earlier;
      times.push(once(agents[n % AGENTS] as Agent, service.smtpPort, n));
    }
    const measured = (await Promise.all(times)).slice(WARM_UP);
    const rate = `${MAILS_PER_SECOND} mails a second`;
    const row = (part: number, aim: string): Row => ({
      what: `codes: from the final dot to the answer of a waiting call, ${rate}, p${part * 100}`,
      ours: milliseconds(percentile(measured, part)),
      peer: null,
      ratio: null,
      aim,
    });
    return [row(0.5, 'less'), row(0.99, '100 ms')];
  });

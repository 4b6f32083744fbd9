/** The submission server beside a service of a test, and a mail program that speaks to it. */
import tls from 'node:tls';
import testCertificate from 'smtp-server/lib/tls-options.js';
import { confirmKeys } from '../../src/features/identity/login/credential-recheck.ts';
import { type SubmissionConfig, startSubmission } from '../../src/features/mail/mail-programs/sending/submission.ts';
import { requireLoginMethod } from '../../src/features/service/settings/operator-settings.ts';
import { ProgramCall } from '../../src/http/program-call.ts';
import type { TestAccount, TestApp } from './harness.ts';
import { Dialogue, type Reply } from './smtp-dialogue.ts';

const { key, cert } = testCertificate();
const CONTEXT = tls.createSecureContext({ key, cert } as tls.SecureContextOptions);

export interface TestSubmission {
  port: number;
  close(): Promise<void>;
}

/** A door of its own beside those of the service, with a certificate. */
export async function startTestSubmission(
  t: Pick<TestApp, 'app' | 'clock' | 'config'>,
  config: Partial<SubmissionConfig> = {},
): Promise<TestSubmission> {
  const { provided, endpoints } = t.app;
  const { audit, credentials, database, hashIp, idempotency, disk, limitHits, mailPrograms } = provided;
  const { confirm } = credentials;
  const { appendAudits, reserveAudits, noteRefusal } = audit;
  const asked = { confirm, confirmKeys, requireLoginMethod, appendAudits, reserveAudits, noteRefusal, hashIp };
  const mayStore = (): boolean => !disk.isLow;
  const ports = { ...asked, database, idempotency, mayStore, noteLimit: limitHits.note };
  const sendCall = new ProgramCall('sendEmail', endpoints, ports);
  const { mailDomain, mailHost } = t.config;
  const deps = { ...provided, mailDomain, sendCall, logins: mailPrograms, now: t.clock.now };
  const listener = await startSubmission(deps, {
    host: '127.0.0.1',
    port: 0,
    hostname: mailHost,
    tls: { context: () => CONTEXT },
    implicitTls: false,
    mayLoginInClear: () => true,
    ...config,
  });
  return { port: listener.port, close: () => listener.close(0) };
}

/** Makes a named key. @returns its secret */
export async function sendingKey({ api }: Pick<TestAccount, 'api'>, scopes = ['mail:send'], more: object = {}) {
  const made = await api.post('/v1/account/keys', { name: 'mail program', scopes, ...more });
  if (made.status !== 201) throw new Error(`no key: ${made.status} ${made.text}`);
  return made.body.api_key as string;
}

const plain = (user: string, secret: string): string => Buffer.from(`\0${user}\0${secret}`).toString('base64');

/** The lines of a mail, with those that end them. */
const written = (headers: Record<string, string | null>, body = 'Dear Bob'): string =>
  `${Object.entries(headers)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n${body}\r\n`;

/** A program that is logged in. */
export class Program {
  readonly dialogue: Dialogue;
  readonly address: string;

  constructor(dialogue: Dialogue, address: string) {
    this.dialogue = dialogue;
    this.address = address;
  }

  static async open(port: number, { address }: { address: string }, secret: string): Promise<Program> {
    const dialogue = await Dialogue.open(port);
    await dialogue.say('EHLO laptop.home.example');
    const code = await dialogue.say(`AUTH PLAIN ${plain(address, secret)}`);
    if (code !== 235) throw new Error(`no login: ${code}`);
    return new Program(dialogue, address);
  }

  async say(line: string): Promise<Reply> {
    this.dialogue.send(`${line}\r\n`);
    return this.dialogue.reply();
  }

  /** @returns the last line of the reply, or of the first refusal before it */
  async send(to: readonly string[], raw: string | Buffer, from = this.address): Promise<string> {
    for (const line of [`MAIL FROM:<${from}>`, ...to.map((each) => `RCPT TO:<${each}>`), 'DATA']) {
      const { code, lines } = await this.say(line);
      if (code >= 400 || code === 0) {
        await this.say('RSET');
        return lines.at(-1) ?? '';
      }
    }
    this.dialogue.send(raw);
    this.dialogue.send('.\r\n');
    return (await this.dialogue.reply()).lines.at(-1) ?? '';
  }

  /** A mail of its own address, with these headers. */
  letter(headers: Record<string, string | null> = {}, body?: string): string {
    return written({ From: `Ada <${this.address}>`, To: 'bob@out.example', Subject: 'Hello', ...headers }, body);
  }

  close(): void {
    this.dialogue.close();
  }
}

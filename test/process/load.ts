import type { Api, ApiReply } from '../support/harness.ts';
import { type KnownKey, type Ledger, type MessageRecord, newLedger } from './ledger.ts';
import type { Service } from './service.ts';
import { mailOf, openSmtpSession } from './smtp-session.ts';

const DOMAIN = 'agents.localhost';
const SIGNUPS = 2;
const ROTATORS = 2;
const SENDERS = 3;
const SMTP_SESSIONS = 3;
const JANITORS = 2;

/** The load of one round. Its number makes names unique. */
interface Round {
  service: Service;
  ledger: Ledger;
  name: string;
  /** True from the moment the process is killed. */
  isOver(): boolean;
}

/** The connection broke: the process has ended, and the effect of the call is unknown. */
const CUT_OFF: unique symbol = Symbol('cut off');

/** Makes a call that must return `status`. Any other status is a surprise. */
async function expect(round: Round, status: number, call: Promise<ApiReply>): Promise<ApiReply | typeof CUT_OFF> {
  const reply = await call.catch((): typeof CUT_OFF => CUT_OFF);
  if (reply === CUT_OFF) {
    if (!round.isOver()) round.ledger.surprises.push('a connection broke while the process lived');
    return CUT_OFF;
  }
  if (reply.status !== status) round.ledger.surprises.push(`${reply.status} for ${status}: ${reply.text}`);
  return reply.status === status ? reply : CUT_OFF;
}

/** Each from a different network, so that they do not share one rate limit. */
let networks = 0;
const fromSomewhere = (): Record<string, string> => {
  const n = networks++;
  return { 'x-forwarded-for': `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}` };
};

async function signUp(round: Round): Promise<KnownKey | null> {
  const reply = await expect(round, 201, round.service.api().post('/v1/auth/keys', {}, fromSomewhere()));
  if (reply === CUT_OFF) return null;
  const created = { key: reply.body.api_key as string, accountId: reply.body.account_id as string };
  round.ledger.keys.push(created);
  return created;
}

async function claim(round: Round, { key, accountId }: KnownKey, name: string): Promise<string | null> {
  const address = `${name}@${DOMAIN}`;
  const reply = await expect(round, 201, round.service.api(key).post('/v1/email/claim', { address: name }));
  if (reply === CUT_OFF) return null;
  round.ledger.claims.push({ address, accountId });
  return address;
}

async function keepSigningUp(round: Round, n: number): Promise<void> {
  for (let i = 0; !round.isOver(); i++) {
    const account = await signUp(round);
    if (account) await claim(round, account, `${round.name}-signup-${n}-${i}`);
  }
}

async function keepRotating(round: Round): Promise<void> {
  const account = await signUp(round);
  if (!account) return;
  while (!round.isOver()) {
    const reply = await expect(round, 200, round.service.api(account.key).post('/v1/auth/keys/rotate'));
    if (reply === CUT_OFF) {
      // Either this key or one that no client has seen is active now.
      round.ledger.keys.splice(round.ledger.keys.indexOf(account), 1);
      return;
    }
    round.ledger.revoked.push(account.key);
    account.key = reply.body.api_key;
  }
}

/** Sends mails between agents, one call each. */
async function keepSending(round: Round, sender: KnownKey, from: string, to: string, label: string): Promise<void> {
  const api = round.service.api(sender.key);
  for (let i = 0; !round.isOver(); i++) {
    const subject = `${round.name}-${label}-${i}`;
    round.ledger.attempted.add(subject);
    const reply = await expect(
      round,
      201,
      api.post('/v1/email/send', { from, to, subject, text: `Text of ${subject}` }),
    );
    if (reply !== CUT_OFF) round.ledger.mails.push({ address: to, subject });
  }
}

/** Sends mails from outside, every other one to two inboxes. */
async function keepDelivering(round: Round, inboxes: readonly string[], label: string): Promise<void> {
  const smtp = await openSmtpSession(round.service.smtpPort).catch(() => null);
  for (let i = 0; smtp && !round.isOver(); i++) {
    const subject = `${round.name}-${label}-${i}`;
    const to = i % 2 === 0 ? inboxes : inboxes.slice(0, 1);
    round.ledger.attempted.add(subject);
    const code = await smtp.deliver(to, mailOf(subject, to.join(', ')));
    if (code === 250) for (const address of to) round.ledger.mails.push({ address, subject });
    else if (code !== 0) round.ledger.surprises.push(`${code} to an SMTP delivery`);
    else if (!round.isOver()) round.ledger.surprises.push('an SMTP session broke while the process lived');
  }
  smtp?.close();
}

/** Sends mail to itself, then marks some read, archives some and deletes some. */
async function keepTidying(round: Round, account: KnownKey, address: string, label: string): Promise<void> {
  const api = round.service.api(account.key);
  for (let i = 0; !round.isOver(); i++) {
    const subject = `${round.name}-${label}-${i}`;
    round.ledger.attempted.add(subject);
    const send = api.post('/v1/email/send', { from: address, to: address, subject, text: 'to be tidied' });
    const list = (await expect(round, 201, send)) !== CUT_OFF && api.get(`/v1/email/inbox?address=${address}&limit=1`);
    const page = list ? await expect(round, 200, list) : CUT_OFF;
    if (page === CUT_OFF) continue;
    const id = page.body.messages[0]?.message_id as string;
    await tidy(round, api, address, id, i);
  }
}

async function tidy(round: Round, api: Api, address: string, id: string, i: number): Promise<void> {
  const path = `/v1/email/messages/${id}?address=${address}`;
  const message: MessageRecord = { id, state: null };
  round.ledger.messages.set(id, message);
  if (i % 3 === 0) {
    if ((await expect(round, 200, api.delete(path))) !== CUT_OFF) message.state = 'deleted';
    return;
  }
  const state = { read: i % 2 === 0, archived: i % 3 === 1 };
  if ((await expect(round, 200, api.patch(path, state))) !== CUT_OFF) message.state = state;
}

const times = (count: number, work: (n: number) => Promise<void>): Promise<void>[] =>
  Array.from({ length: count }, (_, n) => work(n));

/**
 * Makes every kind of change at once until `isOver`. @returns what was promised. It is complete when the clients have
 * noticed that the process has ended
 */
export async function runLoad(service: Service, name: string, isOver: () => boolean): Promise<Ledger> {
  const ledger = newLedger();
  const round: Round = { service, ledger, name, isOver };
  const receiver = await signUp(round);
  const sender = await signUp(round);
  const names = [`${name}-inbox-a`, `${name}-inbox-b`, `${name}-sender`] as const;
  const inbox = receiver && (await claim(round, receiver, names[0]));
  const copy = receiver && (await claim(round, receiver, names[1]));
  const from = sender && (await claim(round, sender, names[2]));
  if (!sender || !inbox || !copy || !from) {
    // On a slow machine the process may be killed before the load starts. It must still keep its promises so far.
    if (isOver()) return ledger;
    throw new Error(`no load without accounts and addresses: ${ledger.surprises.join('; ')}`);
  }
  await Promise.all([
    ...times(SIGNUPS, (n) => keepSigningUp(round, n)),
    ...times(ROTATORS, () => keepRotating(round)),
    ...times(SENDERS, (n) => keepSending(round, sender, from, inbox, `inside-${n}`)),
    ...times(SMTP_SESSIONS, (n) => keepDelivering(round, [inbox, copy], `outside-${n}`)),
    ...times(JANITORS, async (n) => {
      const address = await claim(round, sender, `${name}-janitor-${n}`);
      if (address) await keepTidying(round, sender, address, `janitor-${n}`);
    }),
  ]);
  return ledger;
}

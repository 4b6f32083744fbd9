import { joined } from '../../../base/byte-slices.ts';
import { monotonicMs } from '../../../base/clock.ts';
import type { DkimKey } from '../../../mail/smtp-out/dkim.ts';
import type { MailSender } from '../../../mail/smtp-out/domain-slots.ts';
import { ATTEMPT_MS } from '../../../mail/smtp-out/mail-transport.ts';
import type { SendOutcome } from '../../../mail/smtp-out/smtp-reply.ts';
import type { OutboxEntry, Outcome } from '../mailboxes/messages/sent.ts';
import type { OutboxDeps } from './outbox-deps.ts';

/** What an attempt found out: final outcomes, and why others are tried again. */
export interface Attempted {
  settled: Outcome[];
  waiting: { address: string; reason: string }[];
  /** The server takes no more for so long, and was not tried for the rest. */
  busyMs?: number;
}

function attemptedBy(result: SendOutcome, tried: readonly string[]): Attempted {
  const refusals = new Map(result.rejected.map((refusal) => [refusal.address, refusal]));
  const settled: Outcome[] = [];
  const waiting: Attempted['waiting'] = [];
  const why = result.status === 'sent' ? result.detail : result.reason;
  for (const address of tried) {
    const refusal = refusals.get(address);
    if (result.status === 'rejected')
      settled.push({ address, providerId: null, error: refusal?.reason ?? result.reason });
    else if (refusal?.permanent) settled.push({ address, providerId: null, error: refusal.reason });
    else if (result.status === 'sent' && !refusal)
      settled.push({ address, providerId: result.providerId, error: null, reply: result.detail });
    else waiting.push({ address, reason: refusal?.reason ?? why });
  }
  return { settled, waiting };
}

/** Copies of one mail that are sent to a relay at a time. The server of a domain gets them one by one. */
const AT_A_TIME = 4;
/** An attempt begins no copy after this time: a server may take three minutes to confirm one. */
const LAST_BEGIN_MS = ATTEMPT_MS - 180_000;

interface Sending {
  raw: Buffer;
  sender: MailSender;
  dkim?: DkimKey;
  signal: AbortSignal;
}

/**
 * Makes what hands a mail to the relay, a copy for each recipient: each has its own return path, and its own link
 * to unsubscribe. The development outbox gets one file for all, where they do not differ.
 */
export function createDelivery(deps: OutboxDeps, entry: OutboxEntry, { raw, sender, dkim, signal }: Sending) {
  const { transport, returnPaths, unsubscribing, baseUrl } = deps;
  const { id, recipients, unsubscribe } = entry;
  const signer = dkim === undefined ? {} : { dkim };
  const endsAt = monotonicMs() + ATTEMPT_MS;

  async function sendTo(id: string, to: readonly string[]): Promise<SendOutcome> {
    const n = recipients.indexOf(to[0] as string);
    const envelopeFrom = returnPaths.of(entry.id, n);
    const link = `${baseUrl()}/unsubscribe/${unsubscribing.of(entry.id, n)}`;
    const headed = unsubscribe ? await joined([Buffer.from(unsubscribeHeaders(link)), raw]) : raw;
    const limits = { sender, withinMs: endsAt - monotonicMs() };
    const message = { id, envelopeFrom, recipients: to, raw: headed, ...limits, ...signer };
    const result = await transport.send(message, signal);
    if (result.status === 'sent') deps.onSent({ id, provider: transport.provider, providerId: result.providerId });
    return result;
  }

  return async (tried: readonly string[], keep: (settled: Outcome[]) => Promise<void>): Promise<Attempted> => {
    const isFile = transport.provider === 'file';
    if (tried.length === 1 || (isFile && !unsubscribe)) {
      const result = await sendTo(id, tried);
      return { ...attemptedBy(result, tried), ...busyOf(result) };
    }
    const all: Attempted = { settled: [], waiting: [] };
    const left = [...tried];
    let stopped: string | null = null;
    let busy: { busyMs?: number } = {};
    let isDeferred = false;
    const timer = setTimeout(() => {
      stopped ??= 'The other copies took too long.';
    }, LAST_BEGIN_MS);
    const work = async (): Promise<void> => {
      for (let address = left.shift(); address !== undefined; address = left.shift()) {
        if (stopped !== null) all.waiting.push({ address, reason: stopped });
        else {
          const result = await sendTo(isFile ? `${id}-${recipients.indexOf(address)}` : id, [address]);
          const { settled, waiting } = attemptedBy(result, [address]);
          // At once: a crash must not send this copy again.
          if (settled.length > 0) await keep(settled);
          all.settled.push(...settled);
          all.waiting.push(...waiting);
          if (result.status === 'deferred' && result.busyMs !== undefined) busy = { busyMs: result.busyMs };
          else isDeferred ||= waiting.length > 0;
          // A relay that says nothing about a recipient does not take the others either.
          if (result.status === 'deferred' && result.rejected.length === 0) stopped ??= result.reason;
        }
      }
    };
    await Promise.all(Array.from({ length: transport.byDomain ? 1 : AT_A_TIME }, work)).finally(() =>
      clearTimeout(timer),
    );
    // A server that deferred one copy was tried, so that attempt counts.
    return isDeferred ? all : { ...all, ...busy };
  };
}

const busyOf = (result: SendOutcome): { busyMs?: number } =>
  result.status === 'deferred' && result.busyMs !== undefined ? { busyMs: result.busyMs } : {};

/** RFC 8058 3.1. They come first, so that the DKIM signature covers them. */
const unsubscribeHeaders = (link: string): string =>
  `List-Unsubscribe: <${link}>\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n`;

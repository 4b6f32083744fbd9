import { within } from '../../src/base/deadline.ts';
import { mailOf, openSmtpSession } from '../process/smtp-session.ts';
import { type StallingRelay, startStallingRelay } from '../support/stalling-relay.ts';
import { answer, type Receiver, startReceiver } from '../support/webhook-receiver.ts';

/** What has arrived outside. */
export interface Arrived {
  /** The recipients of mails. */
  mailed: Set<string>;
  /** The recipients of login links. */
  logins: Set<string>;
  /** The subjects of mails that webhooks told of. */
  posted: Set<string>;
}

/** What the model meets outside of the service. */
export interface Outside {
  relay: StallingRelay;
  receiver: Receiver;
  arrived(): Arrived;
  /** What the service needs to reach it. */
  env: Record<string, string>;
  close(): Promise<void>;
}

/** Starts a relay that takes every mail, and a receiver that takes every webhook. */
export async function startOutside(): Promise<Outside> {
  const relay = await startStallingRelay();
  const receiver = await startReceiver(answer(200));
  const arrived: Arrived = { mailed: new Set(), logins: new Set(), posted: new Set() };
  let [mails, posts] = [0, 0];
  return {
    relay,
    receiver,
    arrived: () => {
      for (; mails < relay.mails.length; mails++) {
        const { to, raw } = relay.mails[mails] as (typeof relay.mails)[number];
        arrived.mailed.add(to);
        if (/^Subject: Your login link\r$/m.test(raw)) arrived.logins.add(to);
      }
      for (; posts < receiver.received.length; posts++)
        arrived.posted.add(JSON.parse(receiver.received[posts]?.body as string).data?.subject);
      return arrived;
    },
    env: { SMTP_RELAY_URL: `smtp://127.0.0.1:${relay.port}`, DELIVERY: 'relay' },
    close: async () => {
      await relay.close();
      await receiver.close();
    },
  };
}

const nothing = (): null => null;

/**
 * Delivers a mail from outside, once.
 * @param client.from its loopback address
 * @returns the code of the reply to DATA, or of an earlier refusal; 0 if none came in time
 */
export async function deliver(
  client: { smtpPort: number; from: string; patienceMs: number },
  to: string,
  subject: string,
): Promise<number> {
  const { smtpPort, from, patienceMs } = client;
  const opening = openSmtpSession(smtpPort, from).catch(nothing);
  const smtp = await within(patienceMs, opening, nothing);
  if (smtp === null) void opening.then((late) => late?.close());
  const code = smtp && (await within(patienceMs, smtp.deliver([to], mailOf(subject, to)), nothing));
  smtp?.close();
  return code ?? 0;
}

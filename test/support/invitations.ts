import assert from 'node:assert/strict';
import { after } from 'node:test';
import ICAL from 'ical.js';
import { Intake } from '../../src/features/mail/inbound/intake.ts';
import { ParsingMemory } from '../../src/features/mail/inbound/parsing-memory.ts';
import { createArrivals } from '../../src/features/mail/mailboxes/pending-parses.ts';
import { MimeParser } from '../../src/mail/reading/mime-parser.ts';
import { createSenderAuth } from '../../src/mail/sender-auth/sender-auth-check.ts';
import { receivedHeader } from '../../src/mail/smtp-in/smtp-trace.ts';
import type { TestApp } from './harness.ts';

const parser = new MimeParser({ deadlineMs: 60_000 });
after(() => parser.close());
const TXT: Record<string, string> = {
  'example.com': 'v=spf1 ip4:203.0.113.9 -all',
  '_dmarc.example.com': 'v=DMARC1; p=reject',
};

/** One for all: each would start a thread. */
const authenticate = createSenderAuth({
  deadlineMs: 60_000,
  resolve: async (name, type) => {
    const text = type === 'TXT' ? TXT[name] : undefined;
    if (text === undefined) throw Object.assign(new Error(name), { code: 'ENOTFOUND' });
    return [[text]];
  },
});

/** Delivers a mail with a calendar from another server, checked with a DNS that this test controls. */
export async function receiveCalendar(
  t: TestApp,
  from: string,
  to: string,
  calendar: string,
  ip = '203.0.113.9',
): Promise<void> {
  const { provided } = t.app;
  const intake = new Intake({
    ...provided,
    mailDomain: provided.config.mailDomain,
    postmasterMail: null,
    instance: { id: 'ins_other' },
    appendEvents: provided.events.appendAll,
    enqueueJob: provided.jobs.enqueue,
    arrivals: createArrivals(),
    parser,
    authenticate,
    memory: new ParsingMemory(),
    onFault: assert.ifError,
  });
  const trace = { helo: 'mx.example.com', remoteAddress: ip, hostname: 'agents.localhost', esmtp: true, tls: false };
  const header = receivedHeader({ ...trace, smtpUtf8: false, id: 'x.1', recipients: [to], date: new Date(0) });
  const mail = [
    `From: ${from}`,
    `To: ${to}`,
    'Subject: calendar',
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'See the calendar.',
    '--b',
    'Content-Type: text/calendar; charset=utf-8; method=REQUEST',
    '',
    calendar,
    '--b--',
    '',
  ];
  const raw = Buffer.concat([header, Buffer.from(mail.join('\r\n'))]);
  await intake.accept({ envelopeFrom: from, recipients: [to], network: ip, raw });
  await intake.idle();
  await t.app.worker.runDue();
}

/** A calendar as another program writes it. */
export const calendarText = (method: string, fields: readonly string[]): string =>
  [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Other//EN', `METHOD:${method}`, 'BEGIN:VEVENT'],
    ...['DTSTAMP:20260110T000000Z', ...fields, 'END:VEVENT', 'END:VCALENDAR'],
  ].join('\r\n');

/** The iTIP messages that went to an address outside, oldest first, as the mail has them and as ical.js reads them. */
export async function invitationsTo(t: TestApp, address: string) {
  const mails = (await t.outboxMails()).filter((mail) => new RegExp(`^To: <?${address}>?\r?$`, 'im').test(mail));
  const found = await Promise.all(
    mails.map(async (mail) => {
      const { attachments, from } = await parser.parse(Buffer.from(mail));
      const part = attachments.find(({ contentType }) => contentType === 'text/calendar');
      const text = new TextDecoder().decode(part?.content);
      const calendar = new ICAL.Component(ICAL.parse(text));
      const event = calendar.getFirstSubcomponent('vevent') as ICAL.Component;
      const method = String(calendar.getFirstPropertyValue('method'));
      assert.match(mail, new RegExp(`^Content-Type: text/calendar; charset=utf-8; method=${method}\r?$`, 'm'));
      assert.ok(attachments.some(({ filename }) => filename === 'invite.ics'));
      // RFC 6047 2.3: the sender is the organizer, or the attendee who answers.
      const author = method === 'REPLY' ? 'attendee' : 'organizer';
      assert.equal(String(event.getFirstPropertyValue(author)).replace(/^mailto:/i, ''), from?.address);
      const sequence = Number(event.getFirstPropertyValue('sequence'));
      return { method, sequence, uid: String(event.getFirstPropertyValue('uid')), event, text };
    }),
  );
  return found.sort((a, b) => a.sequence - b.sequence || (a.method < b.method ? 1 : -1));
}

/** Delivery reports of other mail servers, for tests. */
import type { TestApp } from './harness.ts';
import { Dialogue } from './smtp-dialogue.ts';

/** The part of a report about one recipient. */
export interface Fate {
  address: string;
  action?: string;
  original?: string;
}

/** A report (RFC 3464) in the form that Postfix writes. */
export function report(fates: readonly Fate[], messageId: string | null): string {
  const groups = fates.flatMap(({ address, action = 'failed', original }) => [
    '',
    `Final-Recipient: rfc822; ${address}`,
    ...(original ? [`Original-Recipient: rfc822;${original}`] : []),
    `Action: ${action}`,
    `Status: ${action === 'failed' ? '5.1.1' : '4.4.1'}`,
    `Diagnostic-Code: smtp; 550 <${address}>: no such user`,
  ]);
  const returned =
    messageId === null ? [] : ['--b', 'Content-Type: text/rfc822-headers', '', `Message-ID: ${messageId}`];
  return [
    'From: MAILER-DAEMON@mx.example',
    'Subject: Undelivered Mail Returned to Sender',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'I am sorry.',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example',
    ...groups,
    ...returned,
    '--b--',
    '',
  ].join('\r\n');
}

/** Delivers mail to the inbound SMTP server as another server does. @returns the code of the last reply */
export async function bounce(t: TestApp, to: string | string[], raw: string, from = ''): Promise<number> {
  const client = await Dialogue.open(t.app.smtpPort as number);
  try {
    await client.say('EHLO mx.example');
    await client.say(`MAIL FROM:<${from}>`);
    for (const one of [to].flat()) {
      const code = await client.say(`RCPT TO:<${one}>`);
      if (code !== 250) return code;
    }
    await client.say('DATA');
    client.send(`${raw}\r\n.\r\n`);
    return (await client.reply()).code;
  } finally {
    client.close();
  }
}

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseMail } from '../reading/mime-parse.ts';
import { readDeliveryReport } from './delivery-report.ts';

const crlf = (lines: readonly string[]): string => lines.join('\r\n');

async function read(text: string) {
  const raw = Buffer.from(text);
  return readDeliveryReport(raw, await parseMail(new Uint8Array(raw).buffer));
}

/** A report in three parts (RFC 6522), as servers write it. */
const multipart = (status: readonly string[], returned: readonly string[], returnedType = 'message/rfc822'): string =>
  crlf([
    'From: MAILER-DAEMON@mx.example (Mail Delivery System)',
    'To: bounce+x@agents.localhost',
    'Subject: Undelivered Mail Returned to Sender',
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    'I am sorry.',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    ...status,
    '--b',
    `Content-Type: ${returnedType}`,
    '',
    ...returned,
    '--b--',
    '',
  ]);

const OURS = ['From: a@agents.localhost', 'Message-ID: <abc@agents.localhost>', 'Subject: hello', '', 'hello'];

describe('an RFC 3464 report', () => {
  it('Postfix: recipient, status, text of the server, Message-ID of the returned mail', async () => {
    const status = [
      'Reporting-MTA: dns; mx.example',
      'X-Postfix-Queue-ID: 4F1A',
      'Original-Envelope-Id: out_1',
      '',
      'Final-Recipient: rfc822; Bob@out.example',
      'Original-Recipient: rfc822;bob.b@out.example',
      'Action: failed',
      'Status: 5.1.1',
      'Remote-MTA: dns; mx2.example',
      'Diagnostic-Code: smtp; 550 5.1.1 <Bob@out.example>: Recipient address',
      '    rejected: User unknown',
    ];
    assert.deepEqual(await read(multipart(status, OURS)), {
      envelopeId: 'out_1',
      messageId: '<abc@agents.localhost>',
      recipients: [
        {
          address: 'Bob@out.example',
          original: 'bob.b@out.example',
          action: 'failed',
          status: '5.1.1',
          diagnostic: '550 5.1.1 <Bob@out.example>: Recipient address rejected: User unknown',
        },
      ],
    });
  });

  it('Exchange: returns only the header, and writes the action in capitals', async () => {
    const status = [
      'Reporting-MTA: dns;EX01.corp.example',
      '',
      'Final-recipient: RFC822;bob@out.example',
      'Action: Failed',
      'Status: 5.1.10',
      'Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found',
    ];
    const report = await read(multipart(status, OURS.slice(0, 3), 'text/rfc822-headers'));
    assert.equal(report?.messageId, '<abc@agents.localhost>');
    assert.deepEqual(report?.recipients[0]?.action, 'failed');
    assert.match(report?.recipients[0]?.diagnostic ?? '', /^550 5\.1\.10 RESOLVER/);
  });

  it('OpenSMTPD: has no Diagnostic-Code; the text is in the human-readable part', async () => {
    const status = [
      'Reporting-MTA: dns; mx.example',
      '',
      'Final-Recipient: rfc822; bob@out.example',
      'Action: failed',
      'Status: 5.0.0',
    ];
    const words = 'Hi!\r\n\r\nBelow is the list of recipients:\r\n\r\n    Bob@out.example: 550 5.1.1 no such user\r\n';
    const report = await read(multipart(status, OURS).replace('I am sorry.', words));
    assert.equal(report?.recipients[0]?.diagnostic, '550 5.1.1 no such user');
  });

  it('several recipients with an outcome each; delayed does not count as failed', async () => {
    const group = (address: string, action: string, status: string): string[] => [
      '',
      `Final-Recipient: rfc822;${address}`,
      `Action: ${action}`,
      `Status: ${status}`,
    ];
    const status = [
      'Reporting-MTA: dns; mx.example',
      ...group('a@out.example', 'failed', '5.2.2 (mailbox full)'),
      ...group('b@out.example', 'delayed', '4.4.1'),
      ...group('c@out.example', 'relayed', '2.0.0'),
      ...group('d@out.example', '', '5.0.0'),
      ...group('e@out.example', '', '4.0.0'),
    ];
    const report = await read(multipart(status, OURS));
    assert.deepEqual(
      report?.recipients.map(({ action, status: code }) => [action, code]),
      [
        ['failed', '5.2.2'],
        ['delayed', '4.4.1'],
        ['relayed', '2.0.0'],
        ['failed', '5.0.0'],
        ['delayed', '4.0.0'],
      ],
    );
  });

  it('three thousand recipients, a line of a megabyte and no recipient at all are bounded and never throw', async () => {
    const many = Array.from(
      { length: 3000 },
      (_, i) => `\r\nFinal-Recipient: rfc822;u${i}@o.example\r\nAction: failed`,
    );
    const report = await read(multipart(many, OURS));
    assert.equal(report?.recipients.length, 200);
    const long = await read(
      multipart(
        ['Final-Recipient: rfc822;a@o.example', 'Action: failed', `Diagnostic-Code: x; ${'y'.repeat(1e6)}`],
        OURS,
      ),
    );
    assert.ok((long?.recipients[0]?.diagnostic ?? '').length <= 400);
    assert.equal(await read(multipart(['Reporting-MTA: dns; mx.example'], OURS)), null);
  });
});

const plain = (text: readonly string[], headers: readonly string[] = []): string =>
  crlf(['From: MAILER-DAEMON@mx.example', 'Subject: failure notice', ...headers, '', ...text]);

/** What each program writes, and what must be understood of it. */
const NOTICES: [program: string, mail: string, address: string, diagnostic: RegExp, status: string | null][] = [
  [
    'qmail',
    plain([
      'Hi. This is the qmail-send program at mx.example.',
      "I'm afraid I wasn't able to deliver your message to the following addresses.",
      "This is a permanent error; I've given up. Sorry it didn't work out.",
      '',
      '<bob@out.example>:',
      '192.0.2.1 does not like recipient.',
      'Remote host said: 550 5.1.1 no such user',
      'Giving up on 192.0.2.1.',
      '',
      '--- Below this line is a copy of the message.',
      '',
      'Return-Path: <x@agents.localhost>',
      ...OURS,
    ]),
    'bob@out.example',
    /does not like recipient\. Remote host said: 550 5\.1\.1 no such user/,
    '5.1.1',
  ],
  [
    'Exim',
    plain(
      [
        'This message was created automatically by mail delivery software.',
        '',
        'A message that you sent could not be delivered to one or more of its',
        'recipients. This is a permanent error. The following address(es) failed:',
        '',
        '  bob@out.example',
        '    host mx.out.example [192.0.2.1]',
        '    SMTP error from remote mail server after RCPT TO:<bob@out.example>:',
        '    550 unknown user',
        '',
        '------ This is a copy of the message, including all the headers. ------',
        '',
        ...OURS,
      ],
      ['X-Failed-Recipients: bob@out.example', 'Auto-Submitted: auto-replied'],
    ),
    'bob@out.example',
    /host mx\.out\.example .* 550 unknown user$/,
    null,
  ],
  [
    'Postfix without a report',
    plain([
      'This is the mail system at host mx.example.',
      '',
      "I'm sorry to have to inform you that your message could not",
      'be delivered to one or more recipients.',
      '',
      '<bob@out.example>: host mx.out.example[192.0.2.1] said: 552 5.2.2 mailbox full (in',
      '    reply to RCPT TO command)',
    ]),
    'bob@out.example',
    /^host mx.* 552 5\.2\.2 mailbox full \(in reply to RCPT TO command\)$/,
    '5.2.2',
  ],
  [
    'Sendmail',
    plain([
      'The original message was received at Sat, 21 Nov 2026 10:00:00 GMT',
      '',
      '   ----- The following addresses had permanent fatal errors -----',
      '<bob@out.example>',
      '    (reason: 550 5.1.1 <bob@out.example>... User unknown)',
      '',
      '   ----- Transcript of session follows -----',
      '... while talking to mx.out.example.:',
    ]),
    'bob@out.example',
    /User unknown/,
    '5.1.1',
  ],
  [
    'old Exchange',
    plain([
      'Your message did not reach some or all of the intended recipients.',
      '',
      '      Subject:  hello',
      '',
      'The following recipient(s) could not be reached:',
      '',
      '      bob@out.example on 11/21/2026 10:00 AM',
      '            The e-mail account does not exist at the organization this message was sent to.',
      '            <mx.out.example #5.1.1>',
    ]),
    'bob@out.example',
    /does not exist/,
    '5.1.1',
  ],
  [
    'Exim, nothing but its header',
    plain(
      ['This message was created automatically by mail delivery software.', '', 'It failed.'],
      ['X-Failed-Recipients: bob@out.example'],
    ),
    'bob@out.example',
    /could not be delivered/,
    null,
  ],
];

describe('a bounce in plain text', () => {
  for (const [program, mail, address, diagnostic, status] of NOTICES)
    it(`${program}: recipient and reason`, async () => {
      const report = await read(mail);
      assert.deepEqual(
        report?.recipients.map((recipient) => [recipient.address, recipient.action, recipient.status]),
        [[address, 'failed', status]],
      );
      assert.match(report?.recipients[0]?.diagnostic ?? '', diagnostic);
      if (mail.includes('Message-ID')) assert.equal(report?.messageId, '<abc@agents.localhost>');
    });

  const HARMLESS: [what: string, mail: string][] = [
    ['a note of absence', plain(['I am away until Monday. Write to carol@out.example instead.'])],
    [
      'a person who quotes one',
      plain(['I got this, what is it?', '', '> Hi. This is the qmail-send program at mx.', '', '<bob@out.example>:']),
    ],
    [
      'a warning of Exim',
      plain([
        'This message was created automatically by mail delivery software.',
        'A message that you sent has not yet been delivered to one or more of its recipients.',
        '',
        '  bob@out.example',
      ]),
    ],
    [
      'a warning of Postfix',
      plain([
        'This is the mail system at host mx.example.',
        '',
        '####',
        '# THIS IS A WARNING ONLY. #',
        '',
        '<bob@out.example>: connection timed out',
      ]),
    ],
    ['an empty mail', plain([])],
  ];
  for (const [what, mail] of HARMLESS) it(`${what} is not a report`, async () => assert.equal(await read(mail), null));
});

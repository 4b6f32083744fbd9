import { composeMail } from '../../src/mail/mime/compose.ts';
import type { OutgoingMessage } from '../../src/mail/smtp-out/mail-transport.ts';

/** A message that agents send, with what a transport must not change. */
export const MESSAGE: OutgoingMessage = {
  id: 'out_1',
  envelopeFrom: 'agent@agents.example',
  recipients: ['eve@agents.example', 'hidden@agents.example'],
  raw: await composeMail({
    from: { address: 'agent@agents.example', name: 'Agent' },
    to: ['eve@out.example'],
    subject: 'Grüße',
    text: 'line one\n.dot\n\ntrailing  space  \n\n\n',
    messageId: '<m1@agents.example>',
    date: new Date(Date.UTC(2026, 0, 31, 12)),
  }),
};

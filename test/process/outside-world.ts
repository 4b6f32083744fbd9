import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { eventually } from '../support/eventually.ts';

export interface Arrived {
  from: string;
  to: string[];
  raw: Buffer;
  /** A header of the mail, unfolded. */
  header(name: string): string | null;
}

/** A foreign mail server. It accepts mail for all addresses except `nobody@…`. */
export interface OutsideWorld {
  port: number;
  /** Waits for a mail to this address. */
  mailTo(address: string): Promise<Arrived>;
  close(): Promise<void>;
}

function headerIn(raw: Buffer, name: string): string | null {
  const head =
    raw
      .toString('utf8')
      .split('\r\n\r\n', 1)[0]
      ?.replace(/\r\n[ \t]+/g, ' ') ?? '';
  const line = head.split('\r\n').find((text) => text.toLowerCase().startsWith(`${name.toLowerCase()}:`));
  return line === undefined ? null : line.slice(name.length + 1).trim();
}

export async function startOutsideWorld(): Promise<OutsideWorld> {
  const mails: Arrived[] = [];
  const server = new SMTPServer({
    name: 'mx.out.example',
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, callback) => {
      const refusal = Object.assign(new Error('5.1.1 no such user'), { responseCode: 550 });
      callback(address.startsWith('nobody@') ? refusal : null);
    },
    onData: (stream, { envelope: { mailFrom, rcptTo } }, callback) => {
      void buffer(stream).then((raw) => {
        const from = mailFrom === false ? '' : mailFrom.address;
        const to = rcptTo.map(({ address }) => address);
        mails.push({ from, to, raw, header: (name) => headerIn(raw, name) });
        callback(null, 'taken');
      });
    },
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    mailTo: (address) => eventually(() => mails.find(({ to }) => to.includes(address)), `mail to ${address}`),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** A relay by other authors that notes who a mail is from. */
export async function startReturnPathRelay() {
  /** The mail that the relay accepted: envelope senders and bytes. */
  const taken: { from: string; raw: string }[] = [];
  /** Recipients that it answers with 451. */
  const deferred = new Set<string>();
  /** The return path of the latest copy for each recipient, taken or not. */
  const paths = new Map<string, string>();
  const relay = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, { envelope }, callback) => {
      paths.set(address.toLowerCase(), envelope.mailFrom === false ? '' : envelope.mailFrom.address);
      callback(deferred.has(address) ? Object.assign(new Error('later'), { responseCode: 451 }) : null);
    },
    onData: (stream, session, callback) => {
      const { mailFrom } = session.envelope;
      void buffer(stream).then((raw) => {
        taken.push({ from: mailFrom === false ? '' : mailFrom.address, raw: raw.toString('latin1') });
        callback(null, 'Ok: queued as RELAY1234');
      });
    },
  });
  await new Promise<void>((resolve) => void relay.listen(0, '127.0.0.1', resolve));
  const url = `smtp://127.0.0.1:${(relay.server.address() as AddressInfo).port}`;
  return { url, taken, deferred, paths, close: () => new Promise<void>((resolve) => relay.close(resolve)) };
}

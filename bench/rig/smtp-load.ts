import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Delivery {
  port: number;
  /** The client's own address, because a service may limit connections per address. */
  localAddress: string;
  recipient: string;
  /** The mails, dot-stuffed, each without its end mark. */
  mails: readonly string[];
  /** Called when the end mark of a mail is written. */
  onDot?: () => void;
}

/** A complete last line of replies. Earlier replies may be anything but refusals. */
function lastCode(text: string, replies: number): number | null {
  if (!text.endsWith('\r\n')) return null;
  const ends = text
    .trimEnd()
    .split('\r\n')
    .filter((line) => line[3] !== '-');
  if (ends.length < replies) return null;
  const refusal = ends.find((line) => line[0] === '4' || line[0] === '5');
  if (refusal !== undefined) throw new Error(`refused: ${refusal}`);
  return Number(ends.at(-1)?.slice(0, 3));
}

/** Reads the replies of a socket, a given number at a time. */
function replyReader(socket: Socket): (count: number) => Promise<number> {
  let received = '';
  let wanted: { count: number; resolve(code: number): void; reject(err: Error): void } | null = null;
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1');
    if (wanted === null) return;
    const { count, resolve, reject } = wanted;
    try {
      const code = lastCode(received, count);
      if (code === null) return;
      [wanted, received] = [null, ''];
      resolve(code);
    } catch (err) {
      reject(err as Error);
    }
  });
  const end = (): void => wanted?.reject(new Error('the server closed the connection'));
  socket.on('close', end).on('error', end);
  return (count) =>
    new Promise((resolve, reject) => {
      wanted = { count, resolve, reject };
    });
}

/** A connection to a mail server, after its greeting. */
export interface Session {
  /** Delivers one mail. Any refusal rejects, because the speed of refusals does not matter. */
  deliver(recipient: string, mail: string, onDot?: () => void): Promise<void>;
  close(): void;
}

export async function openSession({ port, localAddress }: Pick<Delivery, 'port' | 'localAddress'>): Promise<Session> {
  const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true });
  const replies = replyReader(socket);
  const greeting = replies(1);
  await once(socket, 'connect');
  await greeting;
  socket.write('EHLO client.example\r\n');
  await replies(1);
  const deliver: Session['deliver'] = async (recipient, mail, onDot) => {
    // Pipelined (RFC 2920), as between mail servers.
    socket.write(`MAIL FROM:<ada@example.com>\r\nRCPT TO:<${recipient}>\r\nDATA\r\n`);
    if ((await replies(3)) !== 354) throw new Error('no 354 to DATA');
    socket.write(`${mail}\r\n.\r\n`);
    onDot?.();
    if ((await replies(1)) !== 250) throw new Error('no 250 to a mail');
  };
  return { deliver, close: () => void socket.destroy() };
}

/** Delivers mails on one connection, each after the 250 of the previous one. */
export async function deliverAll({ recipient, mails, onDot, ...place }: Delivery): Promise<void> {
  const session = await openSession(place);
  for (const mail of mails) await session.deliver(recipient, mail, onDot);
  session.close();
}

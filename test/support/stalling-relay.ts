/** A relay for tests that stops answering, or disconnects, at a chosen step of the dialogue. */
import { once } from 'node:events';
import net from 'node:net';

/** `taken`: after the final dot, when the relay has the mail but has not replied. */
export const STAGES = ['greeting', 'EHLO', 'MAIL', 'RCPT', 'DATA', 'taken'] as const;
export type Stage = (typeof STAGES)[number];

export interface StallingRelay {
  port: number;
  /**
   * What happens at that step to mail for this recipient. Greeting and EHLO come before any recipient, so it happens to
   * all.
   */
  trouble: { stage: Stage; how: 'hang' | 'close'; recipient?: string } | null;
  /** Messages that arrived completely, acknowledged or not: recipient and bytes. */
  mails: { to: string; raw: string; acknowledged: boolean }[];
  /** Connections that wait for a reply that never comes. */
  stalled(): number;
  /** Ends every connection, also the idle ones of a pool. Resolves when the other side has ended them, too. */
  hangUp(): Promise<void>;
  close(): Promise<void>;
}

const ANYWHERE = { host: '127.0.0.1', port: 0 };
const REPLIES: Record<string, string> = { DATA: '354 go on', QUIT: '221 bye' };

/** One client. */
function converse(relay: StallingRelay, socket: net.Socket, onStall: () => void): void {
  let to = '';
  let data: string | null = null;
  let pending = '';
  let stalled = false;
  /** @returns whether the relay still answers */
  const reach = (stage: Stage): boolean => {
    const { trouble } = relay;
    const isHere = trouble?.stage === stage && (trouble.recipient ?? to) === to;
    if (isHere && trouble.how === 'close') socket.destroy();
    if (isHere) onStall();
    stalled ||= isHere;
    return !stalled;
  };
  const say = (line: string): void => void socket.write(`${line}\r\n`);

  function command(line: string): void {
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === 'RCPT') to = /<([^>]*)>/.exec(line)?.[1] ?? '';
    if (verb === 'RSET' || verb === 'MAIL') to = '';
    if (STAGES.includes(verb as Stage) && !reach(verb as Stage)) return;
    if (verb === 'DATA') data = '';
    say(REPLIES[verb] ?? '250 ok');
  }

  function endOfData(raw: string): void {
    const mail = { to, raw, acknowledged: false };
    relay.mails.push(mail);
    if (!reach('taken')) return;
    mail.acknowledged = true;
    say('250 Ok: queued as STALL1');
  }

  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    if (stalled) return;
    pending += chunk.toString('latin1');
    for (let end = pending.indexOf('\r\n'); end >= 0 && !stalled; end = pending.indexOf('\r\n')) {
      const line = pending.slice(0, end);
      pending = pending.slice(end + 2);
      if (data === null) command(line);
      else if (line === '.') {
        const raw = data;
        data = null;
        endOfData(raw);
      } else data += `${line}\r\n`;
    }
  });
  if (reach('greeting')) say('220 relay.example ESMTP');
}

export async function startStallingRelay(at: { host: string; port: number } = ANYWHERE): Promise<StallingRelay> {
  const sockets = new Set<net.Socket>();
  const stalled = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      stalled.delete(socket);
    });
    converse(relay, socket, () => stalled.add(socket));
  });
  await new Promise<void>((resolve) => void server.listen(at.port, at.host, resolve));
  const relay: StallingRelay = {
    port: (server.address() as net.AddressInfo).port,
    trouble: null,
    mails: [],
    stalled: () => stalled.size,
    hangUp: async () => {
      await Promise.all([...sockets].map((socket) => once(socket.end(), 'close')));
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
  return relay;
}

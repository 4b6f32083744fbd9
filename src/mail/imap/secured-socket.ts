import type { Socket } from 'node:net';
import { type SecureContext, TLSSocket } from 'node:tls';

/** A socket that is encrypted, after the handshake; null if there is none. */
export async function secured(socket: Socket, secureContext: SecureContext): Promise<TLSSocket | null> {
  const secure = new TLSSocket(socket, { isServer: true, secureContext, ALPNProtocols: ['imap'] });
  const done = await new Promise<boolean>((resolve) => {
    secure.once('secure', () => resolve(true));
    secure.once('error', () => resolve(false));
    secure.once('_tlsError', () => resolve(false));
    secure.once('close', () => resolve(false));
  });
  if (done) return secure;
  secure.destroy();
  return null;
}

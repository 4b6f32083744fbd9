/**
 * A mail host that offers TLS: `tls-mail-host.ts ADDRESS KEY CERT`. It prints each connection, the recipients of each mail,
 * and whether it came over TLS. Debian's OpenSMTPD 6.8.0p2 ends every handshake of its own server with `internal error`: it signs in a
 * process of its own, in a way that OpenSSL 3 has no more.
 */
import { readFileSync } from 'node:fs';
import { SMTPServer } from 'smtp-server';

const [address = '', key = '', cert = ''] = process.argv.slice(2);
const server = new SMTPServer({
  key: readFileSync(key),
  cert: readFileSync(cert),
  authOptional: true,
  disabledCommands: ['AUTH'],
  onConnect: (_session, callback) => {
    console.log('connection');
    callback();
  },
  onData: (stream, { envelope, secure }, callback) => {
    stream.resume().once('end', () => {
      for (const { address: to } of envelope.rcptTo)
        console.log(`mail for ${to} ${secure ? 'over TLS' : 'in the clear'}`);
      callback(null, 'taken');
    });
  },
});
// A client that goes away during a handshake is no fault.
server.on('error', () => {});
server.listen(25, address, () => console.log('listening'));
